/* rows.h - which member of a struct is which column
 *
 * Each struct that is stored has a table of fields, in the order in which the
 * statements of statements.c take and give the columns.  Writing and reading
 * both walk this table, so that they cannot disagree.
 *
 * NAN is stored as NULL and comes back as NAN; so does an empty text where the
 * field is optional.
 */
#ifndef PREDICTOR_STORE_ROWS_H
#define PREDICTOR_STORE_ROWS_H

#include "predictor/base/error.h"
#include "predictor/features/parameters.h"
#include "predictor/features/prediction.h"
#include "predictor/features/run.h"
#include "predictor/store/column.h"

enum row_field_type {
	FIELD_TEXT,          /* char[size] */
	FIELD_OPTIONAL_TEXT, /* the same; empty is NULL */
	FIELD_INT,           /* int */
	FIELD_UINT,          /* uint32_t */
	FIELD_REAL,          /* double */
	FIELD_TIME, /* double, seconds since the epoch; must be known */
	FIELD_OPTIONAL_TIME, /* the same, or NAN */
	FIELD_STATE,         /* enum run_state */
	FIELD_MODE,          /* enum prediction_mode */
	FIELD_BASIS,         /* enum prediction_basis */
};

struct row_field {
	const char *name; /* of the column in results; NULL ends the table */
	enum row_field_type type;
	size_t offset, size;
};

#define ROW_FIELDS_MAX 32 /* in one table */

/* What belongs to a run or a prediction as rows of its own. */
struct parameter_row {
	char cluster[RUN_NAME_SIZE]; /* of the run */
	uint32_t job_id;
	double started_at_s;
	char prediction_id[PREDICTION_ID_SIZE]; /* or of the prediction */
	char name[PARAMETER_NAME_SIZE];
	double value;
};

struct candidate_row {
	char prediction_id[PREDICTION_ID_SIZE];
	int position;
	struct prediction_candidate candidate;
};

struct measurement_row {
	char cluster[RUN_NAME_SIZE];
	struct measurement measurement;
};

extern const struct row_field run_columns[];
extern const struct row_field run_condition_columns[]; /* of struct run */
extern const struct row_field run_share_columns[];
extern const struct row_field run_parameter_columns[]; /* of parameter_row */
extern const struct row_field prediction_columns[];
extern const struct row_field prediction_key_columns[]; /* of prediction */
extern const struct row_field prediction_parameter_columns[];
extern const struct row_field prediction_candidate_columns[];
extern const struct row_field measurement_columns[]; /* of measurement_row */
extern const struct row_field conditions_columns[];  /* to read conditions */

/* --- Writing: rows of one struct as parameters of a statement ------------ */

struct rows {
	const struct row_field *fields;
	int columns_count;
	struct column columns[ROW_FIELDS_MAX];
};

void rows_init(struct rows *rows, const struct row_field fields[]);
void rows_clear(struct rows *rows);

/* Whether `object` can be stored: its times lie in range and its enums have
 * names.  `what` begins the sentence. */
int rows_check(const struct row_field fields[], const void *object,
	       const char *what, struct sp_error *err);

/* Add an object that has passed rows_check(). */
void rows_add(struct rows *rows, const void *object);

/* --- Reading: one row of a binary result --------------------------------- */

/* Whether the columns of `result`, beginning with *column, are those of the
 * table; moves *column behind them. */
int rows_expect(const struct row_field fields[], const PGresult *result,
		int *column, struct sp_error *err);

/* Fill in `object` from a row.  What is too long for it is cut, what has no
 * meaning here becomes 0: a newer program may have written it. */
void rows_read(const struct row_field fields[], const PGresult *result, int row,
	       int first_column, void *object);

/* Arrays of names and of values, as the views give them. */
void rows_read_parameters(const PGresult *result, int row, int first_column,
			  struct parameters *ret);
void rows_read_candidates(const PGresult *result, int row, int first_column,
			  struct prediction *ret);

#endif
