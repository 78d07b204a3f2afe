/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_build.h - objects and arrays of replies
 *
 * Values are added one after the other; *ret_failed becomes true when memory
 * runs out, and is checked once, at the end.
 */
#pragma once

#include "predictor/features/describe.h"
#include "predictor/wire/wire.h"

/* Return a JSON number; NULL, which json-c prints as null, if it is
 * not finite. */
struct json_object *json_number(double value, bool *ret_failed);

/* Add `value` to the object, which takes it; either is NULL: memory ran out
 * before, and the value is released. */
void json_add(struct json_object *object, const char *key,
	      struct json_object *value, bool *ret_failed);
void json_add_number(struct json_object *object, const char *key, double value,
		     bool *ret_failed);

/* Add the members of the struct at `from` that a table describes: texts, bools,
 * integers, numbers and enums. */
void json_add_fields(struct json_object *object, const struct field fields[],
		     const void *from, bool *ret_failed);

/* Return an object of these members; NULL: memory ran out. */
struct json_object *json_record(const struct field fields[], const void *from);

/* Return an array of `count` such objects, from structs of `size` bytes. */
struct json_object *json_records(const struct field fields[], const void *from,
				 size_t count, size_t size);

/* `value`, or NULL in its place, and it released, if something failed. */
struct json_object *json_finish(struct json_object *value, bool failed);

/* An array of `count` elements of `size` bytes, each made by `encode`, which
 * gives NULL when memory runs out.  NULL: memory ran out. */
struct json_object *json_array(const void *elements, size_t count, size_t size,
			       struct json_object *(*encode)(const void *));
