/* SPDX-License-Identifier: GPL-2.0-or-later */
/* column.c - one column of many rows, as PostgreSQL takes arrays
 *
 * Elements are appended to a growing buffer in PostgreSQL's binary form, with
 * room for the array's head before them, which is written at the end.  If
 * memory runs out, the column is marked as failed, and later calls do nothing.
 */
#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/utf8.h"
#include "predictor/store/column.h"

/* PostgreSQL counts microseconds from 2000-01-01. */
#define EPOCH_2000_US INT64_C(946684800000000)
#define US_PER_S      1e6

#define TIME_MAX_S 253402300799.0 /* 9999-12-31T23:59:59 */

#define HEAD_SIZE       20          /* of an array with one dimension */
#define COLUMN_SIZE_MAX (256 << 20) /* far below PostgreSQL's 1 GB */

void column_init(struct column *column, enum column_type type)
{
	*column = (struct column){ .type = type };
}

void column_clear(struct column *column)
{
	free(column->bytes);
	column_init(column, column->type);
}

/* Room for `size` more bytes; NULL and failed if there is none. */
static unsigned char *column_extend(struct column *column, size_t size)
{
	size_t used = column->size ? column->size : HEAD_SIZE;

	if (column->failed)
		return NULL;
	if (used + size > column->room) {
		size_t room = 2 * (used + size) + 512;
		unsigned char *bytes = NULL;

		if (room <= COLUMN_SIZE_MAX)
			bytes = realloc(column->bytes, room);
		if (!bytes) {
			column->failed = true;
			return NULL;
		}
		column->bytes = bytes;
		column->room = room;
	}
	column->size = used + size;
	return column->bytes + used;
}

static void put_int4(unsigned char *to, int32_t value)
{
	uint32_t wire = htobe32((uint32_t)value);

	memcpy(to, &wire, sizeof(wire));
}

/* Add a new element of `size` bytes; NULL: failed. */
static unsigned char *column_add(struct column *column, int32_t size)
{
	unsigned char *element =
		column_extend(column, sizeof(size) + (size_t)size);

	if (!element)
		return NULL;
	put_int4(element, size);
	column->count++;
	return element + sizeof(size);
}

void column_add_null(struct column *column)
{
	unsigned char *element = column_extend(column, sizeof(int32_t));

	if (!element)
		return;
	put_int4(element, -1);
	column->count++;
	column->has_null = true;
}

void column_add_int4(struct column *column, int32_t value)
{
	unsigned char *element = column_add(column, sizeof(value));

	if (element)
		put_int4(element, value);
}

void column_add_int8(struct column *column, int64_t value)
{
	unsigned char *element = column_add(column, sizeof(value));
	uint64_t wire = htobe64((uint64_t)value);

	if (element)
		memcpy(element, &wire, sizeof(wire));
}

void column_add_float4(struct column *column, float value)
{
	int32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	column_add_int4(column, bits);
}

void column_add_float8(struct column *column, double value)
{
	int64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	column_add_int8(column, bits);
}

bool column_time_ok(double seconds)
{
	return seconds >= 0 && seconds <= TIME_MAX_S; /* not NAN either */
}

void column_add_time(struct column *column, double seconds)
{
	column_add_int8(column, llround(seconds * US_PER_S) - EPOCH_2000_US);
}

void column_add_text(struct column *column, const char *text, size_t size)
{
	size_t length = strnlen(text, size);
	unsigned char *element = column_add(column, (int32_t)length);

	if (!element)
		return;
	memcpy(element, text, length);
	utf8_repair((char *)element, length);
}

static void put_head(unsigned char *head, enum column_type type, uint32_t count,
		     bool has_null)
{
	put_int4(head, 1);
	put_int4(head + 4, has_null);
	put_int4(head + 8, (int32_t)type);
	put_int4(head + 12, (int32_t)count);
	put_int4(head + 16, 1);
}

void column_array_begin(struct column *column, enum column_type element,
			struct column_array *ret)
{
	unsigned char *head = column_add(column, HEAD_SIZE);

	*ret = (struct column_array){ .count = column->count,
				      .has_null = column->has_null };
	column->has_null = false;
	if (!head)
		return;
	ret->at = (size_t)(head - column->bytes);
	put_int4(head + 8, (int32_t)element);
}

void column_array_end(struct column *column, const struct column_array *array)
{
	if (!column->failed) {
		unsigned char *head = column->bytes + array->at;

		put_int4(head - 4, (int32_t)(column->size - array->at));
		put_head(head,
			 (enum column_type)column_read_int4((char *)head + 8),
			 column->count - array->count, column->has_null);
	}
	column->count = array->count;
	column->has_null = array->has_null;
}

void column_begin_row(struct column *column, int fields_count)
{
	unsigned char *at = column_extend(column, sizeof(int16_t));
	uint16_t wire = htobe16((uint16_t)fields_count);

	if (at)
		memcpy(at, &wire, sizeof(wire));
}

int column_finish(struct column *column, struct sp_error *err)
{
	column_extend(column, 0);
	if (column->failed)
		return sp_error_set(err, "out of memory for rows to store");
	put_head(column->bytes, column->type, column->count, column->has_null);
	return 0;
}

const char *column_content(const struct column *column, size_t *ret_size)
{
	*ret_size = column->size - HEAD_SIZE;
	return (const char *)column->bytes + HEAD_SIZE;
}

const char *column_only(const struct column *column, int *ret_size)
{
	const char *element = (const char *)column->bytes + HEAD_SIZE;
	int size = column_read_int4(element);

	*ret_size = size < 0 ? 0 : size;
	return size < 0 ? NULL : element + sizeof(int32_t);
}

int32_t column_read_int4(const char *value)
{
	uint32_t wire;

	memcpy(&wire, value, sizeof(wire));
	return (int32_t)be32toh(wire);
}

int64_t column_read_int8(const char *value)
{
	uint64_t wire;

	memcpy(&wire, value, sizeof(wire));
	return (int64_t)be64toh(wire);
}

double column_read_float4(const char *value)
{
	int32_t bits = column_read_int4(value);
	float number;

	memcpy(&number, &bits, sizeof(number));
	return (double)number;
}

double column_read_float8(const char *value)
{
	int64_t bits = column_read_int8(value);
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

/* The sum is below 2^53, hence exact: the quotient is the double nearest to
 * the stored time, and comes back the same however often it is stored. */
double column_read_time(const char *value)
{
	return (double)(column_read_int8(value) + EPOCH_2000_US) / US_PER_S;
}

int column_read_array(const char *array, int size,
		      void (*visit)(void *context, int index, const char *value,
				    int value_size),
		      void *context)
{
	if (size >= 12 && column_read_int4(array) == 0)
		return 0;
	if (size < HEAD_SIZE || column_read_int4(array) != 1)
		return -1;
	int count = column_read_int4(array + 12);
	int at = HEAD_SIZE;

	if (count < 0)
		return -1;
	for (int i = 0; i < count; i++) {
		if (size - at < 4)
			return -1;
		int length = column_read_int4(array + at);

		at += 4;
		if (length > size - at)
			return -1;
		visit(context, i, length < 0 ? NULL : array + at, length);
		at += length < 0 ? 0 : length;
	}
	return count;
}
