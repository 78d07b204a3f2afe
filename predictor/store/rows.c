/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.c - structs as rows
 *
 * For each type of field: how to add a value to a column, how to read one from a
 * result, and its type in PostgreSQL.  Writing and reading walk the table of fields
 * of a struct (tables.c).  Columns of a result are checked once before reading.
 */
#include <endian.h>
#include <math.h>
#include <string.h>

#include "predictor/store/rows.h"

/* --- Enums are stored by name ------------------------------------------- */

static const char *state_name(int value)
{
	return value >= 0 && value < RUN_STATES
		       ? run_state_name((enum run_state)value)
		       : NULL;
}

static const char *mode_name(int value)
{
	return value >= 0 && value < MODE_COUNT
		       ? prediction_mode_name((enum prediction_mode)value)
		       : NULL;
}

static const char *basis_name(int value)
{
	return value >= 0 && value < BASIS_COUNT
		       ? prediction_basis_name((enum prediction_basis)value)
		       : NULL;
}

static const char *level_name(int value)
{
	return value >= 0 && value < EVIDENCE_COUNT
		       ? evidence_level_name((enum evidence_level)value)
		       : NULL;
}

static const char *unlike_name(int value)
{
	return value >= 0 && value < UNLIKE_COUNT
		       ? prediction_unlike_name((enum prediction_unlike)value)
		       : NULL;
}

static const char *stage_name(int value)
{
	return value >= 0 && value < STAGE_COUNT
		       ? prediction_stage_name((enum prediction_stage)value)
		       : NULL;
}

static const char *by_name(int value)
{
	return value >= 0 && value < ACCURACY_BY_COUNT
		       ? store_accuracy_by_name((enum store_accuracy_by)value)
		       : NULL;
}

#define NAME_MAX_SIZE 32 /* of an enum's value */

static const struct enum_kind {
	enum column_type column;
	unsigned array; /* object id of arrays of that type */
	size_t size;    /* of the value in a result; 0: varies */
	const char *(*name)(int value); /* of an enum's value, else NULL */
} kinds[] = {
	[FIELD_TEXT] = { COLUMN_TEXT, 1009, 0, NULL },
	[FIELD_OPTIONAL_TEXT] = { COLUMN_TEXT, 1009, 0, NULL },
	[FIELD_INT] = { COLUMN_INT4, 1007, 4, NULL },
	[FIELD_UINT] = { COLUMN_INT8, 1016, 8, NULL },
	[FIELD_INT8] = { COLUMN_INT8, 1016, 8, NULL },
	[FIELD_BOOL] = { COLUMN_INT4, 1007, 4, NULL },
	[FIELD_REAL] = { COLUMN_FLOAT8, 1022, 8, NULL },
	[FIELD_REAL4] = { COLUMN_FLOAT4, 1021, 4, NULL },
	[FIELD_TIME] = { COLUMN_TIME, 1185, 8, NULL },
	[FIELD_OPTIONAL_TIME] = { COLUMN_TIME, 1185, 8, NULL },
	[FIELD_STATE] = { COLUMN_TEXT, 1009, 0, state_name },
	[FIELD_MODE] = { COLUMN_TEXT, 1009, 0, mode_name },
	[FIELD_BASIS] = { COLUMN_TEXT, 1009, 0, basis_name },
	[FIELD_EVIDENCE_LEVEL] = { COLUMN_TEXT, 1009, 0, level_name },
	[FIELD_UNLIKE] = { COLUMN_TEXT, 1009, 0, unlike_name },
	[FIELD_STAGE] = { COLUMN_TEXT, 1009, 0, stage_name },
	[FIELD_BY] = { COLUMN_TEXT, 1009, 0, by_name },
};

static unsigned type_of(const struct row_field *f)
{
	return f->type == FIELD_LIST ? kinds[f->element].array
				     : (unsigned)kinds[f->type].column;
}

static double real_at(const char *at)
{
	double real;

	memcpy(&real, at, sizeof(real));
	return real;
}

static int int_at(const char *at)
{
	int value;

	memcpy(&value, at, sizeof(value));
	return value;
}

int rows_check(const struct row_field fields[], const void *object,
	       const char *what, struct sp_error *err)
{
	for (const struct row_field *f = fields; f->name; f++) {
		const char *at = (const char *)object + f->offset;
		bool optional = f->type == FIELD_OPTIONAL_TIME;
		double time =
			optional || f->type == FIELD_TIME ? real_at(at) : 0;

		if (!column_time_ok(time) && !(optional && isnan(time)))
			return sp_error_set(err, "%s: %s is no time: %g", what,
					    f->name, time);
		if (f->type != FIELD_LIST && kinds[f->type].name &&
		    !kinds[f->type].name(int_at(at)))
			return sp_error_set(err, "%s: no %s number %d", what,
					    f->name, int_at(at));
	}
	return 0;
}

/* --- Writing ----------------------------------------------------------------- */

static void add_real(struct column *column, enum row_field_type type,
		     double real)
{
	if (isnan(real))
		column_add_null(column);
	else if (type == FIELD_REAL)
		column_add_float8(column, real);
	else if (type == FIELD_REAL4)
		column_add_float4(column, (float)real);
	else
		column_add_time(column, real);
}

static void add_integer(struct column *column, enum row_field_type type,
			const char *at)
{
	uint32_t uint4;
	int64_t int8;
	bool yes;

	switch (type) {
	case FIELD_UINT:
		memcpy(&uint4, at, sizeof(uint4));
		column_add_int8(column, uint4);
		break;
	case FIELD_INT8:
		memcpy(&int8, at, sizeof(int8));
		column_add_int8(column, int8);
		break;
	case FIELD_BOOL:
		memcpy(&yes, at, sizeof(yes));
		column_add_int4(column, yes);
		break;
	default:
		column_add_int4(column, int_at(at));
	}
}

static void add_value(struct column *column, enum row_field_type type,
		      size_t size, const char *at)
{
	const struct enum_kind *kind = &kinds[type];

	if (kind->name)
		column_add_text(column, kind->name(int_at(at)), NAME_MAX_SIZE);
	else if (kind->column == COLUMN_INT4 || kind->column == COLUMN_INT8)
		add_integer(column, type, at);
	else if (kind->column != COLUMN_TEXT)
		add_real(column, type, real_at(at));
	else if (type == FIELD_OPTIONAL_TEXT && at[0] == '\0')
		column_add_null(column);
	else
		column_add_text(column, at, size - 1);
}

void rows_init(struct rows *rows, const struct row_field fields[])
{
	rows->fields = fields;
	rows->columns_count = 0;
	for (const struct row_field *f = fields; f->name; f++)
		column_init(&rows->columns[rows->columns_count++],
			    kinds[f->type].column);
}

void rows_clear(struct rows *rows)
{
	for (int i = 0; i < rows->columns_count; i++)
		column_clear(&rows->columns[i]);
}

void rows_add(struct rows *rows, const void *object)
{
	for (int i = 0; i < rows->columns_count; i++) {
		const struct row_field *f = &rows->fields[i];

		add_value(&rows->columns[i], f->type, f->size,
			  (const char *)object + f->offset);
	}
}

static int list_count(const struct row_field *f, const char *object)
{
	int count = f->max;

	if (f->counted)
		count = int_at(object + f->count_offset);
	return count < f->max ? count : f->max;
}

static void add_list(struct column *column, const struct row_field *f,
		     const char *object)
{
	int count = list_count(f, object);
	const char *at = object + f->offset;
	struct column_array array;

	if (count <= 0 || (!f->counted && isnan(real_at(at)))) {
		column_add_null(column);
		return;
	}
	column_array_begin(column, kinds[f->element].column, &array);
	for (int i = 0; i < count; i++, at += f->stride)
		add_value(column, f->element, f->size, at);
	column_array_end(column, &array);
}

int rows_count_fields(const struct row_field fields[])
{
	int count = 0;

	while (fields[count].name)
		count++;
	return count;
}

void tuples_init(struct tuples *tuples, const struct row_field fields[])
{
	tuples->fields = fields;
	tuples->fields_count = rows_count_fields(fields);
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
	for (const struct row_field *f = tuples->fields; f->name; f++) {
		if (f->type == FIELD_LIST)
			add_list(&tuples->bytes, f, object);
		else
			add_value(&tuples->bytes, f->type, f->size,
				  (const char *)object + f->offset);
	}
	tuples->count++;
}

/* --- Reading ------------------------------------------------------------------ */

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

int rows_expect(const struct row_field fields[], const PGresult *result,
		int *column, struct sp_error *err)
{
	int at = *column;

	for (const struct row_field *f = fields; f->name; f++, at++) {
		const char *name = PQfname(result, at);

		if (!name || strcmp(name, f->name) != 0 ||
		    PQftype(result, at) != type_of(f) ||
		    PQfformat(result, at) != 1)
			return sp_error_set(err,
					    "PostgreSQL: column %d is %s, not "
					    "%s as this program expects",
					    at, name ? name : "missing",
					    f->name);
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
static int read_enum(const struct enum_kind *kind, const char *value,
		     int length)
{
	const char *name;

	for (int i = 0; (name = kind->name(i)); i++)
		if (strlen(name) == (size_t)length &&
		    memcmp(name, value, (size_t)length) == 0)
			return i;
	return 0;
}

static void read_real(enum row_field_type type, const char *value, char *at)
{
	double real = NAN;

	if (value && type == FIELD_REAL)
		real = column_read_float8(value);
	else if (value && type == FIELD_REAL4)
		real = column_read_float4(value);
	else if (value)
		real = column_read_time(value);
	memcpy(at, &real, sizeof(real));
}

static void read_integer(enum row_field_type type, const char *value, char *at)
{
	int64_t int8 = 0;

	if (value)
		int8 = kinds[type].size == 8 ? column_read_int8(value)
					     : column_read_int4(value);
	uint32_t uint4 = (uint32_t)int8;
	int int4 = (int)int8;
	bool yes = int8 != 0;

	switch (type) {
	case FIELD_UINT:
		memcpy(at, &uint4, sizeof(uint4));
		break;
	case FIELD_INT8:
		memcpy(at, &int8, sizeof(int8));
		break;
	case FIELD_BOOL:
		memcpy(at, &yes, sizeof(yes));
		break;
	default:
		memcpy(at, &int4, sizeof(int4));
	}
}

static void read_value(enum row_field_type type, size_t size, const char *value,
		       int length, char *at)
{
	const struct enum_kind *kind = &kinds[type];
	int number;

	if (kind->size && (int)kind->size != length)
		value = NULL;
	if (kind->name) {
		number = value ? read_enum(kind, value, length) : 0;
		memcpy(at, &number, sizeof(number));
	} else if (kind->column == COLUMN_TEXT) {
		read_text(at, size, value ? value : "", value ? length : 0);
	} else if (kind->column == COLUMN_INT4 || kind->column == COLUMN_INT8) {
		read_integer(type, value, at);
	} else {
		read_real(type, value, at);
	}
}

struct list_reader {
	const struct row_field *field;
	char *object;
};

static void read_element(void *context, int index, const char *value, int size)
{
	const struct list_reader *reader = context;
	const struct row_field *f = reader->field;

	if (index < f->max)
		read_value(f->element, f->size, value, size,
			   reader->object + f->offset +
				   f->stride * (size_t)index);
}

static void read_list(const struct row_field *f, const char *value, int length,
		      char *object)
{
	struct list_reader reader = { f, object };
	int count = 0;

	if (value)
		count = column_read_array(value, length, read_element, &reader);
	if (count < 0)
		count = 0;
	if (count > f->max)
		count = f->max;
	if (f->counted)
		memcpy(object + f->count_offset, &count, sizeof(count));
	for (int i = count; !f->counted && i < f->max; i++)
		read_element(&reader, i, NULL, 0);
}

void rows_read(const struct row_field fields[], const struct values *values,
	       int first_column, void *object)
{
	int column = first_column;

	for (const struct row_field *f = fields; f->name; f++, column++) {
		bool there = column < values->count;
		const char *value = there ? values->of[column] : NULL;
		int length = there ? values->length[column] : 0;

		if (f->type == FIELD_LIST)
			read_list(f, value, length, object);
		else
			read_value(f->type, f->size, value, length,
				   (char *)object + f->offset);
	}
}
