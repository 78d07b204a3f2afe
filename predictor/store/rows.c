/* rows.c - which member of a struct is which column */
#include <math.h>
#include <string.h>

#include "predictor/store/rows.h"

#define FIELD(of, member, kind, column)                  \
	{                                                \
		.name = column, .type = FIELD_##kind,    \
		.offset = offsetof(struct of, member),   \
		.size = sizeof(((struct of *)0)->member) \
	}
#define CONDITIONS(of, prefix)                                          \
	FIELD(of, prefix nodes_known, INT, "nodes_known"),              \
		FIELD(of, prefix cpu_load, REAL, "cpu_load"),           \
		FIELD(of, prefix cpu_load_max, REAL, "cpu_load_max"),   \
		FIELD(of, prefix cpu_available, REAL, "cpu_available"), \
		FIELD(of, prefix cpu_available_min, REAL,               \
		      "cpu_available_min"),                             \
		FIELD(of, prefix bandwidth_bps, REAL, "bandwidth_bps"), \
		FIELD(of, prefix latency_s, REAL, "latency_s")
/* What a row of a run's own is joined to it by. */
#define RUN_KEY(of)                                \
	FIELD(of, cluster, TEXT, "cluster"),       \
		FIELD(of, job_id, UINT, "job_id"), \
		FIELD(of, started_at_s, TIME, "started_at")
#define END                  \
	{                    \
		.name = NULL \
	}

const struct row_field run_columns[] = {
	FIELD(run, cluster, TEXT, "cluster"),
	FIELD(run, job_id, UINT, "job_id"),
	FIELD(run, array_job_id, UINT, "array_job_id"),
	FIELD(run, array_task_id, UINT, "array_task_id"),
	FIELD(run, user_id, UINT, "user_id"),
	FIELD(run, user, TEXT, "user_name"),
	FIELD(run, account, TEXT, "account"),
	FIELD(run, partition, TEXT, "partition"),
	FIELD(run, job_name, TEXT, "job_name"),
	FIELD(run, prediction_id, OPTIONAL_TEXT, "prediction_id"),
	FIELD(run, nodes, UINT, "nodes"),
	FIELD(run, tasks, UINT, "tasks"),
	FIELD(run, cpus, UINT, "cpus"),
	FIELD(run, memory_mb, REAL, "memory_mb"),
	FIELD(run, limit_s, REAL, "limit_s"),
	FIELD(run, node_list, TEXT, "node_list"),
	FIELD(run, submitted_at_s, OPTIONAL_TIME, "submitted_at"),
	FIELD(run, started_at_s, TIME, "started_at"),
	FIELD(run, ended_at_s, OPTIONAL_TIME, "ended_at"),
	FIELD(run, state, STATE, "state"),
	FIELD(run, exit_code, INT, "exit_code"),
	FIELD(run, exit_signal, INT, "exit_signal"),
	FIELD(run, application.name, TEXT, "application"),
	END,
};

const struct row_field run_condition_columns[] = {
	RUN_KEY(run),
	CONDITIONS(run, before.),
	END,
};

const struct row_field run_share_columns[] = {
	RUN_KEY(run_share),
	FIELD(run_share, node, TEXT, "node"),
	FIELD(run_share, ended_at_s, TIME, "ended_at"),
	FIELD(run_share, cpu_s, REAL, "cpu_s"),
	FIELD(run_share, peak_memory_mb, REAL, "peak_memory_mb"),
	FIELD(run_share, exit_code, INT, "exit_code"),
	FIELD(run_share, exit_signal, INT, "exit_signal"),
	FIELD(run_share, tasks, UINT, "tasks"),
	END,
};

const struct row_field run_parameter_columns[] = {
	RUN_KEY(parameter_row),
	FIELD(parameter_row, name, TEXT, "name"),
	FIELD(parameter_row, value, REAL, "value"),
	END,
};

const struct row_field prediction_columns[] = {
	FIELD(prediction, id, TEXT, "prediction_id"),
	FIELD(prediction, made_at_s, TIME, "made_at"),
	FIELD(prediction, mode, MODE, "mode"),
	FIELD(prediction, cluster, TEXT, "cluster"),
	FIELD(prediction, user_id, UINT, "user_id"),
	FIELD(prediction, account, TEXT, "account"),
	FIELD(prediction, partition, TEXT, "partition"),
	FIELD(prediction, job_name, TEXT, "job_name"),
	FIELD(prediction, application.name, TEXT, "application"),
	FIELD(prediction, nodes, UINT, "nodes"),
	FIELD(prediction, tasks, UINT, "tasks"),
	FIELD(prediction, cpus, UINT, "cpus"),
	FIELD(prediction, limit_s, REAL, "limit_s"),
	FIELD(prediction, assumed_nodes, TEXT, "assumed_nodes"),
	FIELD(prediction, basis, BASIS, "basis"),
	FIELD(prediction, model, TEXT, "model"),
	FIELD(prediction, median_s, REAL, "median_s"),
	FIELD(prediction, quantile, REAL, "quantile"),
	FIELD(prediction, quantile_s, REAL, "quantile_s"),
	FIELD(prediction, runs, UINT, "runs"),
	FIELD(prediction, last_error, REAL, "last_error"),
	CONDITIONS(prediction, conditions.),
	END,
};

const struct row_field prediction_key_columns[] = {
	FIELD(prediction, id, TEXT, "prediction_id"),
	END,
};

const struct row_field prediction_parameter_columns[] = {
	FIELD(parameter_row, prediction_id, TEXT, "prediction_id"),
	FIELD(parameter_row, name, TEXT, "name"),
	FIELD(parameter_row, value, REAL, "value"),
	END,
};

const struct row_field prediction_candidate_columns[] = {
	FIELD(candidate_row, prediction_id, TEXT, "prediction_id"),
	FIELD(candidate_row, position, INT, "position"),
	FIELD(candidate_row, candidate.model, TEXT, "model"),
	FIELD(candidate_row, candidate.median_s, REAL, "median_s"),
	END,
};

const struct row_field measurement_columns[] = {
	FIELD(measurement_row, cluster, TEXT, "cluster"),
	FIELD(measurement_row, measurement.node, TEXT, "node"),
	FIELD(measurement_row, measurement.time_s, TIME, "measured_at"),
	FIELD(measurement_row, measurement.cpu_load, REAL, "cpu_load"),
	FIELD(measurement_row, measurement.cpu_available, REAL,
	      "cpu_available"),
	FIELD(measurement_row, measurement.memory_available_mb, REAL,
	      "memory_available_mb"),
	END,
};

const struct row_field conditions_columns[] = {
	CONDITIONS(conditions, ),
	END,
};

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

#define NAME_MAX_SIZE 32 /* of an enum's value */

static const struct kind {
	enum column_type column;
	size_t size; /* of the value in a result; 0: varies */
	const char *(*name)(int value); /* of an enum's value, else NULL */
} kinds[] = {
	[FIELD_TEXT] = { COLUMN_TEXT, 0, NULL },
	[FIELD_OPTIONAL_TEXT] = { COLUMN_TEXT, 0, NULL },
	[FIELD_INT] = { COLUMN_INT4, 4, NULL },
	[FIELD_UINT] = { COLUMN_INT8, 8, NULL },
	[FIELD_REAL] = { COLUMN_FLOAT8, 8, NULL },
	[FIELD_TIME] = { COLUMN_TIME, 8, NULL },
	[FIELD_OPTIONAL_TIME] = { COLUMN_TIME, 8, NULL },
	[FIELD_STATE] = { COLUMN_TEXT, 0, state_name },
	[FIELD_MODE] = { COLUMN_TEXT, 0, mode_name },
	[FIELD_BASIS] = { COLUMN_TEXT, 0, basis_name },
};

/* --- Writing ----------------------------------------------------------------- */

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

int rows_check(const struct row_field fields[], const void *object,
	       const char *what, struct sp_error *err)
{
	for (const struct row_field *f = fields; f->name; f++) {
		const char *at = (const char *)object + f->offset;
		double time = 0;

		if (f->type == FIELD_TIME || f->type == FIELD_OPTIONAL_TIME)
			memcpy(&time, at, sizeof(time));
		if (f->type == FIELD_OPTIONAL_TIME && isnan(time))
			continue;
		if (!column_time_ok(time))
			return sp_error_set(err, "%s: %s is no time: %g", what,
					    f->name, time);
		if (kinds[f->type].name) {
			int value;

			memcpy(&value, at, sizeof(value));
			if (!kinds[f->type].name(value))
				return sp_error_set(err, "%s: no %s number %d",
						    what, f->name, value);
		}
	}
	return 0;
}

static void rows_add_number(struct column *column, const struct row_field *f,
			    const char *at)
{
	int32_t int4;
	uint32_t uint4;

	if (f->type == FIELD_INT) {
		memcpy(&int4, at, sizeof(int4));
		column_add_int4(column, int4);
	} else {
		memcpy(&uint4, at, sizeof(uint4));
		column_add_int8(column, uint4);
	}
}

static void rows_add_real(struct column *column, const struct row_field *f,
			  const char *at)
{
	double real;

	memcpy(&real, at, sizeof(real));
	if (isnan(real))
		column_add_null(column);
	else if (f->type == FIELD_REAL)
		column_add_float8(column, real);
	else
		column_add_time(column, real);
}

static void rows_add_text(struct column *column, const struct row_field *f,
			  const char *at)
{
	if (kinds[f->type].name) {
		int value;

		memcpy(&value, at, sizeof(value));
		column_add_text(column, kinds[f->type].name(value),
				NAME_MAX_SIZE);
	} else if (f->type == FIELD_OPTIONAL_TEXT && at[0] == '\0') {
		column_add_null(column);
	} else {
		column_add_text(column, at, f->size - 1);
	}
}

void rows_add(struct rows *rows, const void *object)
{
	for (int i = 0; i < rows->columns_count; i++) {
		const struct row_field *f = &rows->fields[i];
		const char *at = (const char *)object + f->offset;

		switch (kinds[f->type].column) {
		case COLUMN_TEXT:
			rows_add_text(&rows->columns[i], f, at);
			break;
		case COLUMN_FLOAT8:
		case COLUMN_TIME:
			rows_add_real(&rows->columns[i], f, at);
			break;
		default:
			rows_add_number(&rows->columns[i], f, at);
		}
	}
}

/* --- Reading ------------------------------------------------------------------ */

int rows_expect(const struct row_field fields[], const PGresult *result,
		int *column, struct sp_error *err)
{
	int at = *column;

	for (const struct row_field *f = fields; f->name; f++, at++) {
		const char *name = PQfname(result, at);

		if (!name || strcmp(name, f->name) != 0 ||
		    (int)PQftype(result, at) != (int)kinds[f->type].column ||
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
static int read_enum(const struct row_field *f, const char *value, int length)
{
	const char *name;

	for (int i = 0; (name = kinds[f->type].name(i)); i++)
		if (strlen(name) == (size_t)length &&
		    memcmp(name, value, (size_t)length) == 0)
			return i;
	return 0;
}

static void read_field(const struct row_field *f, const char *value, int length,
		       char *at)
{
	double real;
	int32_t int4;
	uint32_t uint4;

	if (kinds[f->type].size && (int)kinds[f->type].size != length)
		value = NULL;
	switch (f->type) {
	case FIELD_TEXT:
	case FIELD_OPTIONAL_TEXT:
		read_text(at, f->size, value ? value : "", value ? length : 0);
		break;
	case FIELD_INT:
		int4 = value ? column_read_int4(value) : 0;
		memcpy(at, &int4, sizeof(int4));
		break;
	case FIELD_UINT:
		uint4 = value ? (uint32_t)column_read_int8(value) : 0;
		memcpy(at, &uint4, sizeof(uint4));
		break;
	case FIELD_REAL:
		real = value ? column_read_float8(value) : NAN;
		memcpy(at, &real, sizeof(real));
		break;
	case FIELD_TIME:
	case FIELD_OPTIONAL_TIME:
		real = value ? column_read_time(value) : NAN;
		memcpy(at, &real, sizeof(real));
		break;
	case FIELD_STATE:
	case FIELD_MODE:
	case FIELD_BASIS:
		int4 = value ? read_enum(f, value, length) : 0;
		memcpy(at, &int4, sizeof(int4));
		break;
	}
}

void rows_read(const struct row_field fields[], const PGresult *result, int row,
	       int first_column, void *object)
{
	int column = first_column;

	for (const struct row_field *f = fields; f->name; f++, column++) {
		const char *value = PQgetisnull(result, row, column)
					    ? NULL
					    : PQgetvalue(result, row, column);

		read_field(f, value, PQgetlength(result, row, column),
			   (char *)object + f->offset);
	}
}

static void visit_array(const PGresult *result, int row, int column,
			void (*visit)(void *context, int index,
				      const char *value, int size),
			void *context)
{
	if (!PQgetisnull(result, row, column))
		column_read_array(PQgetvalue(result, row, column),
				  PQgetlength(result, row, column), visit,
				  context);
}

static void read_parameter_name(void *context, int index, const char *value,
				int size)
{
	struct parameters *set = context;

	if (index >= PARAMETERS_MAX || !value)
		return;
	read_text(set->of[index].name, PARAMETER_NAME_SIZE, value, size);
	set->count = index + 1;
}

static void read_parameter_value(void *context, int index, const char *value,
				 int size)
{
	struct parameters *set = context;

	if (index < set->count && value && size == 8)
		set->of[index].value = column_read_float8(value);
}

void rows_read_parameters(const PGresult *result, int row, int first_column,
			  struct parameters *ret)
{
	memset(ret, 0, sizeof(*ret));
	visit_array(result, row, first_column, read_parameter_name, ret);
	visit_array(result, row, first_column + 1, read_parameter_value, ret);
}

static void read_candidate_model(void *context, int index, const char *value,
				 int size)
{
	struct prediction *p = context;

	if (index >= PREDICTION_MODELS_MAX || !value)
		return;
	read_text(p->candidates[index].model, PREDICTION_MODEL_NAME_SIZE, value,
		  size);
	p->candidates[index].median_s = NAN;
	p->candidates_count = index + 1;
}

static void read_candidate_median(void *context, int index, const char *value,
				  int size)
{
	struct prediction *p = context;

	if (index < p->candidates_count && value && size == 8)
		p->candidates[index].median_s = column_read_float8(value);
}

void rows_read_candidates(const PGresult *result, int row, int first_column,
			  struct prediction *ret)
{
	ret->candidates_count = 0;
	visit_array(result, row, first_column, read_candidate_model, ret);
	visit_array(result, row, first_column + 1, read_candidate_median, ret);
}
