/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.c - structs as rows
 *
 * For each kind of field: its type in PostgreSQL, how to add a value to a
 * column, and how to read one from a result.  Writing and reading walk the
 * table of fields of a struct, and those of records and lists in it.  The
 * columns of a result are checked once before reading.
 */
#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/store/rows.h"

/* --- Walking a table ----------------------------------------------------- */

#define NAME_MAX_SIZE 32 /* of an enum's value */

static const struct kind {
	enum column_type column;
	unsigned array; /* object id of arrays of that type */
	size_t size;    /* of the value in a result; 0: varies */
} kinds[] = {
	[FIELD_TEXT] = { COLUMN_TEXT, 1009, 0 },
	[FIELD_ID] = { COLUMN_TEXT, 1009, 0 },
	[FIELD_ENUM] = { COLUMN_TEXT, 1009, 0 },
	[FIELD_INT] = { COLUMN_INT4, 1007, 4 },
	[FIELD_BOOL] = { COLUMN_INT4, 1007, 4 },
	[FIELD_UINT] = { COLUMN_INT8, 1016, 8 },
	[FIELD_INT8] = { COLUMN_INT8, 1016, 8 },
	[FIELD_NUMBER] = { COLUMN_FLOAT8, 1022, 8 },
	[FIELD_KNOWN] = { COLUMN_FLOAT8, 1022, 8 },
	[FIELD_LIMIT] = { COLUMN_FLOAT8, 1022, 8 },
	[FIELD_KNOWN4] = { COLUMN_FLOAT4, 1021, 4 },
	[FIELD_TIME] = { COLUMN_TIME, 1185, 8 },
	[FIELD_OPEN_TIME] = { COLUMN_TIME, 1185, 8 },
};

/* A column after the other.  A record has a column for each of its members, a
 * list an array column for each member of its elements. */
struct walk {
	unsigned in; /* as in the table */
	const struct field *next;
	const struct field *group; /* the record or list that `next` is in */
	size_t base;               /* where that is in the struct */

	/* The column: its field, the list that it is of (else NULL), and where
	 * in the struct it is. */
	const struct field *field, *list;
	size_t offset;
};

/* Return whether a row is of those parts of a record that are walked. */
static inline bool is_in(const struct walk *w, const struct field *f)
{
	return w->group || !w->in || (w->in & f->in);
}

static struct walk walk_begin(const struct row_table *table)
{
	return (struct walk){ .in = table->in, .next = table->fields };
}

/* Inlined: it takes as long as the value of a column does. */
static inline __attribute__((always_inline)) bool walk_next(struct walk *w)
{
	const struct field *f = w->next;

	for (;;) {
		if (!f->name) {
			if (!w->group)
				return false;
			f = w->group + 1;
			w->group = w->list = NULL;
			w->base = 0;
		} else if (!f->column || !is_in(w, f)) {
			f++;
		} else if (f->nested) {
			w->group = f;
			w->list = f->most ? f : NULL;
			w->base = f->offset;
			f = f->nested;
		} else {
			w->next = f + 1;
			w->field = f;
			w->offset = w->base + f->offset;
			return true;
		}
	}
}

/* A column that needs no value, though its member is a time. */
static bool is_open(const struct field *f)
{
	return f->kind == FIELD_OPEN_TIME || f->optional;
}

static double real_at(const void *at)
{
	return *(const double *)at;
}

static int int_at(const void *at)
{
	return *(const int *)at;
}

static unsigned type_of(const struct walk *w)
{
	const struct kind *kind = &kinds[w->field->kind];

	return w->list ? kind->array : (unsigned)kind->column;
}

int rows_check(const struct row_table *table, const void *object,
	       const char *what, struct sp_error *err)
{
	for (struct walk w = walk_begin(table); walk_next(&w);) {
		const struct field *f = w.field;
		const char *at = (const char *)object + w.offset;
		bool is_time = kinds[f->kind].column == COLUMN_TIME;
		double time = is_time ? real_at(at) : 0;

		if (!column_time_ok(time) && !(is_open(f) && isnan(time)))
			return sp_error_set(err, "%s: %s is no time: %g", what,
					    f->column, time);
		if (f->kind == FIELD_ENUM &&
		    (unsigned)int_at(at) >= (unsigned)f->words->count)
			return sp_error_set(err, "%s: no %s number %d", what,
					    f->column, int_at(at));
	}
	return 0;
}

/* --- Writing -------------------------------------------------------------- */

static void add_real(struct column *column, enum column_type type, double real)
{
	if (isnan(real))
		column_add_null(column);
	else if (type == COLUMN_FLOAT8)
		column_add_float8(column, real);
	else if (type == COLUMN_FLOAT4)
		column_add_float4(column, (float)real);
	else
		column_add_time(column, real);
}

static void add_integer(struct column *column, enum field_kind kind,
			const void *at)
{
	switch (kind) {
	case FIELD_UINT:
		column_add_int8(column, *(const uint32_t *)at);
		break;
	case FIELD_INT8:
		column_add_int8(column, *(const int64_t *)at);
		break;
	case FIELD_BOOL:
		column_add_int4(column, *(const bool *)at);
		break;
	default:
		column_add_int4(column, int_at(at));
	}
}

static void add_value(struct column *column, const struct field *f,
		      const char *at)
{
	enum column_type type = kinds[f->kind].column;

	if (f->kind == FIELD_ENUM)
		column_add_text(column, enum_words_name(f->words, int_at(at)),
				NAME_MAX_SIZE);
	else if (type == COLUMN_INT4 || type == COLUMN_INT8)
		add_integer(column, f->kind, at);
	else if (type != COLUMN_TEXT)
		add_real(column, type, real_at(at));
	else if (f->optional && at[0] == '\0')
		column_add_null(column);
	else
		column_add_text(column, at, f->size - 1);
}

void rows_init(struct rows *rows, const struct row_table *table)
{
	rows->table = table;
	rows->columns_count = 0;
	for (struct walk w = walk_begin(table); walk_next(&w);) {
		int i = rows->columns_count++;

		rows->names[i] = w.field->column;
		column_init(&rows->columns[i], kinds[w.field->kind].column);
	}
}

void rows_clear(struct rows *rows)
{
	for (int i = 0; i < rows->columns_count; i++)
		column_clear(&rows->columns[i]);
}

void rows_add(struct rows *rows, const void *object)
{
	struct walk w = walk_begin(rows->table);

	for (int i = 0; walk_next(&w); i++)
		add_value(&rows->columns[i], w.field,
			  (const char *)object + w.offset);
}

static void add_list(struct column *column, const struct walk *w,
		     const char *object)
{
	const struct field *list = w->list;
	const char *at = object + w->offset;
	int count = list->most;
	struct column_array array;

	if (list->count_offset)
		count = int_at(object + list->count_offset);
	else if (isnan(real_at(at)))
		count = 0;
	if (count > list->most)
		count = list->most;
	if (count <= 0) {
		column_add_null(column);
		return;
	}
	column_array_begin(column, kinds[w->field->kind].column, &array);
	for (int i = 0; i < count; i++, at += list->stride)
		add_value(column, w->field, at);
	column_array_end(column, &array);
}

int rows_count_fields(const struct row_table *table)
{
	int count = 0;

	for (struct walk w = walk_begin(table); walk_next(&w);)
		count++;
	return count;
}

void tuples_init(struct tuples *tuples, const struct row_table *table)
{
	tuples->table = table;
	tuples->fields_count = rows_count_fields(table);
	tuples->count = 0;
	column_init(&tuples->bytes, COLUMN_TEXT);
}

void tuples_clear(struct tuples *tuples)
{
	column_clear(&tuples->bytes);
	tuples->count = 0;
}

void tuples_add(struct tuples *tuples, const void *object)
{
	column_begin_row(&tuples->bytes, tuples->fields_count);
	for (struct walk w = walk_begin(tuples->table); walk_next(&w);) {
		if (w.list)
			add_list(&tuples->bytes, &w, object);
		else
			add_value(&tuples->bytes, w.field,
				  (const char *)object + w.offset);
	}
	tuples->count++;
}

/* --- Reading -------------------------------------------------------------- */

void values_of_result(const PGresult *result, int row, struct values *ret)
{
	ret->count = PQnfields(result);
	if (ret->count > ROW_FIELDS_MAX)
		ret->count = ROW_FIELDS_MAX;
	for (int i = 0; i < ret->count; i++) {
		ret->of[i] = PQgetisnull(result, row, i)
				     ? NULL
				     : PQgetvalue(result, row, i);
		ret->length[i] = PQgetlength(result, row, i);
	}
}

int values_of_copy(const char *bytes, int size, struct values *ret)
{
	uint16_t wire;
	int at = sizeof(wire);

	if (size < at)
		return -1;
	memcpy(&wire, bytes, sizeof(wire));
	ret->count = (int16_t)be16toh(wire);
	if (ret->count == -1)
		return 0;
	if (ret->count < 0 || ret->count > ROW_FIELDS_MAX)
		return -1;
	for (int i = 0; i < ret->count; i++) {
		if (size - at < 4)
			return -1;
		int length = column_read_int4(bytes + at);

		at += 4;
		if (length > size - at)
			return -1;
		ret->of[i] = length < 0 ? NULL : bytes + at;
		ret->length[i] = length < 0 ? 0 : length;
		at += ret->length[i];
	}
	return at;
}

int rows_expect(const struct row_table *table, const PGresult *result,
		int *column, struct sp_error *err)
{
	int at = *column;

	for (struct walk w = walk_begin(table); walk_next(&w); at++) {
		const char *name = PQfname(result, at);

		if (!name || strcmp(name, w.field->column) != 0 ||
		    PQftype(result, at) != type_of(&w) ||
		    PQfformat(result, at) != 1)
			return sp_error_set(err,
					    "PostgreSQL: column %d is %s, not "
					    "%s as this program expects",
					    at, name ? name : "missing",
					    w.field->column);
	}
	*column = at;
	return 0;
}

static void read_text(char *to, size_t size, const char *value, int length)
{
	size_t copied = (size_t)length < size ? (size_t)length : size - 1;

	memcpy(to, value, copied);
	memset(to + copied, 0, size - copied);
}

/* An unknown name is 0. */
static int read_enum(const struct enum_words *words, const char *value,
		     int length)
{
	for (int i = 0; i < words->count; i++)
		if (strlen(words->word[i]) == (size_t)length &&
		    memcmp(words->word[i], value, (size_t)length) == 0)
			return i;
	return 0;
}

static void read_real(enum column_type type, const char *value, void *at)
{
	double real = NAN;

	if (value && type == COLUMN_FLOAT8)
		real = column_read_float8(value);
	else if (value && type == COLUMN_FLOAT4)
		real = column_read_float4(value);
	else if (value)
		real = column_read_time(value);
	*(double *)at = real;
}

static void read_integer(enum field_kind kind, const char *value, void *at)
{
	int64_t int8 = 0;

	if (value)
		int8 = kinds[kind].size == 8 ? column_read_int8(value)
					     : column_read_int4(value);

	switch (kind) {
	case FIELD_UINT:
		*(uint32_t *)at = (uint32_t)int8;
		break;
	case FIELD_INT8:
		*(int64_t *)at = int8;
		break;
	case FIELD_BOOL:
		*(bool *)at = int8 != 0;
		break;
	default:
		*(int *)at = (int)int8;
	}
}

static void read_value(const struct field *f, const char *value, int length,
		       char *at)
{
	const struct kind *kind = &kinds[f->kind];
	int number = 0;

	if (kind->size && (int)kind->size != length)
		value = NULL;
	if (f->kind == FIELD_ENUM) {
		if (value)
			number = read_enum(f->words, value, length);
		memcpy(at, &number, sizeof(number));
	} else if (kind->column == COLUMN_TEXT) {
		read_text(at, f->size, value ? value : "", value ? length : 0);
	} else if (kind->column == COLUMN_INT4 || kind->column == COLUMN_INT8) {
		read_integer(f->kind, value, at);
	} else {
		read_real(kind->column, value, at);
	}
}

struct list_reader {
	const struct walk *walk;
	char *object;
};

static void read_element(void *context, int index, const char *value, int size)
{
	const struct list_reader *reader = context;
	const struct walk *w = reader->walk;

	if (index < w->list->most)
		read_value(w->field, value, size,
			   reader->object + w->offset +
				   w->list->stride * (size_t)index);
}

static void read_list(const struct walk *w, const char *value, int length,
		      char *object)
{
	struct list_reader reader = { w, object };
	const struct field *list = w->list;
	int count = 0;

	if (value)
		count = column_read_array(value, length, read_element, &reader);
	if (count < 0)
		count = 0;
	if (count > list->most)
		count = list->most;
	if (list->count_offset)
		memcpy(object + list->count_offset, &count, sizeof(count));
	for (int i = count; !list->count_offset && i < list->most; i++)
		read_element(&reader, i, NULL, 0);
}

void rows_read(const struct row_table *table, const struct values *values,
	       int first_column, void *object)
{
	int column = first_column;

	for (struct walk w = walk_begin(table); walk_next(&w); column++) {
		bool there = column < values->count;
		const char *value = there ? values->of[column] : NULL;
		int length = there ? values->length[column] : 0;

		if (w.list)
			read_list(&w, value, length, object);
		else
			read_value(w.field, value, length,
				   (char *)object + w.offset);
	}
}

void *rows_of_result(const struct row_table *table, const PGresult *result,
		     int first, size_t size, size_t *ret_count,
		     struct sp_error *err)
{
	int count = PQntuples(result), end = first;
	char *rows = calloc((size_t)count + 1, size);
	struct values values;

	if (!rows) {
		sp_error_set(err, "out of memory for %d rows", count);
		return NULL;
	}
	if (rows_expect(table, result, &end, err)) {
		free(rows);
		return NULL;
	}
	for (int i = 0; i < count; i++) {
		values_of_result(result, i, &values);
		rows_read(table, &values, first, rows + size * (size_t)i);
	}
	*ret_count = (size_t)count;
	return rows;
}
