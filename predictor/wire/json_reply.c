/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_reply.c - what every reply carries */
#include <stdio.h>
#include <string.h>

#include "predictor/base/utf8.h"
#include "predictor/wire/wire.h"

static int add_array(struct json_object *object, const char *name)
{
	struct json_object *array = json_object_new_array();

	if (array && !json_object_object_add(object, name, array))
		return 0;
	json_object_put(array);
	return -1;
}

struct json_object *wire_reply_create(void)
{
	struct json_object *reply = json_object_new_object();

	if (reply && (add_array(reply, "errors") < 0 ||
		      add_array(reply, "warnings") < 0)) {
		json_object_put(reply);
		reply = NULL;
	}
	return reply;
}

void wire_reply_complete(struct json_object *reply)
{
	static const char *const arrays[] = { "errors", "warnings" };
	struct json_object *meta = json_object_new_object();

	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		if (!json_object_object_get_ex(reply, arrays[i], NULL))
			add_array(reply, arrays[i]);
	if (meta)
		json_object_object_add(meta, "version",
				       json_object_new_string(SP_VERSION));
	json_object_object_add(reply, "meta", meta);
}

/* Add {name: text} to the reply's array of that kind; `code` NULL: none. */
static void add_text(struct json_object *reply, const char *array_name,
		     const char *name, const char *text, const char *code)
{
	struct json_object *array;
	struct json_object *object = json_object_new_object();
	struct json_object *value = NULL;
	char copy[sizeof(((struct sp_error *)NULL)->text)];

	snprintf(copy, sizeof(copy), "%s", text);
	utf8_repair(copy, strlen(copy));
	if (!object || !json_object_object_get_ex(reply, array_name, &array) ||
	    !(value = json_object_new_string(copy)))
		goto failed;
	if (json_object_object_add(object, name, value) < 0) {
		json_object_put(value);
		goto failed;
	}
	if (code)
		json_object_object_add(object, "code",
				       json_object_new_string(code));
	if (!json_object_array_add(array, object))
		return;
failed:
	json_object_put(object);
}

void wire_reply_add_error(struct json_object *reply, const char *text,
			  const char *code)
{
	add_text(reply, "errors", "error", text, code);
}

void wire_reply_add_warning(struct json_object *reply, const char *text)
{
	add_text(reply, "warnings", "warning", text, NULL);
}

const char *wire_find_text(struct json_object *object, const char *name,
			   const char *otherwise)
{
	struct json_object *value;

	return json_object_object_get_ex(object, name, &value) &&
			       json_object_is_type(value, json_type_string)
		       ? json_object_get_string(value)
		       : otherwise;
}
