/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inspect.c - queries: predictions, jobs, applications, accuracy, counts
 *
 * All of these read the engine's state under engine->lock.  Visitors are called
 * under it, so they must be quick: they copy a row into a reply.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/job_records.h"
#include "predictor/engine/prediction_records.h"
#include "predictor/engine/engine_state.h"
#include "predictor/stats/quantile.h"

int engine_prediction(struct engine *engine, const char *id,
		      enum prediction_stage stage, struct prediction *ret)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	return predictions_get(engine->predictions, id, stage, ret);
}

int engine_prediction_waiting(struct engine *engine, const char *id,
			      struct prediction *ret)
{
	return engine_prediction(engine, id, STAGE_WAITING, ret)
		       ? engine_prediction(engine, id, STAGE_SUBMISSION, ret)
		       : 0;
}

int engine_prediction_of_run(struct engine *engine, const struct run *run,
			     enum prediction_stage stage,
			     struct prediction *ret)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	int rc = predictions_of_run(engine->predictions, run, ret);

	if (rc == 0 && stage != STAGE_SUBMISSION)
		rc = predictions_get(engine->predictions, run->prediction_id,
				     stage, ret);
	return rc;
}

/* Job ids are used again: the newest run with that id may be another. */
static bool is_run_of_user(const struct engine *engine,
			   const struct prediction *p,
			   const struct prediction_evidence *e,
			   uint32_t user_id)
{
	struct run run;

	return !job_records_get(engine->jobs, p->cluster, e->job_id, &run) &&
	       run.user_id == user_id &&
	       fabs(run_runtime_s(&run) - e->runtime_s) <=
		       0.001 * e->runtime_s + 0.001;
}

void engine_evidence_of_user(struct engine *engine, uint32_t user_id,
			     struct prediction *p)
{
	ORDERED_LOCK_HOLD(&engine->lock);
	int kept = 0;

	for (int i = 0; i < p->evidence_count; i++)
		if (is_run_of_user(engine, p, &p->evidence[i], user_id))
			p->evidence[kept++] = p->evidence[i];
	p->evidence_count = kept;
}

int engine_job(struct engine *engine, const char *cluster, uint32_t job_id,
	       struct run *ret)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	return job_records_get(engine->jobs,
			       cluster && *cluster ? cluster : engine->cluster,
			       job_id, ret);
}

/* --- Applications --------------------------------------------------------- */

/* The median of an application is that of at most this many of its runs, the
 * newest of each size. */
#define MEDIAN_RUNS 1024

static double median_of(const struct history *h,
			const struct history_application *a)
{
	double runtimes[MEDIAN_RUNS];
	size_t count = 0;

	for (uint32_t g = a->groups; g != INDEX_NONE && count < MEDIAN_RUNS;
	     g = h->groups[g].next) {
		const struct history_group *group = &h->groups[g];

		for (uint32_t i = group->count; i-- > 0 && count < MEDIAN_RUNS;)
			if (group->runs[i].end == OUTCOME_COMPLETED)
				runtimes[count++] = group->runs[i].runtime_s;
	}
	return quantile_sample(runtimes, count, 0.5);
}

/* Bounds the time: an older run is compared with the newest few only. */
#define ALIKE_PAIRS_MAX 64
#define ALIKE_BACK_MAX  16

/* Return the newest run before `run` with the same values; `run`
 * itself: none. */
static uint32_t find_alike(const struct history_group *g, size_t names,
			   uint32_t run)
{
	const double *values = g->values + run * names;

	for (uint32_t i = run; i-- > 0 && run - i <= ALIKE_BACK_MAX;)
		if (g->runs[i].end == OUTCOME_COMPLETED &&
		    (names == 0 || !memcmp(g->values + i * names, values,
					   names * sizeof(*values))))
			return i;
	return run;
}

/* From differences of ln(run time) between a run and the one before with the
 * same size and parameters: half of their mean square estimates the variance
 * (J. von Neumann, Annals of Mathematical Statistics 12, 1941), also where
 * times drift. */
static void measure_alike(const struct history *h,
			  const struct history_application *a,
			  struct engine_application *ret)
{
	double squares = 0;

	for (uint32_t g = a->groups;
	     g != INDEX_NONE && ret->alike_pairs < ALIKE_PAIRS_MAX;
	     g = h->groups[g].next) {
		const struct history_group *group = &h->groups[g];
		size_t names = (size_t)h->names[group->names].count;

		for (uint32_t i = group->count;
		     i-- > 0 && ret->alike_pairs < ALIKE_PAIRS_MAX;) {
			uint32_t k = find_alike(group, names, i);

			if (k == i || group->runs[i].end != OUTCOME_COMPLETED)
				continue;

			double d = log(group->runs[i].runtime_s /
				       group->runs[k].runtime_s);

			squares += d * d;
			ret->alike_pairs++;
		}
	}
	ret->alike_factor = ret->alike_pairs
				    ? exp(sqrt(squares / 2 / ret->alike_pairs))
				    : NAN;
}

/* List the names of the group with the most runs. */
static void list_names(const struct history *h,
		       const struct history_application *a,
		       char ret[ENGINE_NAMES_SIZE])
{
	const struct history_group *largest = NULL;
	size_t used = 0;

	for (uint32_t g = a->groups; g != INDEX_NONE; g = h->groups[g].next)
		if (!largest || h->groups[g].count > largest->count)
			largest = &h->groups[g];
	*ret = '\0';
	if (!largest)
		return;

	const struct history_names *names = &h->names[largest->names];

	for (int i = 0; i < names->count; i++) {
		size_t length = strlen(names->of[i]);

		if (used + 1 + length >= ENGINE_NAMES_SIZE)
			return;
		used += (size_t)snprintf(ret + used, ENGINE_NAMES_SIZE - used,
					 "%s%s", used ? " " : "", names->of[i]);
	}
}

/* Mark in `wanted` what the user has run on any cluster. */
static void mark_users(const struct history *h, uint32_t user_id, bool *wanted)
{
	for (uint32_t u = 0; u < h->users_count; u++) {
		const struct history_user *user = &h->users[u];

		if (user->user_id != user_id)
			continue;
		for (uint32_t i = user->pairs; i != INDEX_NONE;
		     i = h->pairs[i].next)
			wanted[h->pairs[i].application] = true;
	}
}

static int by_name(const void *a, const void *b, void *context)
{
	const struct history *h = context;
	const struct history_application *x =
		&h->applications[*(const uint32_t *)a];
	const struct history_application *y =
		&h->applications[*(const uint32_t *)b];

	return strcmp(x->name, y->name)
		       ?: strcmp(h->clusters[x->cluster],
				 h->clusters[y->cluster]);
}

static void visit_applications(
	const struct history *h, const bool *wanted, uint32_t *sorted,
	void (*visit)(void *context, const struct engine_application *app),
	void *context)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < h->applications_count; i++)
		if (!wanted || wanted[i])
			sorted[count++] = i;
	qsort_r(sorted, count, sizeof(*sorted), by_name, (void *)h);
	for (uint32_t i = 0; i < count; i++) {
		const struct history_application *a =
			&h->applications[sorted[i]];
		struct engine_application out = {
			.runs = a->runs,
			.median_s = median_of(h, a),
			.last_ended_at_s = a->last_ended_at_s,
		};

		strcpy(out.name, a->name);
		snprintf(out.cluster, sizeof(out.cluster), "%s",
			 h->clusters[a->cluster]);
		measure_alike(h, a, &out);
		list_names(h, a, out.parameters);
		visit(context, &out);
	}
}

void engine_visit_applications(
	struct engine *engine, uint32_t user_id,
	void (*visit)(void *context, const struct engine_application *app),
	void *context)
{
	ordered_lock_take(&engine->lock);

	const struct history *h = ensemble_history(engine->learned.ensemble);
	uint32_t *sorted = calloc(h->applications_count + 1, sizeof(*sorted));
	bool *wanted = calloc(h->applications_count + 1, sizeof(*wanted));
	bool all = user_id == UINT32_MAX;

	if (sorted && wanted) {
		if (!all)
			mark_users(h, user_id, wanted);
		visit_applications(h, all ? NULL : wanted, sorted, visit,
				   context);
	}
	ordered_lock_give(&engine->lock);
	free(sorted);
	free(wanted);
}

/* --- Accuracy ------------------------------------------------------------- */

static void visit_sums(const struct engine *engine, int model, uint32_t user_id,
		       void (*visit)(void *context,
				     const struct engine_accuracy *accuracy),
		       void *context)
{
	struct accuracy_sums sums;
	struct engine_accuracy out = { .coverage = NAN };

	accuracy_sum(engine->learned.accuracy, model, user_id, &sums);
	strcpy(out.model, model < 0 ? "chosen" : models[model]->name);
	out.runs = sums.runs;
	out.error = sums.runs ? sums.error_s / sums.actual_s : NAN;
	if (model < 0 && sums.runs)
		out.coverage = (double)sums.covered / sums.runs;
	visit(context, &out);
}

void engine_visit_accuracy(
	struct engine *engine, uint32_t user_id,
	void (*visit)(void *context, const struct engine_accuracy *accuracy),
	void *context)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	visit_sums(engine, ACCURACY_CHOSEN, user_id, visit, context);
	for (int i = 0; models[i]; i++)
		visit_sums(engine, i, user_id, visit, context);
}

void engine_set_partitions(struct engine *engine,
			   const struct partition_list *list)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	engine->partitions = *list;
}

void engine_partitions(struct engine *engine, bool judged,
		       struct partition_list *ret)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	*ret = judged ? *engine->learned.partitions : engine->partitions;
}

void engine_count(struct engine *engine, struct engine_counts *ret)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	*ret = (struct engine_counts){
		.predictions = engine->predictions_made,
		.with_history = engine->predictions_with_history,
		.missed = engine->missed,
		.runs = ensemble_history(engine->learned.ensemble)->runs,
		.running = records_marked(engine->jobs),
		.nodes = nodes_count(engine->nodes),
		.links = links_count(nodes_links(engine->nodes)),
		.measurements = engine->measurements,
		.link_measurements = engine->link_measurements,
	};
}
