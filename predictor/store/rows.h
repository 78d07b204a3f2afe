/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.h - structs as rows
 *
 * Each struct that is stored has a table of fields (features/describe.h), in
 * the order in which the statements have the columns.  Writing and reading
 * both walk this table, so that they cannot disagree.
 *
 * NAN is stored as NULL and comes back as NAN; so does an empty text where the
 * field is optional.  A list without elements, or an array of nothing but NANs,
 * is NULL.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/engine/store.h"
#include "predictor/features/describe.h"
#include "predictor/store/column.h"

struct row_table {
	const struct field *fields;
	unsigned in; /* parts of the record, 0: all that is stored */
};

#define ROW_FIELDS_MAX 72 /* in one table */

struct measurement_row {
	char cluster[RUN_NAME_SIZE];
	struct measurement measurement;
};

struct link_row {
	char cluster[RUN_NAME_SIZE];
	struct link_measurement link;
};

extern const struct row_table run_columns;
extern const struct row_table run_brief_columns; /* what models read */
extern const struct row_table run_share_columns, profile_share_columns;
extern const struct row_table profiled_run_columns; /* of run */
extern const struct row_table prediction_columns;
extern const struct row_table prediction_key_columns;   /* of prediction */
extern const struct row_table prediction_point_columns; /* of prediction */
extern const struct row_table measurement_columns;      /* of measurement_row */
extern const struct row_table speed_columns;            /* of measurement_row */
extern const struct row_table link_columns;             /* of link_row */
extern const struct row_table runs_query_columns;
extern const struct row_table accuracy_query_columns, accuracy_columns;
extern const struct row_table use_query_columns, use_columns;
extern const struct row_table used_run_columns;
extern const struct row_table trace_query_columns;
extern const struct row_table trace_columns; /* of store_trace */
extern const struct row_table trace_node_columns, trace_link_columns;

/* Whether `object` can be stored: its times lie in range and its enums have
 * names.  `what` begins the error. */
int rows_check(const struct row_table *table, const void *object,
	       const char *what, struct sp_error *err);

/* --- Writing: rows of one struct as parameters of a statement ------------ */

struct rows {
	const struct row_table *table;
	int columns_count;
	const char *names[ROW_FIELDS_MAX]; /* of the columns */
	struct column columns[ROW_FIELDS_MAX];
};

void rows_init(struct rows *rows, const struct row_table *table);
void rows_clear(struct rows *rows);

/* Add an object that has passed rows_check(). */
void rows_add(struct rows *rows, const void *object);

/* --- Writing: rows as COPY takes them ------------------------------------- */

struct tuples {
	const struct row_table *table;
	int fields_count;
	size_t count;
	struct column bytes;
};

void tuples_init(struct tuples *tuples, const struct row_table *table);
void tuples_clear(struct tuples *tuples);

/* Add an object that has passed rows_check(). */
void tuples_add(struct tuples *tuples, const void *object);

/* --- Reading: one row in binary form -------------------------------------- */

struct values {
	int count;
	const char *of[ROW_FIELDS_MAX]; /* NULL: null */
	int length[ROW_FIELDS_MAX];
};

/* Lent from the result. */
void values_of_result(const PGresult *result, int row, struct values *ret);

/* Lent from one row of COPY.  Gives its size; 0: it was the end; -1: that was
 * no row. */
int values_of_copy(const char *bytes, int size, struct values *ret);

/* Whether the columns of `result`, beginning with *column, are those of the
 * table; moves *column behind them. */
int rows_expect(const struct row_table *table, const PGresult *result,
		int *column, struct sp_error *err);

/* Fill in `object` from a row.  What is too long for it is cut; an unknown
 * name, which a newer program may have written, becomes 0. */
void rows_read(const struct row_table *table, const struct values *values,
	       int first_column, void *object);

/* Read a result of such rows, from the column `first` on, as structs of `size`
 * bytes, which the caller frees; NULL: it failed. */
void *rows_of_result(const struct row_table *table, const PGresult *result,
		     int first, size_t size, size_t *ret_count,
		     struct sp_error *err);

int rows_count_fields(const struct row_table *table);
