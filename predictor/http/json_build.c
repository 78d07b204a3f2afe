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
	if (!object || !value || json_object_object_add(object, key, value)) {
		*ret_failed = true;
		json_object_put(value);
	}
}

void json_add_number(struct json_object *object, const char *key, double value,
		     bool *ret_failed)
{
	struct json_object *number = json_number(value, ret_failed);

	if (!object || json_object_object_add(object, key, number)) {
		*ret_failed = true;
		json_object_put(number);
	}
}

static struct json_object *encode_member(const struct field *f,
					 const void *member)
{
	switch (f->kind) {
	case FIELD_TEXT:
		return json_object_new_string(member);
	case FIELD_LENT:
		return json_object_new_string(*(const char *const *)member);
	case FIELD_BOOL:
		return json_object_new_boolean(*(const bool *)member);
	case FIELD_INT:
		return json_object_new_int(*(const int *)member);
	case FIELD_UINT:
		return json_object_new_int64(*(const uint32_t *)member);
	case FIELD_INT8:
		return json_object_new_int64(*(const int64_t *)member);
	case FIELD_ENUM:
		return json_object_new_string(
			enum_words_name(f->words, *(const int *)member));
	default:
		return NULL;
	}
}

void json_add_fields(struct json_object *object, const struct field fields[],
		     const void *from, bool *ret_failed)
{
	for (const struct field *f = fields; f->name; f++) {
		const void *member = (const char *)from + f->offset;

		if (f->unsent)
			continue;
		if (f->kind == FIELD_NUMBER)
			json_add_number(object, f->name,
					*(const double *)member, ret_failed);
		else
			json_add(object, f->name, encode_member(f, member),
				 ret_failed);
	}
}

struct json_object *json_record(const struct field fields[], const void *from)
{
	struct json_object *object = json_object_new_object();
	bool failed = false;

	json_add_fields(object, fields, from, &failed);
	return json_finish(object, failed);
}

struct json_object *json_finish(struct json_object *value, bool failed)
{
	if (!failed)
		return value;
	json_object_put(value);
	return NULL;
}

/* Add an element that was made; NULL: it could not be. */
static void array_add(struct json_object *array, struct json_object *element,
		      bool *ret_failed)
{
	if (element && !json_object_array_add(array, element))
		return;
	json_object_put(element);
	*ret_failed = true;
}

struct json_object *json_records(const struct field fields[], const void *from,
				 size_t count, size_t size)
{
	struct json_object *array = json_object_new_array();
	bool failed = !array;

	for (size_t i = 0; !failed && i < count; i++)
		array_add(array,
			  json_record(fields, (const char *)from + size * i),
			  &failed);
	return json_finish(array, failed);
}

struct json_object *json_array(const void *elements, size_t count, size_t size,
			       struct json_object *(*encode)(const void *))
{
	struct json_object *array = json_object_new_array();
	bool failed = !array;

	for (size_t i = 0; !failed && i < count; i++)
		array_add(array, encode((const char *)elements + size * i),
			  &failed);
	return json_finish(array, failed);
}
