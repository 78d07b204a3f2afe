/* SPDX-License-Identifier: GPL-2.0-or-later */
/* learn.c - runs: their application and conditions, and learning from them
 *
 * engine_complete_run() fills in a run before it is stored, engine_learn()
 * learns from it afterwards; while the past is being loaded, loading.c does.
 * Static functions are called under engine->lock, except placement_learn().
 */
#include <math.h>

#include "predictor/engine/engine_state.h"
#include "predictor/engine/job_records.h"
#include "predictor/engine/loading.h"
#include "predictor/engine/nodes/assumed_set.h"
#include "predictor/engine/nodes/block_weights.h"
#include "predictor/engine/nodes/node_sets_state.h"
#include "predictor/engine/prediction_records.h"
#include "predictor/engine/refresh.h"
#include "predictor/engine/subjects.h"
#include "predictor/engine/waiting.h"
#include "predictor/features/script/identify.h"
#include "predictor/placement/allocations.h"
#include "predictor/scheduler/start_costs.h"

/* --- Completing ----------------------------------------------------------- */

static void application_find(const struct engine *engine,
			     const struct run *known, struct run *run)
{
	struct prediction p;

	if (predictions_of_run(engine->predictions, run, &p) == 0)
		run->application = p.application;
	else if (known && *known->application.name)
		run->application = known->application;
	else if (!*run->application.name)
		application_from_name(run->job_name, &run->application);
}

/* How long the run will take, which is how far ahead its conditions are
 * forecast. */
static double run_expected_s(const struct engine *engine, const struct run *run)
{
	struct prediction p;

	if (predictions_of_run(engine->predictions, run, &p) ||
	    p.basis != BASIS_HISTORY || !isfinite(p.median_s))
		return NODES_HORIZON_S;
	return p.median_s;
}

static void set_before(const struct engine *engine, const struct hostlist *list,
		       struct run *run)
{
	const struct block_weights_key key = {
		.user_id = run->user_id,
		.tasks = run->tasks,
		.nodes = run->nodes,
		.cluster = run->cluster,
		.application = run->application.name,
	};
	double room[PLACEMENT_WEIGHTS_MAX];

	nodes_conditions(
		engine->nodes, run->cluster, list,
		block_weights_work(engine->block_weights, &key, list, room),
		run->started_at_s, run_expected_s(engine, run), &run->before);
}

bool engine_complete_run(struct engine *engine, struct run *run)
{
	struct hostlist list = { 0 };
	struct run job;

	if (*run->node_list && hostlist_expand(run->node_list, &list, NULL))
		list = (struct hostlist){ 0 };
	ordered_lock_take(&engine->lock);
	if (predictions_is_foreign(engine->predictions, run))
		run->prediction_id[0] = '\0';

	bool known = job_records_get(engine->jobs, run->cluster, run->job_id,
				     &job) == 0 &&
		     job.started_at_s == run->started_at_s;

	/* A report whose reply was lost comes again. */
	bool again = known && job.state != RUN_RUNNING;

	bool missed = run->state != RUN_RUNNING && !again &&
		      !*run->prediction_id && *run->application.name;

	application_find(engine, known ? &job : NULL, run);
	set_before(engine, &list, run);
	/* The measurements of a long run are gone, but not what was forecast
	 * for it when it started. */
	if (known && job.before.nodes_known &&
	    job.before.nodes_known >= run->before.nodes_known)
		run->before = job.before;
	ordered_lock_give(&engine->lock);
	hostlist_clear(&list);
	return missed;
}

void engine_note_missed(struct engine *engine, uint64_t jobs)
{
	engine->missed += jobs;
}

/* --- Learning ------------------------------------------------------------- */

static int run_learn_end(struct engine *engine, const struct run *run,
			 struct sp_error *err)
{
	struct learned *l = &engine->learned;
	struct run example = *run;
	struct prediction p;
	bool predicted = predictions_of_run(engine->predictions, run, &p) == 0;
	struct past_job job;

	if (!*run->application.name)
		application_from_name(run->job_name, &example.application);
	engine_past_job(&example, predicted ? &p : NULL, &job);
	if (ensemble_end(l->ensemble, predicted ? engine_ticket(p.id) : 0, &job,
			 err))
		return -1;
	if (predicted)
		learned_score(l, run, &p);
	return 0;
}

static int run_learn(struct engine *engine, const struct run *run,
		     struct sp_error *err)
{
	struct prediction p;

	/* The end of a lost run may still be reported. */
	if (run->state == RUN_LOST &&
	    !predictions_of_run(engine->predictions, run, &p))
		ensemble_lose(engine->learned.ensemble, engine_ticket(p.id));
	if (run->state == RUN_RUNNING || run->state == RUN_LOST ||
	    learned_knows(&engine->learned, run))
		return 0;
	if (index_reserve(&engine->learned.ended))
		return sp_error_set(err, "job %u: out of memory", run->job_id);
	if (run_learn_end(engine, run, err))
		return -1;
	learned_note(&engine->learned, run);
	return 0;
}

/* Return whether the job is done with, and will not wait again. */
static bool is_final(const struct run *run)
{
	return run->state != RUN_RUNNING && run->state != RUN_LOST &&
	       !run_is_requeued(run);
}

static void refresh_update(struct engine *engine, const struct run *run)
{
	struct prediction p;

	if (!refresh_note(engine->refresh, run) && run_is_requeued(run) &&
	    !predictions_of_run(engine->predictions, run, &p))
		refresh_add(engine->refresh, &p, NULL);
}

/* Return whether the end of the run is known: the newest runs are loaded
 * twice. */
static bool has_ended(const struct engine *engine, const struct run *run)
{
	struct run known;

	return !job_records_get(engine->jobs, run->cluster, run->job_id,
				&known) &&
	       known.started_at_s == run->started_at_s && is_final(&known);
}

static int job_update(struct engine *engine, const struct run *run,
		      const struct hostlist *nodes, struct sp_error *err)
{
	engine_note_cluster(engine, run->cluster);
	allocations_note(engine->allocations, run, nodes, run->started_at_s);
	if (!engine->loading)
		refresh_update(engine, run);
	if (is_final(run)) {
		waiting_end(engine->waiting, run);
		if (!has_ended(engine, run))
			start_costs_note(engine->start_costs, run);
	}
	if (job_records_put(engine->jobs, run))
		return sp_error_set(err, "job %u: out of memory", run->job_id);
	return 0;
}

/* Return whether this is the first report of a run that has started on nodes
 * that the user left open; its prediction then. */
static bool starts_freely(struct engine *engine, const struct run *run,
			  struct prediction *ret,
			  struct waiting_placing *ret_placing)
{
	struct run known;

	if (engine->loading || run->state != RUN_RUNNING ||
	    (!job_records_get(engine->jobs, run->cluster, run->job_id,
			      &known) &&
	     known.started_at_s == run->started_at_s))
		return false;
	allocations_forget(engine->allocations, run->prediction_id);
	return !predictions_of_run(engine->predictions, run, ret) &&
	       !waiting_find_placing(engine->waiting, ret->id, ret_placing) &&
	       ret_placing->free;
}

static void placement_learn(struct engine *engine, const struct run *run)
{
	struct waiting_placing placing;
	struct prediction p;

	ordered_lock_take(&engine->lock);

	bool freely = starts_freely(engine, run, &p, &placing);

	ordered_lock_give(&engine->lock);
	if (freely)
		assumed_learn(engine, run, &p, placing.placed);
}

int engine_learn(struct engine *engine, const struct run *run,
		 struct sp_error *err)
{
	if (!isfinite(run->started_at_s))
		return sp_error_set(err, "job %u: no start time", run->job_id);
	if (run->state != RUN_RUNNING && !isfinite(run->ended_at_s))
		return sp_error_set(err, "job %u: no end time", run->job_id);
	if (run_runtime_s(run) < 0)
		return sp_error_set(err, "job %u: bad run time %g", run->job_id,
				    run_runtime_s(run));

	struct hostlist nodes; /* may be thousands: not under the lock */

	placement_learn(engine, run);
	sets_expand(run->state == RUN_RUNNING ? run->node_list : "", &nodes);
	ordered_lock_take(&engine->lock);

	struct loading *loading = engine->loading;
	int rc = loading ? 0 : run_learn(engine, run, err);

	if (!rc && !loading && run->change > engine->change)
		engine->change = run->change;
	if (!rc)
		rc = job_update(engine, run, &nodes, err);
	ordered_lock_give(&engine->lock);
	hostlist_clear(&nodes);
	if (!rc && loading)
		rc = loading_add(engine, run, err);
	return rc;
}
