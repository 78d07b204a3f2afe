/* load.c - reading the history back into memory
 *
 * The history may be large, so it comes through cursors, some thousand rows at
 * a time.  All cursors see one snapshot, and the number of the last change in
 * it tells where to go on later: changes are numbered in the order of their
 * commits, so nothing can appear below a number that was seen.
 */
#include <math.h>

#include "predictor/store/load.h"

#define FETCH_SQL "FETCH FORWARD 2000 FROM history"

/* In a result of runs: where the run's own columns begin. */
enum { RUN_ID_COLUMN, RUN_CHANGE_COLUMN, RUN_FIELDS_COLUMN };

static int give_runs(const struct store_sink *sink, const PGresult *result,
		     struct sp_error *err)
{
	int conditions_at = RUN_FIELDS_COLUMN, parameters_at;

	if (rows_expect(run_columns, result, &conditions_at, err) < 0)
		return -1;
	parameters_at = conditions_at;
	if (rows_expect(conditions_columns, result, &parameters_at, err) < 0)
		return -1;
	for (int row = 0; row < PQntuples(result); row++) {
		struct run run = { .id = column_read_int8(PQgetvalue(
					   result, row, RUN_ID_COLUMN)) };

		rows_read(run_columns, result, row, RUN_FIELDS_COLUMN, &run);
		rows_read(conditions_columns, result, row, conditions_at,
			  &run.before);
		rows_read_parameters(result, row, parameters_at,
				     &run.application.parameters);
		sink->run(sink->context, &run);
	}
	return 0;
}

static int give_predictions(const struct store_sink *sink,
			    const PGresult *result, struct sp_error *err)
{
	int parameters_at = 0;

	if (rows_expect(prediction_columns, result, &parameters_at, err) < 0)
		return -1;
	for (int row = 0; row < PQntuples(result); row++) {
		struct prediction p = { .candidates_count = 0 };

		rows_read(prediction_columns, result, row, 0, &p);
		rows_read_parameters(result, row, parameters_at,
				     &p.application.parameters);
		rows_read_candidates(result, row, parameters_at + 2, &p);
		sink->prediction(sink->context, &p);
	}
	return 0;
}

static int give_measurements(const struct store_sink *sink,
			     const PGresult *result, struct sp_error *err)
{
	int end = 0;

	if (rows_expect(measurement_columns, result, &end, err) < 0)
		return -1;
	for (int row = 0; row < PQntuples(result); row++) {
		struct measurement_row item;

		rows_read(measurement_columns, result, row, 0, &item);
		sink->measurement(sink->context, item.cluster,
				  &item.measurement);
	}
	return 0;
}

static const struct part {
	const char *cursor;
	int (*give)(const struct store_sink *sink, const PGresult *result,
		    struct sp_error *err);
} parts[] = {
	{ cursor_predictions, give_predictions },
	{ cursor_measurements, give_measurements },
	{ cursor_runs_ended, give_runs },
	{ cursor_runs_running, give_runs },
	{ NULL, NULL },
};

static int load_part(struct connection *connection, const struct part *part,
		     const struct store_sink *sink, struct sp_error *err)
{
	int rows, rc;

	if (connection_query(connection, part->cursor, NULL, err) < 0)
		return -1;
	do {
		PGresult *result;

		if (!isinf(connection->stop->by_s))
			return sp_error_set(err, "stopped while reading");
		if (connection_query(connection, FETCH_SQL, &result, err) < 0)
			return -1;
		rows = PQntuples(result);
		rc = part->give(sink, result, err);
		PQclear(result);
		if (rc < 0)
			return -1;
	} while (rows > 0);
	return connection_query(connection, "CLOSE history", NULL, err);
}

int load_history(struct connection *connection, const struct store_sink *sink,
		 int64_t *ret_change, struct sp_error *err)
{
	PGresult *result;

	if (connection_query(connection,
			     "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
			     NULL, err) < 0 ||
	    connection_run(connection, &statement_last_change, NULL, NULL,
			   &result, err) < 0)
		return -1;
	int64_t change = column_read_int8(PQgetvalue(result, 0, 0));

	PQclear(result);
	for (const struct part *part = parts; part->cursor; part++)
		if (load_part(connection, part, sink, err) < 0)
			return -1;
	if (connection_query(connection, "COMMIT", NULL, err) < 0)
		return -1;
	*ret_change = change;
	return 0;
}

/* The predictions that were made elsewhere for some runs. */
static int load_predictions(struct connection *connection,
			    const struct store_sink *sink, int64_t origin,
			    const PGresult *runs, struct sp_error *err)
{
	int column = PQfnumber(runs, "prediction_id"), rc = 0;
	PGresult *result;
	struct rows ids;

	rows_init(&ids, prediction_key_columns);
	for (int row = 0; row < PQntuples(runs); row++) {
		struct prediction key;

		if (PQgetisnull(runs, row, column))
			continue;
		rows_read(prediction_key_columns, runs, row, column, &key);
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
		 int64_t origin, int64_t *change, struct sp_error *err)
{
	int rows, rc = 0;

	do {
		PGresult *result;

		if (connection_run(connection, &statement_runs_since, NULL,
				   change, &result, err) < 0)
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
				*change = last;
		}
		PQclear(result);
	} while (rows == RUNS_PAGE && rc == 0);
	return rc;
}
