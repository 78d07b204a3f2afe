/* SPDX-License-Identifier: GPL-2.0-or-later */
/* column.h - one column of many rows, as PostgreSQL takes arrays
 *
 * Rows go to PostgreSQL by the thousand: each column of them is one array
 * parameter in binary form, and the statement unnests the arrays.  Binary,
 * because then nothing needs quoting and every number arrives bit by bit.
 * Rows that hold arrays themselves go by COPY, whose fields have the form of
 * an array's elements: the same functions make them.
 *
 * The format is that of array_recv() in PostgreSQL's arrayfuncs.c: dimensions,
 * whether there are nulls, element type; length and lower bound of each
 * dimension; then each element's length (-1: null) and bytes, big-endian.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "predictor/base/error.h"

/* Object ids of PostgreSQL's types, fixed in its catalog (pg_type.dat). */
enum column_type {
	COLUMN_INT8 = 20,
	COLUMN_INT4 = 23,
	COLUMN_TEXT = 25,
	COLUMN_FLOAT4 = 700,
	COLUMN_FLOAT8 = 701,
	COLUMN_TIME = 1184, /* timestamptz */
};

struct column {
	enum column_type type;
	unsigned char *bytes;
	size_t size, room;
	uint32_t count;
	bool has_null;
	bool failed; /* memory ran out, or it grew too large */
};

void column_init(struct column *column, enum column_type type);
void column_clear(struct column *column); /* may be called twice */

/* Add an element.  If memory runs out, column_finish() fails. */
void column_add_null(struct column *column);
void column_add_int4(struct column *column, int32_t value);
void column_add_int8(struct column *column, int64_t value);
void column_add_float4(struct column *column, float value);
void column_add_float8(struct column *column, double value);
/* Seconds since the epoch, kept to the microsecond; must pass
 * column_time_ok(). */
void column_add_time(struct column *column, double seconds);
/* At most `size` bytes of `text`.  What is not UTF-8 (a name cut in the middle
 * of a character) becomes '?'. */
void column_add_text(struct column *column, const char *text, size_t size);

/* Return whether `seconds` can be stored: 1970 to 9999. */
bool column_time_ok(double seconds);

/* An element that is an array itself: what is added in between belongs to it.
 * For COPY alone: PostgreSQL has no arrays of arrays. */
struct column_array {
	size_t at;
	uint32_t count;
	bool has_null;
};

void column_array_begin(struct column *column, enum column_type element,
			struct column_array *ret);
void column_array_end(struct column *column, const struct column_array *array);

/* The number of fields that a row of COPY begins with. */
void column_begin_row(struct column *column, int fields_count);

/* Write the array's head.  Its `bytes` and `size` are the parameter. */
int column_finish(struct column *column, struct sp_error *err);

/* After column_finish(), lent: all that was added, without the array's head;
 * or the value of the only element, NULL for a null. */
const char *column_content(const struct column *column, size_t *ret_size);
const char *column_only(const struct column *column, int *ret_size);

/* --- Reading results in binary form ------------------------------------- */

int32_t column_read_int4(const char *value);
int64_t column_read_int8(const char *value);
double column_read_float4(const char *value);
double column_read_float8(const char *value);
double column_read_time(const char *value); /* seconds since the epoch */

/* Call `visit` for each element of an array result; `value` is NULL for a
 * null.  Returns the number of elements, or -1: not a one-dimensional array. */
int column_read_array(const char *array, int size,
		      void (*visit)(void *context, int index, const char *value,
				    int value_size),
		      void *context);
