/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.c - reading the history into memory
 *
 * The history may be large, so it comes by COPY, a row at a time.  All parts
 * see one snapshot, and the number of the last change in it says where to
 * continue later: changes are numbered in the order of their commits, so
 * nothing can appear below a number that was seen.
 */
#include <math.h>
#include <string.h>

#include "predictor/store/copy.h"
#include "predictor/store/load.h"

/* In a row of runs: where the run's own columns begin. */
enum { RUN_ID_COLUMN, RUN_CHANGE_COLUMN, RUN_FIELDS_COLUMN };

static void give_run(const struct store_sink *sink,
		     const struct row_table *table, const struct values *values)
{
	struct run run;

	memset(&run, 0, sizeof(run));
	run.id = column_read_int8(values->of[RUN_ID_COLUMN]);
	if (values->of[RUN_CHANGE_COLUMN])
		run.change = column_read_int8(values->of[RUN_CHANGE_COLUMN]);
	rows_read(table, values, RUN_FIELDS_COLUMN, &run);
	application_mask(&run.application);
	sink->run(sink->context, &run);
}

static void give_whole_run(void *context, const struct values *values)
{
	give_run(context, &run_columns, values);
}

static void give_brief_run(void *context, const struct values *values)
{
	give_run(context, &run_brief_columns, values);
}

static void give_prediction(void *context, const struct values *values)
{
	const struct store_sink *sink = context;
	struct prediction p;

	memset(&p, 0, sizeof(p));
	rows_read(&prediction_columns, values, 0, &p);
	application_mask(&p.application);
	sink->prediction(sink->context, &p);
}

static void give_measurement(void *context, const struct values *values)
{
	const struct store_sink *sink = context;
	struct measurement_row item = {
		.measurement = { .spool_free_mb = NAN, .spool_failed = NAN }
	};

	rows_read(&measurement_columns, values, 0, &item);
	sink->measurement(sink->context, item.cluster, &item.measurement);
}

static void give_speed(void *context, const struct values *values)
{
	const struct store_sink *sink = context;
	struct measurement_row item = {
		.measurement = { .spool_free_mb = NAN, .spool_failed = NAN }
	};
	const struct measurement *m = &item.measurement;

	rows_read(&speed_columns, values, 0, &item);
	if (sink->speed)
		sink->speed(sink->context, item.cluster, m->node, m->time_s,
			    m->cpu_speed);
}

static void give_link(void *context, const struct values *values)
{
	const struct store_sink *sink = context;
	struct link_row item = { .cluster = "" };

	rows_read(&link_columns, values, 0, &item);
	if (sink->link)
		sink->link(sink->context, item.cluster, &item.link);
}

static const struct part {
	const char *copy;
	void (*give)(void *context, const struct values *values);
	unsigned passes; /* sum of enum load_pass */
} parts[] = {
	{ copy_all_predictions, give_prediction, LOAD_ALL | LOAD_NEWEST },
	{ copy_all_speeds, give_speed, LOAD_ALL | LOAD_NEWEST },
	{ copy_all_measurements, give_measurement, LOAD_ALL | LOAD_NEWEST },
	{ copy_all_links, give_link, LOAD_ALL | LOAD_NEWEST },
	{ copy_first_runs, give_whole_run, LOAD_NEWEST },
	{ copy_brief_runs, give_brief_run, LOAD_ALL | LOAD_AGAIN },
	{ copy_whole_runs, give_whole_run, LOAD_ALL | LOAD_AGAIN },
	{ NULL, NULL, 0 },
};

/* Begin the transaction with its snapshot, without the timeouts of single
 * statements, and with memory to sort a long history. */
static const char *const beginning[] = {
	"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
	"SET LOCAL statement_timeout = 0",
	"SET LOCAL work_mem = '64MB'",
	NULL,
};

static int begin(struct connection *connection, int64_t days,
		 struct load_position *ret, struct sp_error *err)
{
	PGresult *result;

	for (int i = 0; beginning[i]; i++)
		if (connection_query(connection, beginning[i], NULL, err) < 0)
			return -1;
	if (connection_run(connection, &statement_history_days, NULL, &days,
			   NULL, err) < 0 ||
	    connection_run(connection, &statement_last_change, NULL, NULL,
			   &result, err) < 0)
		return -1;
	ret->change = column_read_int8(PQgetvalue(result, 0, 0));
	ret->import = column_read_int8(PQgetvalue(result, 0, 1));
	PQclear(result);
	return 0;
}

static void run_ignore(void *context, const struct run *run)
{
	(void)context;
	(void)run;
}

int load_history(struct connection *connection, const struct store_sink *sink,
		 int64_t origin, int days, enum load_pass pass,
		 struct load_position *ret, struct sp_error *err)
{
	struct store_sink copy = *sink, predictions = *sink;
	struct load_position position = { .profile = ret->profile };
	struct load_position since = *ret;

	predictions.run = run_ignore;
	if (begin(connection, days, &position, err) < 0)
		return -1;
	if (pass == LOAD_AGAIN &&
	    load_changes(connection, &predictions, origin, &since, err) < 0)
		return -1;
	for (const struct part *part = parts; part->copy; part++) {
		if (!(part->passes & pass))
			continue;
		if (copy_out(connection, part->copy, part->give, &copy, err) <
		    0)
			return -1;
	}
	if (connection_query(connection, "COMMIT", NULL, err) < 0)
		return -1;
	*ret = position;
	return 0;
}

/* --- Changes -------------------------------------------------------------- */

static int give_runs(const struct store_sink *sink, const PGresult *result,
		     struct sp_error *err)
{
	int first = RUN_FIELDS_COLUMN;
	struct values values;

	if (rows_expect(&run_columns, result, &first, err) < 0)
		return -1;
	for (int row = 0; row < PQntuples(result); row++) {
		values_of_result(result, row, &values);
		give_run(sink, &run_columns, &values);
	}
	return 0;
}

static int give_predictions(const struct store_sink *sink,
			    const PGresult *result, struct sp_error *err)
{
	struct store_sink copy = *sink;
	struct values values;
	int first = 0;

	if (rows_expect(&prediction_columns, result, &first, err) < 0)
		return -1;
	for (int row = 0; row < PQntuples(result); row++) {
		values_of_result(result, row, &values);
		give_prediction(&copy, &values);
	}
	return 0;
}

/* The predictions that another predictd made for these runs. */
static int load_predictions(struct connection *connection,
			    const struct store_sink *sink, int64_t origin,
			    const PGresult *runs, struct sp_error *err)
{
	int column = PQfnumber(runs, "prediction_id"), rc = 0;
	PGresult *result;
	struct values values;
	struct rows ids;

	rows_init(&ids, &prediction_key_columns);
	for (int row = 0; row < PQntuples(runs); row++) {
		struct prediction key = { .id = "" };

		values_of_result(runs, row, &values);
		if (!values.of[column])
			continue;
		rows_read(&prediction_key_columns, &values, column, &key);
		rows_add(&ids, &key);
	}
	if (ids.columns[0].count > 0) {
		rc = connection_run(connection,
				    &statement_predictions_of_others, &ids,
				    &origin, &result, err);
		if (rc == 0) {
			rc = give_predictions(sink, result, err);
			PQclear(result);
		}
	}
	rows_clear(&ids);
	return rc;
}

int load_changes(struct connection *connection, const struct store_sink *sink,
		 int64_t origin, struct load_position *position,
		 struct sp_error *err)
{
	int rows, rc = 0;

	do {
		PGresult *result;

		if (connection_run(connection, &statement_runs_since, NULL,
				   &position->change, &result, err) < 0)
			return -1;
		rows = PQntuples(result);
		if (rows > 0) {
			int64_t last = column_read_int8(PQgetvalue(
				result, rows - 1, RUN_CHANGE_COLUMN));

			rc = load_predictions(connection, sink, origin, result,
					      err);
			if (rc == 0)
				rc = give_runs(sink, result, err);
			if (rc == 0)
				position->change = last;
		}
		PQclear(result);
	} while (rows == RUNS_PAGE && rc == 0);
	return rc;
}

int load_imported(struct connection *connection,
		  const struct load_position *position, bool *ret,
		  struct sp_error *err)
{
	PGresult *result;

	if (connection_run(connection, &statement_import_since, NULL,
			   &position->import, &result, err) < 0)
		return -1;
	*ret = column_read_int8(PQgetvalue(result, 0, 0)) > 0;
	PQclear(result);
	return 0;
}
