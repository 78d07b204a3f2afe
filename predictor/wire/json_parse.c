/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_parse.c - bytes into JSON, with every freedom of the parser
 * taken away */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/utf8.h"
#include "predictor/wire/wire.h"

/* Before json-c 0.15 strict mode refuses by itself what follows a value. */
#if JSON_C_VERSION_NUM < (15 << 8)
#define JSON_TOKENER_ALLOW_TRAILING_CHARS 0
#endif
#if JSON_C_VERSION_NUM < (14 << 8)
#define json_tokener_get_parse_end(tokener) ((size_t)(tokener)->char_offset)
#endif

static bool is_blank(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!strchr(" \t\r\n", text[i]))
			return false;
	return true;
}

/* No fewer than the values that the text holds: each but the first stands
 * behind one of these.  At most one more than there are bytes. */
static size_t count_values(const char *text, size_t size)
{
	size_t count = 1;

	for (size_t i = 0; i < size; i++)
		count += text[i] == ',' || text[i] == '[' || text[i] == '{';
	return count;
}

/* The same without those in strings: what is left between two quotes. */
static size_t count_values_outside(const char *text, size_t size)
{
	const char *end = text + size;
	size_t count = 1;

	while (text < end) {
		if (*text == '"') {
			for (text++; text < end && *text != '"'; text++)
				text += *text == '\\' && text + 1 < end;
		} else {
			count += *text == ',' || *text == '[' || *text == '{';
		}
		text++;
	}
	return count;
}

struct json_object *wire_request_parse(const char *text, size_t size,
				       struct sp_error *err)
{
	if (size > WIRE_REQUEST_VALUES_MAX &&
	    count_values_outside(text, size) > WIRE_REQUEST_VALUES_MAX)
		return sp_error_null(err, "message: more than %d values",
				     WIRE_REQUEST_VALUES_MAX);
	return wire_parse(text, size, err);
}

/* In strict mode json-c 0.18 takes all bytes above 127 for control characters
 * (its issue 875): there they are written as escapes. */
static bool needs_escapes(const char *text, size_t size)
{
	if (json_c_version_num() >> 8 != 18)
		return false;
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)text[i] > 0x7f)
			return true;
	return false;
}

/* Write a character of `length` > 1 bytes; return bytes, ESCAPES_MAX each. */
#define ESCAPES_MAX  3
#define ESCAPES_SIZE (4 * ESCAPES_MAX + 1)
static size_t write_escape(const char *character, size_t length, char *to)
{
	uint32_t code = (unsigned char)character[0] & (0x7fU >> length);

	for (size_t i = 1; i < length; i++)
		code = code << 6 | ((unsigned char)character[i] & 0x3f);
	if (code < 0x10000)
		return (size_t)snprintf(to, ESCAPES_SIZE, "\\u%04x",
					(unsigned)code);
	code -= 0x10000;
	return (size_t)snprintf(to, ESCAPES_SIZE, "\\u%04x\\u%04x",
				(unsigned)(0xd800 + (code >> 10)),
				(unsigned)(0xdc00 + (code & 0x3ff)));
}

/* Return the text, of valid UTF-8, with escapes; NULL: no memory. */
static char *with_escapes(const char *text, size_t size, size_t *ret_size)
{
	char *to = malloc(ESCAPES_MAX * size + ESCAPES_SIZE);
	size_t used = 0;
	bool behind_backslash = false; /* where an escape would change it */

	for (size_t i = 0, length; to && i < size; i += length) {
		length = utf8_character(text + i, size - i);
		if (length > 1 && !behind_backslash) {
			used += write_escape(text + i, length, to + used);
			continue;
		}
		memcpy(to + used, text + i, length);
		used += length;
		behind_backslash = !behind_backslash && text[i] == '\\';
	}
	*ret_size = used;
	return to;
}

static struct json_object *parse_strictly(const char *text, size_t size,
					  struct sp_error *err)
{
	struct json_tokener *tokener = json_tokener_new_ex(WIRE_DEPTH_MAX);

	if (!tokener)
		return sp_error_null(err, "out of memory");
	json_tokener_set_flags(tokener,
			       JSON_TOKENER_STRICT |
				       JSON_TOKENER_ALLOW_TRAILING_CHARS);

	struct json_object *value =
		json_tokener_parse_ex(tokener, text, (int)size);
	size_t end = json_tokener_get_parse_end(tokener);

	/* A number ends where something else begins, or the text. */
	if (json_tokener_get_error(tokener) == json_tokener_continue)
		value = json_tokener_parse_ex(tokener, "", 1);

	enum json_tokener_error error = json_tokener_get_error(tokener);

	if (error != json_tokener_success)
		sp_error_set(err, "not JSON, at byte %zu: %s", end,
			     json_tokener_error_desc(error));
	else if (!is_blank(text + end, size - end))
		sp_error_set(err, "not JSON: something follows at byte %zu",
			     end);
	else if (!value)
		sp_error_set(err, "message: must be an object");
	else
		goto out;
	json_object_put(value);
	value = NULL;
out:
	json_tokener_free(tokener);
	return value;
}

struct json_object *wire_parse(const char *text, size_t size,
			       struct sp_error *err)
{
	/* json-c checks UTF-8 itself, but lets overlong forms and surrogates
	 * pass, which PostgreSQL refuses. */
	if (size > INT_MAX - 1 || memchr(text, '\0', size) ||
	    !utf8_is_valid(text, size))
		return sp_error_null(err, "not JSON: a NUL byte or no UTF-8");
	/* A value of two bytes takes a hundred in memory. */
	if (size >= WIRE_VALUES_MAX &&
	    count_values(text, size) > WIRE_VALUES_MAX)
		return sp_error_null(err, "message: more than %d values",
				     WIRE_VALUES_MAX);
	if (!needs_escapes(text, size))
		return parse_strictly(text, size, err);

	size_t longer;
	char *escaped = with_escapes(text, size, &longer);
	struct json_object *value = NULL;

	if (!escaped)
		sp_error_set(err, "out of memory");
	else if (longer > INT_MAX - 1)
		sp_error_set(err, "message: too large");
	else
		value = parse_strictly(escaped, longer, err);
	free(escaped);
	return value;
}
