/* SPDX-License-Identifier: GPL-2.0-or-later */
/* predicting.c - predictions at submission, while a job waits, and at its start
 *
 * A prediction goes: application and parameters from the submission (without a
 * lock), nodes that it may get (assumed_set.c), then, under engine->lock, their
 * conditions, what each model says, which is believed, and how far off that may
 * be.  Between these steps no lock is held: two predictions made at the same
 * time may assume the same free nodes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/engine_state.h"
#include "predictor/engine/nodes/assumed_set.h"
#include "predictor/engine/nodes/block_weights.h"
#include "predictor/engine/nodes/job_model.h"
#include "predictor/engine/nodes/node_sets_state.h"
#include "predictor/engine/nodes/nodes_choice.h"
#include "predictor/engine/nodes/rejected_set.h"
#include "predictor/engine/prediction_fill.h"
#include "predictor/engine/prediction_records.h"
#include "predictor/engine/refresh.h"
#include "predictor/engine/subjects.h"
#include "predictor/engine/waiting.h"
#include "predictor/ensemble/evidence_level.h"
#include "predictor/ensemble/knots_mix.h"
#include "predictor/features/array_size.h"
#include "predictor/features/node_facts.h"
#include "predictor/placement/allocations.h"
#include "predictor/scheduler/start_costs.h"

/* A prediction made again is kept if it differs by this much, in logarithms. */
#define NOTICED 0.01

/* Quantiles that few runs give at all. */
#define QUANTILE_MIN 0.001
#define QUANTILE_MAX 0.999

/* --- The query point ------------------------------------------------------ */

/* What decides on which nodes the job may run, and on how many. */
struct node_needs {
	struct node_facts *facts; /* a reference; NULL: not known */
	struct node_demand demand;
	uint32_t cpus_per_node; /* 0: not known */
	bool unfit;             /* there are too few nodes */
};

static void node_needs_init(struct engine *engine, const struct submission *job,
			    struct node_needs *ret)
{
	ret->facts =
		engine_node_facts(engine, job->cluster ? job->cluster : "");
	ret->cpus_per_node = 0;
	ret->unfit = false;
	if (!ret->facts)
		return;
	node_demand_of(job, &ret->demand);
	ret->cpus_per_node = node_facts_cpus_per_node(ret->facts, &ret->demand,
						      job->partition);
	ret->unfit = !node_facts_hold(ret->facts, &ret->demand, job->partition,
				      &job->size);
}

/* --- Predicting ----------------------------------------------------------- */

/* A job, the nodes that it runs on or is assumed to, and its submission. */
struct asked_job {
	uint64_t ticket;
	const struct hostlist *nodes;
	double submitted_at_s;
};

/* Conditions are over `horizon_s`.  Gives the longest run time that is
 * possible. */
static double ensemble_ask(struct engine *engine, const struct asked_job *job,
			   double horizon_s, struct prediction *p)
{
	struct nodes_job_view view;
	struct subject subject;
	struct verdict verdict;

	engine_subject(p, &subject);
	subject.submitted_at_s = job->submitted_at_s;
	if (nodes_view_job(engine->nodes, p->cluster, job->nodes, p->made_at_s,
			   horizon_s, &view) == 0)
		subject.job_nodes = &view.of;
	ensemble_predict(engine->learned.ensemble, &subject, &p->conditions,
			 p->made_at_s, job->ticket, &verdict);
	prediction_take(p, &verdict);
	prediction_take_unlike(engine->learned.ensemble, &subject, &verdict, p);
	evidence_find(ensemble_history(engine->learned.ensemble), &subject,
		      &verdict, p);
	track_record_read(engine->learned.track_record, p, &p->judged,
			  &p->held);
	return verdict.most_s;
}

/* --- Horizon of conditions ---------------------------------------------------
 * Conditions are those over the time that the job will run, which depends on
 * them a little.  So it is predicted twice, first as if for a usual time; but
 * not if a job of this kind was predicted before. */

static void set_conditions(struct engine *engine, const struct hostlist *nodes,
			   double horizon_s, struct prediction *p)
{
	const struct block_weights_key key = block_weights_key(p);
	double room[PLACEMENT_WEIGHTS_MAX];

	nodes_conditions(
		engine->nodes, p->cluster, nodes,
		block_weights_work(engine->block_weights, &key, nodes, room),
		p->made_at_s, horizon_s, &p->conditions);
}

/* Return the conditions on the assumed nodes, as far ahead as the job will
 * run; how far that is. */
static double predict_ahead(struct engine *engine, const struct hostlist *nodes,
			    double submitted_at_s, struct prediction *p)
{
	const struct asked_job job = { 0, nodes, submitted_at_s };

	if (p->conditions.nodes_known == 0)
		return NODES_HORIZON_S;
	ensemble_ask(engine, &job, NODES_HORIZON_S, p);
	if (p->basis != BASIS_HISTORY || !isfinite(p->median_s))
		return NODES_HORIZON_S;
	set_conditions(engine, nodes, p->median_s, p);
	return p->median_s;
}

static void model_of(struct engine *engine, const struct prediction *p,
		     struct placement_model *ret)
{
	job_model(engine->profiles, engine->block_weights, engine->nodes, p,
		  job_model_median_s(p), ret);
}

/* For schedulers, as soon as the job has an id. */
static void waiting_add(struct engine *engine, const struct prediction *p,
			const struct placement_curve *curve,
			const struct waiting_placing *placing)
{
	struct placement_model model;

	model_of(engine, p, &model);
	model.curve = *curve;
	waiting_put(engine->waiting, p, &model, placing);
}

/* Keep what was predicted again, or came from the store, and pass it to
 * schedulers; -1: out of memory. */
static int waiting_update(struct engine *engine, const struct prediction *p)
{
	struct placement_model model;

	model_of(engine, p, &model);
	waiting_renew(engine->waiting, p->id, &model);
	return predictions_put(engine->predictions, p);
}

/* What is needed to choose nodes. */
static void predict_begin(struct engine *engine, bool remember,
			  struct prediction *p, struct placement_model *ret)
{
	if (remember) {
		predictions_name(engine->predictions, p);
		known_clusters_add(&engine->clusters, p->cluster);
	}
	if (!*p->cluster)
		memcpy(p->cluster, engine->cluster, sizeof(p->cluster));

	float expected_s = engine_horizon(engine, p)->seconds;

	job_model(engine->profiles, engine->block_weights, engine->nodes, p,
		  expected_s > 0 ? (double)expected_s : NAN, ret);
}

/* The job may get another set than the assumed one. */
static void sets_mix(const struct assumed *assumed, double most_s,
		     struct prediction *p)
{
	double median_s = verdict_quantile(p->knots_s, 0.5);

	if (p->basis != BASIS_HISTORY || assumed->count < 2)
		return;
	knots_mix(p->knots_s, assumed->count, assumed->weights, assumed->ratios,
		  most_s);
	p->median_s =
		fmin(most_s, p->median_s * verdict_quantile(p->knots_s, 0.5) /
				     median_s);
	p->quantile_s = verdict_quantile(p->knots_s, p->quantile);
}

/* The run time, on the nodes that were chosen. */
static void predict_on(struct engine *engine, const struct assumed *assumed,
		       double submitted_at_s, struct prediction *p)
{
	const struct asked_job job = { engine_ticket(p->id), &assumed->nodes,
				       submitted_at_s };
	struct horizon *horizon = engine_horizon(engine, p);
	bool known = horizon->seconds > 0;
	double ahead_s = known ? (double)horizon->seconds : NODES_HORIZON_S;

	p->seen = engine->change + 1;
	set_conditions(engine, job.nodes, ahead_s, p);
	if (!known)
		ahead_s = predict_ahead(engine, job.nodes, submitted_at_s, p);

	double most_s = ensemble_ask(engine, &job, ahead_s, p);

	if (p->basis == BASIS_HISTORY && isfinite(p->median_s))
		horizon->seconds = (float)p->median_s;
	sets_mix(assumed, most_s, p);
}

/* Return whether our select plugin chooses the job's nodes; of a what-if, as
 * the mode has it by default. */
static bool is_placed(const struct submission *job, enum prediction_mode mode,
		      bool remember)
{
	return job->placed || (!remember && mode == MODE_ACT);
}

/* Return the start cost if tasks are short against it, else 0. */
static double start_cost_that_matters(struct engine *engine,
				      const struct prediction *p)
{
	int count;
	double cost_s = p->basis == BASIS_HISTORY && p->nodes <= 1
				? start_costs_mean(engine->start_costs,
						   p->cluster, &count)
				: NAN;

	return p->median_s < BUNDLE_PLAIN_COSTS * cost_s ? cost_s : 0;
}

void engine_predict(struct engine *engine, const struct submission *job,
		    enum prediction_mode mode, double quantile, double now_s,
		    bool remember, struct prediction *ret)
{
	struct placement_model model;
	struct placement_curve curve;
	struct node_needs needs;
	struct hostlist required, excluded;
	struct assumed assumed;

	node_needs_init(engine, job, &needs);
	prediction_begin(job, needs.cpus_per_node, ret);
	ret->mode = mode;
	ret->made_at_s = now_s;
	ret->unfit = needs.unfit;
	ret->quantile = fmin(fmax(quantile, QUANTILE_MIN), QUANTILE_MAX);
	engine_nodes_choose(engine, job, needs.cpus_per_node, ret, &curve);
	sets_expand(job->required_nodes, &required);
	sets_expand(job->excluded_nodes, &excluded);
	ordered_lock_take(&engine->lock);
	predict_begin(engine, remember, ret, &model);
	ordered_lock_give(&engine->lock);

	const struct assumed_request request = {
		.model = &model,
		.required = &required,
		.excluded = &excluded,
		.facts = needs.facts,
		.demand = &needs.demand,
		.placed = is_placed(job, mode, remember),
	};
	const struct waiting_placing placing = {
		.free = !required.count && !excluded.count,
		.placed = request.placed,
	};

	assumed_choose(engine, ret, &request, &assumed);
	hostlist_compress(&assumed.nodes, ret->assumed_nodes,
			  sizeof(ret->assumed_nodes));
	ordered_lock_take(&engine->lock);
	predict_on(engine, &assumed, now_s, ret);
	engine->predictions_made++;
	engine->predictions_with_history += ret->basis == BASIS_HISTORY;
	ret->start_cost_s = start_cost_that_matters(engine, ret);
	/* Else the user knows them, or may not. */
	if (!required.count && needs.facts && !needs.facts->nodes_hidden)
		assumed_show(&assumed, ret);
	if (remember) {
		waiting_add(engine, ret, &curve, &placing);
		refresh_add(engine->refresh, ret, &assumed);
		if (assumed.starts)
			allocations_expect(engine->allocations, ret,
					   &assumed.nodes);
	}
	ordered_lock_give(&engine->lock);
	hostlist_clear(&required);
	hostlist_clear(&excluded);
	node_facts_put(needs.facts);
}

int engine_keep(struct engine *engine, const struct prediction *p,
		struct sp_error *err)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	return predictions_put(engine->predictions, p)
		       ? sp_error_set(err, "out of memory for predictions")
		       : 0;
}

int engine_remember(struct engine *engine, const struct prediction *p,
		    struct sp_error *err)
{
	if (strlen(p->id) != PREDICTION_ID_SIZE - 1)
		return sp_error_set(err, "prediction %s: no such id", p->id);

	static const struct waiting_placing not_known = { .free = false };
	static const struct placement_curve no_curve = { .reach = 0 };

	ORDERED_LOCK_HOLD(&engine->lock);
	struct prediction known;
	int rc;

	if (!predictions_get(engine->predictions, p->id, p->stage, &known) &&
	    known.made_at_s >= p->made_at_s) {
		rc = 0; /* the history was read again */
	} else if (p->stage == STAGE_WAITING) {
		rc = waiting_update(engine, p);
	} else {
		rc = predictions_put(engine->predictions, p);
		if (!rc && p->stage == STAGE_SUBMISSION)
			waiting_add(engine, p, &no_curve, &not_known);
	}
	return rc ? sp_error_set(err, "out of memory for predictions") : 0;
}

/* A job that leaves the number of nodes open may have got another. */
static void size_take(const struct run *run, struct prediction *p)
{
	if (!run->nodes || run->nodes == p->nodes)
		return;
	p->nodes = run->nodes;
	p->tasks = run->tasks;
	p->cpus = run->cpus;
	p->memory_mb = run->memory_mb;
}

/* Made again, on the nodes that it was given.  0: remembered; 1: there is
 * nothing to be made again, or it was; -1: out of memory. */
static int predict_start(struct engine *engine, const struct run *run,
			 struct prediction *p)
{
	struct prediction known;

	if (predictions_of_run(engine->predictions, run, p) ||
	    !predictions_get(engine->predictions, p->id, STAGE_START, &known))
		return 1;
	if (!*p->cluster)
		memcpy(p->cluster, run->cluster, sizeof(p->cluster));

	struct hostlist nodes;
	const struct asked_job job = { engine_ticket(p->id), &nodes,
				       p->made_at_s };

	p->stage = STAGE_START;
	p->seen = engine->change + 1;
	p->made_at_s = run->started_at_s;
	size_take(run, p);
	prediction_text(p->assumed_nodes, sizeof(p->assumed_nodes),
			run->node_list);
	p->conditions = run->before;
	sets_expand(run->node_list, &nodes);
	ensemble_ask(engine, &job,
		     isfinite(p->median_s) ? p->median_s : NODES_HORIZON_S, p);
	hostlist_clear(&nodes);
	ensemble_start(engine->learned.ensemble, job.ticket, run->started_at_s);
	return predictions_put(engine->predictions, p);
}

bool engine_predict_start(struct engine *engine, const struct run *run,
			  struct prediction *ret)
{
	if (run->state != RUN_RUNNING || !isfinite(run->started_at_s))
		return false;
	ordered_lock_take(&engine->lock);

	int rc = engine->loading ? 1 : predict_start(engine, run, ret);

	ordered_lock_give(&engine->lock);
	if (!rc)
		rejected_find(engine, run, ret);
	return !rc;
}

/* --- Again while the job waits -------------------------------------------- */

/* Take the next job, as it was predicted at its submission; false: none. */
static bool refresh_next(struct engine *engine, double now_s,
			 struct prediction *ret, struct assumed *ret_assumed,
			 bool *ret_due)
{
	char id[PREDICTION_ID_SIZE];

	ORDERED_LOCK_HOLD(&engine->lock);

	uint64_t number = engine->loading ? 0
					  : refresh_take(engine->refresh, now_s,
							 ret_assumed, ret_due);

	snprintf(id, sizeof(id), "%016" PRIx64, number);
	return number &&
	       !predictions_get(engine->predictions, id, STAGE_SUBMISSION, ret);
}

/* Return whether people and schedulers would notice. */
static bool differs(const struct prediction *p, const struct prediction *known)
{
	return p->basis != known->basis ||
	       (p->basis == BASIS_HISTORY &&
		(!(fabs(log(p->median_s / known->median_s)) < NOTICED) ||
		 !(fabs(log(p->quantile_s / known->quantile_s)) < NOTICED)));
}

bool engine_refresh(struct engine *engine, double now_s, struct prediction *ret,
		    bool *ret_due)
{
	struct prediction known;
	struct assumed assumed;
	bool started;

	*ret_due = false;
	if (!refresh_next(engine, now_s, ret, &assumed, ret_due))
		return false;
	sets_expand(ret->assumed_nodes, &assumed.nodes);
	known = *ret;
	ret->stage = STAGE_WAITING;
	ret->made_at_s = now_s;
	ordered_lock_take(&engine->lock);

	/* It may have started, and its place be another job's. */
	bool changed = !engine->loading &&
		       refresh_waits(engine->refresh, engine_ticket(ret->id),
				     &started);

	if (changed) {
		predict_on(engine, &assumed, known.made_at_s, ret);
		ret->start_cost_s = start_cost_that_matters(engine, ret);
		predictions_get(engine->predictions, ret->id, STAGE_WAITING,
				&known);
		changed = differs(ret, &known) && !waiting_update(engine, ret);
	}
	ordered_lock_give(&engine->lock);
	hostlist_clear(&assumed.nodes);
	return changed && !started;
}

double engine_remaining_s(const struct prediction *p, double elapsed_s,
			  double probability)
{
	return verdict_remaining(p->knots_s, p->levels, elapsed_s, probability);
}
