/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write_predictions.c - predictions, in the order in which they were made */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/base/unused.h"
#include "predictor/store/write_batch.h"
#include "predictor/store/copy.h"
#include "predictor/store/write.h"

/* --- What its user would be advised --------------------------------------- */

#define ADVICE_BATCH_S 0.1 /* others of the batch get no advice */

/* The tasks of an array share them. */
struct advice_runs {
	const struct prediction *of; /* the one before; NULL: none */
	size_t count;
	struct used_run *runs;
};

static int read_runs(struct connection *connection, const struct prediction *p,
		     struct advice_runs *known, struct sp_error *err)
{
	static const struct row_query query = { &statement_used_runs,
						&prediction_point_columns,
						&used_run_columns,
						sizeof(*known->runs),
						0,
						NULL };
	const struct prediction *of = known->of;

	if (of && of->user_id == p->user_id && of->seen == p->seen &&
	    !strcmp(of->application.name, p->application.name) &&
	    !strcmp(of->cluster, p->cluster))
		return 0;
	free(known->runs);
	*known = (struct advice_runs){ 0 };
	known->runs =
		connection_rows(connection, &query, p, &known->count, err);
	if (!known->runs)
		return -1;
	known->of = p;
	return 0;
}

static void advise(struct prediction *p, const struct advice_runs *known)
{
	const struct used_run like = {
		.nodes = p->nodes,
		.tasks = p->tasks,
		.memory_mb = p->memory_mb,
		.parameters = p->application.parameters,
		.quantile_s = prediction_sure_quantile_s(p),
		.memory_unadvised = p->memory_unadvised,
	};
	struct next_request next;

	next_request_find(&like, known->runs, known->count, &next);
	p->advised_s = isfinite(next.limit_s) ? next.limit_s : 0;
	p->advised_memory_mb = isfinite(next.memory_mb) ? next.memory_mb : 0;
	p->advised_cpus = next.cpus;
}

/* Only what is known by their submission counts: their runs come later. */
static void advise_all(struct connection *connection,
		       struct prediction_item *list)
{
	double end_s = clock_monotonic_s() + ADVICE_BATCH_S;
	struct advice_runs known = { 0 };
	struct sp_error why;

	for (struct prediction_item *i = list; i && clock_monotonic_s() < end_s;
	     i = fifo_next(&i->link)) {
		struct prediction *p = &i->prediction;

		if (p->stage != STAGE_SUBMISSION || !p->application.name[0])
			continue;
		if (read_runs(connection, p, &known, &why)) {
			log_warning("advice: %s", why.text);
			break;
		}
		advise(p, &known);
	}
	free(known.runs);
}

/* --- Writing -------------------------------------------------------------- */

static int predictions_write(struct connection *connection, void *const items[],
			     size_t count, void *origin, struct sp_error *err)
{
	struct tuples predictions;
	bool renewed = false;

	tuples_init(&predictions, &prediction_columns);
	for (size_t i = 0; i < count; i++) {
		const struct prediction *p =
			&((struct prediction_item *)items[i])->prediction;

		tuples_add(&predictions, p);
		renewed = renewed || p->stage != STAGE_SUBMISSION;
	}
	int rc = copy_in(connection, copy_predictions, &predictions, err);

	tuples_clear(&predictions);
	if (rc < 0 ||
	    connection_run(connection, &statement_prediction_clusters, NULL,
			   NULL, NULL, err) < 0 ||
	    connection_run(connection, &statement_prediction_applications, NULL,
			   NULL, NULL, err) < 0 ||
	    connection_run(connection, &statement_predictions, NULL, origin,
			   NULL, err) < 0)
		return -1;
	return renewed ? connection_run(connection,
					&statement_predictions_renew, NULL,
					NULL, NULL, err)
		       : 0;
}

/* An empty id marks a prediction that was refused. */
static void prediction_refused(void *item, void *context UNUSED,
			       const struct sp_error *why)
{
	struct prediction *p = &((struct prediction_item *)item)->prediction;

	log_error("prediction %.16s is not stored: %s", p->id, why->text);
	p->id[0] = '\0';
}

static const struct batch_writer predictions_writer = {
	.write = predictions_write,
	.refused = prediction_refused,
};

int write_predictions(struct connection *connection, int64_t origin,
		      struct prediction_item *list, size_t *ret_dropped,
		      struct sp_error *err)
{
	void *items[QUEUE_BATCH_PREDICTIONS] = { NULL };
	struct sp_error why;
	size_t count = 0, dropped = 0;

	for (struct prediction_item *i = list; i; i = fifo_next(&i->link)) {
		if (rows_check(&prediction_columns, &i->prediction,
			       "prediction", &why) < 0)
			prediction_refused(i, NULL, &why);
		else if (count < QUEUE_BATCH_PREDICTIONS)
			items[count++] = i;
	}
	advise_all(connection, list);
	if (batch_write(connection, &predictions_writer, items, count, &origin,
			err) < 0)
		return -1;
	for (struct prediction_item *i = list; i; i = fifo_next(&i->link))
		dropped += i->prediction.id[0] == '\0';
	*ret_dropped = dropped;
	return 0;
}
