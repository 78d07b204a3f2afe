/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write_reports.c - runs, shares and profiles that collectors report
 *
 * One transaction for a batch: runs in waves, then shares, then profiles.  The
 * lock on changes comes first.  Each report gets its own result.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/base/unused.h"
#include "predictor/store/write_batch.h"
#include "predictor/store/copy.h"
#include "predictor/store/write.h"

/* --- Runs ----------------------------------------------------------------- */

int stage_runs(struct connection *connection, struct tuples *runs,
	       struct sp_error *err)
{
	if (copy_in(connection, copy_runs, runs, err) < 0 ||
	    connection_run(connection, &statement_run_clusters, NULL, NULL,
			   NULL, err) < 0 ||
	    connection_run(connection, &statement_run_applications, NULL, NULL,
			   NULL, err) < 0)
		return -1;
	return 0;
}

struct run_entry {
	const struct run *run;
	size_t arrival;
	unsigned wave; /* how often the same run stands before it */
};

static int compare_runs(const struct run *a, const struct run *b)
{
	double difference_us =
		round(a->started_at_s * 1e6) - round(b->started_at_s * 1e6);

	return strncmp(a->cluster, b->cluster, sizeof(a->cluster))
		       ?: COMPARE(a->job_id, b->job_id)
		       ?: COMPARE(difference_us, 0);
}

static int compare_entries(const void *left, const void *right)
{
	const struct run_entry *a = left, *b = right;

	return compare_runs(a->run, b->run) ?: COMPARE(a->arrival, b->arrival);
}

/* A statement may change a row only once: a later report of the same run in the
 * batch goes into a later wave. */
static unsigned sort_into_waves(struct run_entry entries[], size_t count)
{
	unsigned waves = 1;

	qsort(entries, count, sizeof(*entries), compare_entries);
	for (size_t i = 1; i < count; i++) {
		if (compare_runs(entries[i].run, entries[i - 1].run) != 0)
			continue;
		entries[i].wave = entries[i - 1].wave + 1;
		if (entries[i].wave >= waves)
			waves = entries[i].wave + 1;
	}
	return waves;
}

/* Write the runs of one wave with one statement. */
static int write_wave(struct connection *connection,
		      const struct run_entry entries[], size_t count,
		      unsigned wave, struct sp_error *err)
{
	struct tuples runs;

	tuples_init(&runs, &run_columns);
	for (size_t i = 0; i < count; i++)
		if (entries[i].wave == wave)
			tuples_add(&runs, entries[i].run);
	int rc = stage_runs(connection, &runs, err);

	tuples_clear(&runs);
	if (rc == 0)
		rc = connection_run(connection, &statement_runs, NULL, NULL,
				    NULL, err);
	return rc;
}

static int write_runs(struct connection *connection, void *const items[],
		      size_t count, struct sp_error *err)
{
	size_t runs_count = 0, n = 0;
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		runs_count += ((struct report_item *)items[i])->runs_count;
	if (runs_count == 0)
		return 0;
	struct run_entry *entries = calloc(runs_count, sizeof(*entries));

	if (!entries)
		return sp_error_set(err, "out of memory for runs to store");
	for (size_t i = 0; i < count; i++) {
		const struct report_item *item = items[i];

		for (size_t k = 0; k < item->runs_count; k++, n++)
			entries[n] = (struct run_entry){ .run = &item->runs[k],
							 .arrival = n };
	}
	unsigned waves = sort_into_waves(entries, n);

	rc = connection_run(connection, &statement_lock_changes, NULL, NULL,
			    NULL, err);
	for (unsigned wave = 0; wave < waves && rc == 0; wave++) {
		if (wave > 0)
			rc = connection_run(connection, &statement_runs_done,
					    NULL, NULL, NULL, err);
		if (rc == 0)
			rc = write_wave(connection, entries, n, wave, err);
	}
	free(entries);
	return rc;
}

/* --- Shares and profiles -------------------------------------------------- */

static const char *const cluster_column[] = { "cluster", NULL };
static const char *const node_columns[] = { "cluster", "node", NULL };

static int write_shares(struct connection *connection, void *const items[],
			size_t count, struct sp_error *err)
{
	struct rows shares;
	int rc = 0;

	rows_init(&shares, &run_share_columns);
	for (size_t i = 0; i < count; i++) {
		const struct report_item *item = items[i];

		for (size_t k = 0; k < item->shares_count; k++)
			rows_add(&shares, &item->shares[k]);
	}
	if (batch_run_columns(connection, &statement_clusters, &shares,
			      cluster_column, err) < 0 ||
	    batch_run_columns(connection, &statement_nodes, &shares,
			      node_columns, err) < 0 ||
	    batch_run_rows(connection, &statement_run_shares, &shares, NULL,
			   err) < 0)
		rc = -1;
	rows_clear(&shares);
	return rc;
}

static int write_profiles(struct connection *connection, void *const items[],
			  size_t count, bool locked, struct sp_error *err)
{
	struct tuples profiles;
	int rc = 0;

	tuples_init(&profiles, &profile_share_columns);
	for (size_t i = 0; i < count; i++) {
		const struct report_item *item = items[i];

		for (size_t k = 0; k < item->profiles_count; k++)
			tuples_add(&profiles, &item->profiles[k]);
	}
	if (profiles.count > 0 &&
	    ((!locked && connection_run(connection, &statement_lock_changes,
					NULL, NULL, NULL, err) < 0) ||
	     copy_in(connection, copy_profiles, &profiles, err) < 0 ||
	     connection_run(connection, &statement_profile_clusters, NULL, NULL,
			    NULL, err) < 0 ||
	     connection_run(connection, &statement_profile_nodes, NULL, NULL,
			    NULL, err) < 0 ||
	     connection_run(connection, &statement_profiles, NULL, NULL, NULL,
			    err) < 0))
		rc = -1;
	tuples_clear(&profiles);
	return rc;
}

/* --- Reports -------------------------------------------------------------- */

static bool any_runs(void *const items[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (((const struct report_item *)items[i])->runs_count > 0)
			return true;
	return false;
}

/* Runs first: every transaction takes the lock on changes before locks on
 * names. */
static int reports_write(struct connection *connection, void *const items[],
			 size_t count, void *context UNUSED,
			 struct sp_error *err)
{
	if (write_runs(connection, items, count, err) < 0)
		return -1;
	if (write_profiles(connection, items, count, any_runs(items, count),
			   err) < 0)
		return -1;
	return write_shares(connection, items, count, err);
}

static void report_stored(void *item)
{
	((struct report_item *)item)->rc = STORE_STORED;
}

static void report_refused(void *item, void *context UNUSED,
			   const struct sp_error *why)
{
	struct report_item *report = item;

	report->rc = STORE_REFUSED;
	report->why = *why;
}

static const struct batch_writer reports_writer = {
	.write = reports_write,
	.stored = report_stored,
	.refused = report_refused,
};

static int report_check(const struct report_item *item, struct sp_error *err)
{
	for (size_t i = 0; i < item->runs_count; i++)
		if (rows_check(&run_columns, &item->runs[i], "run", err) < 0)
			return -1;
	for (size_t i = 0; i < item->shares_count; i++)
		if (rows_check(&run_share_columns, &item->shares[i],
			       "share of a run", err) < 0)
			return -1;
	for (size_t i = 0; i < item->profiles_count; i++)
		if (rows_check(&profile_share_columns, &item->profiles[i],
			       "profile of a run", err) < 0)
			return -1;
	return 0;
}

int write_reports(struct connection *connection, struct report_item *list,
		  struct sp_error *err)
{
	void *items[QUEUE_BATCH_REPORTS] = { NULL };
	size_t count = 0;

	for (struct report_item *r = list; r; r = fifo_next(&r->link)) {
		r->rc = STORE_AGAIN;
		if (report_check(r, &r->why) < 0)
			r->rc = STORE_REFUSED;
		else if (count < QUEUE_BATCH_REPORTS)
			items[count++] = r;
	}
	if (!batch_write(connection, &reports_writer, items, count, NULL, err))
		return 0;
	for (struct report_item *r = list; r; r = fifo_next(&r->link))
		if (r->rc == STORE_AGAIN)
			r->why = *err;
	return -1;
}
