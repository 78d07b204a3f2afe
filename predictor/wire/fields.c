/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fields.c - JSON objects to and from structs, by tables of fields
 *
 * A row of a table has a key, the offset of a member and a codec.
 * fields_print() writes text without allocating per field; fields_decode()
 * checks every value against the bounds of its row, leaves members of missing
 * keys alone, ignores unknown keys, and names the key in its error.  Below it
 * are the codecs of structs in structs and of lists; others are in codecs.c.
 * Pure functions: no state, no lock.
 */
#include <string.h>

#include "predictor/wire/fields.h"

/* --- Walking a table ----------------------------------------------------- */

static bool is_blank(const char *member, size_t size)
{
	while (size > 0 && !member[size - 1])
		size--;
	return size == 0;
}

void fields_print(const struct field fields[], const void *from,
		  struct wire_text *out)
{
	char before = '{';

	for (const struct field *f = fields; f->name; f++) {
		const char *member = (const char *)from + f->offset;
		size_t start = out->size;

		if (f->unsent || (f->sparse && f->kind != FIELD_LIST &&
				  is_blank(member, f->size)))
			continue;
		wire_text_add(out, &before, 1);
		wire_text_add(out, "\"", 1);
		wire_text_add_constant(out, f->name);
		wire_text_add(out, "\":", 2);
		if (field_codec(f)->print(f, member, out))
			before = ',';
		else
			out->size = start;
	}
	if (before == '{')
		wire_text_add(out, "{", 1);
	wire_text_add(out, "}", 1);
}

struct json_object *fields_encode(const struct field fields[], const void *from)
{
	struct wire_text text = { 0 };
	struct json_object *message = NULL;

	fields_print(fields, from, &text);
	if (!text.failed)
		message = json_tokener_parse(text.bytes);
	wire_text_clear(&text);
	return message;
}

int fields_decode(const struct field fields[], struct json_object *message,
		  void *into, struct sp_error *err)
{
	struct sp_error why = { "" };

	if (!json_object_is_type(message, json_type_object))
		return sp_error_set(err, "message: must be an object");
	for (const struct field *f = fields; f->name; f++) {
		const struct codec *codec = field_codec(f);
		struct json_object *value;

		if (f->unsent)
			continue;
		if (!json_object_object_get_ex(message, f->name, &value) ||
		    (!value && !codec->takes_null)) {
			if (f->required)
				return sp_error_set(err, "%s: is missing",
						    f->name);
			continue;
		}
		if (codec->decode(f, value, (char *)into + f->offset, &why))
			return sp_error_set(err, "%s%s", f->name, why.text);
	}
	return 0;
}

/* --- Structs in structs -------------------------------------------------- */

static bool object_print(const struct field *field, const void *member,
			 struct wire_text *out)
{
	fields_print(field->nested, member, out);
	return true;
}

static int object_decode(const struct field *field, struct json_object *value,
			 void *member, struct sp_error *err)
{
	struct sp_error why;

	if (!json_object_is_type(value, json_type_object))
		return sp_error_set(err, ": must be an object");
	if (fields_decode(field->nested, value, member, &why) < 0)
		return sp_error_set(err, ".%s", why.text);
	return 0;
}

const struct codec codec_object = { object_print, object_decode, false };

/* --- Arrays of structs ---------------------------------------------------- */

/* Where the elements are counted, seen from the first of them. */
static ptrdiff_t count_place(const struct field *field)
{
	return (ptrdiff_t)field->count_offset - (ptrdiff_t)field->offset;
}

static bool list_print(const struct field *field, const void *member,
		       struct wire_text *out)
{
	const char *first = member;
	int count = *(const int *)(const void *)(first + count_place(field));

	wire_text_add(out, "[", 1);
	for (int i = 0; i < count; i++) {
		if (i)
			wire_text_add(out, ",", 1);
		fields_print(field->nested, first + (size_t)i * field->stride,
			     out);
	}
	wire_text_add(out, "]", 1);
	return count > 0 || (count == 0 && !field->sparse);
}

static int list_decode(const struct field *field, struct json_object *value,
		       void *member, struct sp_error *err)
{
	char *first = member;
	struct sp_error why;

	if (!json_object_is_type(value, json_type_array))
		return sp_error_set(err, ": must be an array");
	if (json_object_array_length(value) > (size_t)field->most)
		return sp_error_set(err, ": has more than %d entries",
				    field->most);

	int count = (int)json_object_array_length(value);

	for (int i = 0; i < count; i++)
		if (fields_decode(field->nested,
				  json_object_array_get_idx(value, (size_t)i),
				  first + (size_t)i * field->stride, &why) < 0)
			return sp_error_set(err, "[%d].%s", i, why.text);
	memcpy(first + count_place(field), &count, sizeof(count));
	return 0;
}

const struct codec codec_list = { list_print, list_decode, false };
