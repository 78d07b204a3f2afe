/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_build.c - objects and arrays of replies */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "predictor/http/json_build.h"

struct json_object *json_number(double value, bool *ret_failed)
{
	char text[32];

	if (!isfinite(value))
		return NULL;

	/* The shortest of the two that gives the same number back. */
	snprintf(text, sizeof(text), "%.15g", value);
	if (strtod(text, NULL) != value)
		snprintf(text, sizeof(text), "%.17g", value);

	struct json_object *number = json_object_new_double_s(value, text);

	if (!number)
		*ret_failed = true;
	return number;
}

void json_add(struct json_object *object, const char *key,
	      struct json_object *value, bool *ret_failed)
{
	if (!value) {
		*ret_failed = true;
	} else if (json_object_object_add(object, key, value)) {
		*ret_failed = true;
		json_object_put(value);
	}
}

void json_add_number(struct json_object *object, const char *key, double value,
		     bool *ret_failed)
{
	struct json_object *number = json_number(value, ret_failed);

	if (json_object_object_add(object, key, number)) {
		*ret_failed = true;
		json_object_put(number);
	}
}

struct json_object *json_finish(struct json_object *value, bool failed)
{
	if (!failed)
		return value;
	json_object_put(value);
	return NULL;
}

struct json_object *json_array(const void *elements, size_t count, size_t size,
			       struct json_object *(*encode)(const void *))
{
	struct json_object *array = json_object_new_array();
	bool failed = !array;

	for (size_t i = 0; !failed && i < count; i++) {
		struct json_object *element =
			encode((const char *)elements + size * i);

		failed = !element || json_object_array_add(array, element);
		if (failed)
			json_object_put(element);
	}
	return json_finish(array, failed);
}
