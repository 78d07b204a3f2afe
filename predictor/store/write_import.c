/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write_import.c - batches of runs from job logs
 *
 * Thousands of runs share a transaction: they come by
 * COPY into a temporary table, and one statement moves those that are new on to
 * the history, with all its indexes and constraints.
 */
#include <stdlib.h>

#include "predictor/base/unused.h"
#include "predictor/store/write_batch.h"
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

static void import_refused(void *run UNUSED, void *context,
			   const struct sp_error *why)
{
	struct import_item *item = context;

	if (item->result.refused++ == 0)
		item->result.refusal = *why;
}

/* The lock on changes comes first in every transaction: see statements.h. */
static int import_runs(struct connection *connection, void *const runs[],
		       size_t count, void *context, struct sp_error *err)
{
	struct import_item *item = context;
	const int64_t sent = (int64_t)count;
	struct tuples tuples;
	PGresult *result;
	int rc = connection_run(connection, &statement_lock_changes, NULL, NULL,
				NULL, err);

	tuples_init(&tuples, &run_columns);
	for (size_t i = 0; i < count; i++)
		tuples_add(&tuples, runs[i]);
	if (rc == 0)
		rc = stage_runs(connection, &tuples, err);
	tuples_clear(&tuples);
	if (rc < 0 || connection_run(connection, &statement_import, NULL, &sent,
				     &result, err) < 0)
		return -1;

	size_t stored = (size_t)column_read_int8(PQgetvalue(result, 0, 0));

	PQclear(result);
	item->result.stored += stored;
	item->result.doubles += count - stored;
	return 0;
}

static const struct batch_writer runs_writer = {
	.write = import_runs,
	.refused = import_refused,
};

int import_write(struct connection *connection, struct import_item *item,
		 struct sp_error *err)
{
	void **runs = calloc(item->runs_count + 1, sizeof(*runs));
	struct sp_error why;
	size_t count = 0;
	int rc;

	item->rc = STORE_AGAIN;
	if (!runs) {
		sp_error_set(&item->why, "out of memory for an import");
		return 0;
	}
	for (size_t i = 0; i < item->runs_count; i++) {
		if (import_check(&item->runs[i], &why) < 0)
			import_refused(NULL, item, &why);
		else
			runs[count++] = &item->runs[i];
	}
	rc = batch_write(connection, &runs_writer, runs, count, item, err);
	if (rc == 0 && item->last) {
		rc = connection_run(connection, &statement_import_last, NULL,
				    NULL, NULL, err);
		if (rc < 0)
			connection_close(connection);
	}
	if (rc == 0)
		item->rc = STORE_STORED;
	else
		item->why = *err;
	free(runs);
	return rc;
}
