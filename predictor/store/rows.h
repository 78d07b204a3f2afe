/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.h - structs as rows
 *
 * Each struct that is stored has a table of fields, in the order in which the
 * statements have the columns.  Writing and reading
 * both walk this table, so that they cannot disagree.
 *
 * NAN is stored as NULL and comes back as NAN; so does an empty text where the
 * field is optional.  A list without elements, or an array of nothing but NANs,
 * is NULL.
 */
#ifndef PREDICTOR_STORE_ROWS_H
#define PREDICTOR_STORE_ROWS_H

#include "predictor/base/error.h"
#include "predictor/engine/store.h"
#include "predictor/store/column.h"

enum row_field_type {
	FIELD_TEXT,          /* char[size] */
	FIELD_OPTIONAL_TEXT, /* the same; empty is NULL */
	FIELD_INT,           /* int */
	FIELD_UINT,          /* uint32_t */
	FIELD_INT8,          /* any integer of 8 bytes */
	FIELD_BOOL,          /* bool, as 0 or 1 */
	FIELD_REAL,          /* double */
	FIELD_REAL4,         /* double, stored with 7 digits */
	FIELD_TIME, /* double, seconds since the epoch; must be known */
	FIELD_OPTIONAL_TIME,  /* the same, or NAN */
	FIELD_STATE,          /* enum run_state */
	FIELD_MODE,           /* enum prediction_mode */
	FIELD_BASIS,          /* enum prediction_basis */
	FIELD_EVIDENCE_LEVEL, /* enum evidence_level */
	FIELD_UNLIKE,         /* enum prediction_unlike */
	FIELD_STAGE,          /* enum prediction_stage */
	FIELD_BY,             /* enum store_accuracy_by */
	FIELD_LIST,           /* an array column; only for struct tuples */
};

struct row_field {
	const char *name; /* of the column in results; NULL ends the table */
	enum row_field_type type;
	size_t offset, size; /* of a list: of its first element */

	/* Of a list: elements, the bytes from one to the next, how many there
	 * may be, and where the int stands that counts them (else all are
	 * there). */
	enum row_field_type element;
	size_t stride;
	int max;
	bool counted;
	size_t count_offset;
};

#define ROW_FIELDS_MAX 64 /* in one table */

struct measurement_row {
	char cluster[RUN_NAME_SIZE];
	struct measurement measurement;
};

struct link_row {
	char cluster[RUN_NAME_SIZE];
	struct link_measurement link;
};

extern const struct row_field run_columns[];
extern const struct row_field run_brief_columns[]; /* what models read */
extern const struct row_field run_share_columns[];
extern const struct row_field profile_share_columns[];
extern const struct row_field profiled_run_columns[]; /* of run */
extern const struct row_field prediction_columns[];
extern const struct row_field prediction_key_columns[]; /* of prediction */
extern const struct row_field measurement_columns[];    /* of measurement_row */
extern const struct row_field speed_columns[];          /* of measurement_row */
extern const struct row_field link_columns[];           /* of link_row */
extern const struct row_field runs_query_columns[];
extern const struct row_field accuracy_query_columns[];
extern const struct row_field accuracy_columns[];
extern const struct row_field trace_query_columns[];
extern const struct row_field trace_columns[]; /* of store_trace */
extern const struct row_field trace_node_columns[];
extern const struct row_field trace_link_columns[];

/* Whether `object` can be stored: its times lie in range and its enums have
 * names.  `what` begins the error. */
int rows_check(const struct row_field fields[], const void *object,
	       const char *what, struct sp_error *err);

/* --- Writing: rows of one struct as parameters of a statement ------------ */

struct rows {
	const struct row_field *fields;
	int columns_count;
	struct column columns[ROW_FIELDS_MAX];
};

void rows_init(struct rows *rows, const struct row_field fields[]);
void rows_clear(struct rows *rows);

/* Add an object that has passed rows_check(). */
void rows_add(struct rows *rows, const void *object);

/* --- Writing: rows as COPY takes them ------------------------------------- */

struct tuples {
	const struct row_field *fields;
	int fields_count;
	size_t count;
	struct column bytes;
};

void tuples_init(struct tuples *tuples, const struct row_field fields[]);
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
int rows_expect(const struct row_field fields[], const PGresult *result,
		int *column, struct sp_error *err);

/* Fill in `object` from a row.  What is too long for it is cut; an unknown
 * name, which a newer program may have written, becomes 0. */
void rows_read(const struct row_field fields[], const struct values *values,
	       int first_column, void *object);

int rows_count_fields(const struct row_field fields[]);

#endif
