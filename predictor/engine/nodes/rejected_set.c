/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rejected_set.c - the best node set that a job did not get
 *
 * When a job starts, the nodes of other running jobs were not there to be
 * chosen.  The best set of the rest is compared with the one that the job got;
 * where that is the best itself, with the best set that lacks one of its nodes.
 * Nothing is done unless a scheduler or a user had a snapshot made lately.
 *
 * Works on a reference to the snapshot and on memory of its own; the engine's
 * lock is held for each running job in turn, and to note the result.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/engine/engine_state.h"
#include "predictor/engine/nodes/job_model.h"
#include "predictor/engine/nodes/node_sets_state.h"
#include "predictor/engine/nodes/rejected_set.h"
#include "predictor/engine/nodes/snapshots_state.h"
#include "predictor/engine/prediction_records.h"
#include "predictor/engine/subjects.h"

#define REJECTED_MAX       4096
#define REJECTED_BYTES_MAX (1u << 20)

/* With more jobs in memory than this, nodes of running jobs count as free. */
#define JOBS_SCANNED_MAX 8192

/* Larger jobs are not compared: each of their nodes is left out once. */
#define GIVEN_MAX 64

struct rejected_record {
	uint64_t id;
	struct engine_set set;
};

struct records *rejected_create(void)
{
	return records_create(sizeof(struct rejected_record), REJECTED_MAX,
			      REJECTED_BYTES_MAX);
}

static void leave_out_busy(struct engine *engine, struct chooser *c,
			   const struct run *mine)
{
	struct run *run = malloc(sizeof(*run));
	uint64_t cursor = 0;
	bool more = run != NULL;

	while (more) {
		struct hostlist nodes;

		ordered_lock_take(&engine->lock);
		more = records_count(engine->jobs) <= JOBS_SCANNED_MAX &&
		       !records_next(engine->jobs, &cursor, run);
		ordered_lock_give(&engine->lock);
		if (!more || run->state != RUN_RUNNING ||
		    run->job_id == mine->job_id ||
		    strcmp(run->cluster, mine->cluster) != 0)
			continue;
		sets_expand(run->node_list, &nodes);
		chooser_leave_out(c, &nodes, true);
		hostlist_clear(&nodes);
	}
	free(run);
}

/* Find the best set that lacks a node of `given`, for each node in turn.
 * False: there is none. */
static bool best_other(struct chooser *c, const struct hostlist *given,
		       double given_s, double median_s, struct engine_set *ret)
{
	double best_s = HUGE_VAL;

	for (size_t i = 0; i < given->count; i++) {
		struct hostlist one = { .count = 1, .names = &given->names[i] };
		struct rank_set worth;

		chooser_leave_out(c, &one, true);
		if (!chooser_best(c, &worth) && worth.runtime_s < best_s) {
			best_s = worth.runtime_s;
			sets_describe(c, &worth, given_s, median_s, ret);
		}
		chooser_leave_out(c, &one, false);
	}
	return isfinite(best_s);
}

static void record_rejected(struct engine *engine, struct prediction *p,
			    const struct engine_set *set)
{
	struct rejected_record record = { .id = engine_ticket(p->id),
					  .set = *set };

	strcpy(p->rejected_nodes, set->nodes);
	p->rejected_s = set->median_s;
	ORDERED_LOCK_HOLD(&engine->lock);

	records_put(engine->rejected, record.id, &record, false);
	predictions_replace(engine->predictions, p);
}

static void compare_sets(struct engine *engine, struct chooser *c,
			 const struct hostlist *given, const struct run *run,
			 struct prediction *p)
{
	struct rank_set worth;
	struct engine_set other = { .median_s = NAN };

	leave_out_busy(engine, c, run);
	if (!chooser_evaluate(c, given, &worth) &&
	    best_other(c, given, worth.runtime_s, job_model_median_s(p),
		       &other))
		record_rejected(engine, p, &other);
}

void rejected_find(struct engine *engine, const struct run *run,
		   struct prediction *p)
{
	struct snapshot *snapshot =
		snapshots_current(engine, run->cluster, clock_now_s(), NULL);
	struct chooser *c = snapshot ? chooser_create() : NULL;
	struct node_facts *facts = engine_node_facts(engine, run->cluster);
	struct node_demand demand;
	struct placement_model model;
	struct hostlist given;

	sets_demand(p, &demand);
	sets_expand(run->node_list, &given);

	struct chooser_request request = sets_request(p, snapshot, &model);

	request.nodes = (uint32_t)given.count;
	request.facts = facts;
	request.demand = &demand;
	ordered_lock_take(&engine->lock);
	job_model(engine->profiles, engine->block_weights, engine->nodes, p,
		  job_model_median_s(p), &model);
	ordered_lock_give(&engine->lock);
	if (c && given.count > 0 && given.count <= GIVEN_MAX &&
	    !chooser_begin(c, &request))
		compare_sets(engine, c, &given, run, p);
	chooser_destroy(c);
	snapshot_put(snapshot);
	node_facts_put(facts);
	hostlist_clear(&given);
}

/* --- Queries -------------------------------------------------------------- */

/* As far as it was stored with the prediction. */
static void set_of_prediction(const struct prediction *p,
			      struct engine_set *ret)
{
	*ret = (struct engine_set){
		.median_s = p->rejected_s,
		.ratio = p->rejected_s / job_model_median_s(p),
		.cpu_available = NAN,
		.bandwidth_bps = NAN,
		.latency_s = NAN,
	};
	strcpy(ret->nodes, p->rejected_nodes);
}

int engine_rejected_set(struct engine *engine, const char *id,
			struct engine_set *ret)
{
	struct rejected_record record;
	struct prediction p;

	ordered_lock_take(&engine->lock);

	bool whole = !records_get(engine->rejected, engine_ticket(id), &record);
	bool kept = !whole &&
		    !predictions_get(engine->predictions, id, STAGE_START, &p);

	ordered_lock_give(&engine->lock);
	if (whole)
		*ret = record.set;
	else if (kept && p.rejected_nodes[0])
		set_of_prediction(&p, ret);
	else
		return -1;
	return 0;
}
