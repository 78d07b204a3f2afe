/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write_import.c - batches of runs from job logs
 *
 * Thousands of runs share a transaction: they come by
 * COPY into a temporary table, and one statement moves those that are new on to
 * the history, with all its indexes and constraints.
 */
#include <stdlib.h>

#include "predictor/store/write_import.h"
#include "predictor/store/write.h"

/* Find what the table would refuse before it costs a transaction. */
static int import_check(const struct run *run, struct sp_error *err)
{
	if (rows_check(&run_columns, run, "run", err) < 0)
		return -1;
	if (!(run_runtime_s(run) >= 0))
		return sp_error_set(err, "job %u: has not ended", run->job_id);
	return 0;
}

static void import_refuse(struct import_item *item, const struct sp_error *why)
{
	if (item->result.refused++ == 0)
		item->result.refusal = *why;
}

static int write_batch(struct connection *connection,
		       const struct run *const runs[], size_t count,
		       size_t *ret_stored, struct sp_error *err)
{
	const int64_t sent = (int64_t)count;
	struct tuples tuples;
	PGresult *result;

	tuples_init(&tuples, &run_columns);
	for (size_t i = 0; i < count; i++)
		tuples_add(&tuples, runs[i]);
	int rc = stage_runs(connection, &tuples, err);

	tuples_clear(&tuples);
	if (rc < 0 || connection_run(connection, &statement_import, NULL, &sent,
				     &result, err) < 0)
		return -1;
	*ret_stored = (size_t)column_read_int8(PQgetvalue(result, 0, 0));
	PQclear(result);
	return 0;
}

/* The lock on changes comes first in every transaction: see statements.h. */
static int write_transaction(struct connection *connection,
			     const struct run *const runs[], size_t count,
			     bool last, size_t *ret_stored,
			     struct sp_error *err)
{
	*ret_stored = 0;
	if (connection_query(connection, "BEGIN", NULL, err) < 0 ||
	    connection_run(connection, &statement_lock_changes, NULL, NULL,
			   NULL, err) < 0 ||
	    (count > 0 &&
	     write_batch(connection, runs, count, ret_stored, err) < 0) ||
	    (last && connection_run(connection, &statement_import_last, NULL,
				    NULL, NULL, err) < 0) ||
	    connection_query(connection, "COMMIT", NULL, err) < 0)
		return -1;
	return 0;
}

static int write_runs(struct connection *connection, struct import_item *item,
		      const struct run *const runs[], size_t count, bool last,
		      struct sp_error *err)
{
	size_t stored, half = count / 2;

	if (write_transaction(connection, runs, count, last, &stored, err) ==
	    0) {
		item->result.stored += stored;
		item->result.doubles += count - stored;
		return 0;
	}
	if (!connection_data_refused(connection) || count == 0) {
		connection_close(connection);
		return -1;
	}
	struct sp_error why = *err;

	if (connection_query(connection, "ROLLBACK", NULL, err) < 0) {
		connection_close(connection);
		return -1;
	}
	if (count == 1) {
		import_refuse(item, &why);
		return last ? write_runs(connection, item, runs, 0, last, err)
			    : 0;
	}
	if (write_runs(connection, item, runs, half, false, err) < 0)
		return -1;
	return write_runs(connection, item, runs + half, count - half, last,
			  err);
}

int import_write(struct connection *connection, struct import_item *item,
		 struct sp_error *err)
{
	const struct run **runs = calloc(item->runs_count + 1, sizeof(*runs));
	struct sp_error why;
	size_t count = 0;
	int rc = 0;

	item->rc = STORE_AGAIN;
	if (!runs) {
		sp_error_set(&item->why, "out of memory for an import");
		return 0;
	}
	for (size_t i = 0; i < item->runs_count; i++) {
		if (import_check(&item->runs[i], &why) < 0)
			import_refuse(item, &why);
		else
			runs[count++] = &item->runs[i];
	}
	if (count > 0 || item->last)
		rc = write_runs(connection, item, runs, count, item->last, err);
	if (rc == 0)
		item->rc = STORE_STORED;
	else
		item->why = *err;
	free(runs);
	return rc;
}
