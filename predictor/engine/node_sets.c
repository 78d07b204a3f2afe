/* node_sets.c - node sets for a job: the best, what to assume, what was rejected
 *
 * All by the same ranking and the same snapshot as a scheduler has that places
 * jobs by them, so that what is said here is what happens there.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/job_records.h"
#include "predictor/engine/prediction_records.h"
#include "predictor/engine/subjects.h"
#include "predictor/ensemble/profiles.h"
#include "predictor/engine/node_sets.h"
#include "predictor/engine/snapshots_state.h"
#include "predictor/engine/engine_state.h"

/* What is older says little of now. */
#define AGE_MAX_S 15.0

/* Running jobs are gone through at a start, if there are no more. */
#define JOBS_LOOKED_AT 8192

/* What the profile says of the conditions that were assumed; NAN: nothing. */
static double profiled_s(const struct placement_model *m,
			 const struct conditions *c)
{
	struct placement_offer offer = {
		.available = (float)c->cpu_available_min,
		.speed = 1,
		.bandwidth_bps = (float)c->bandwidth_bps,
		.latency_s = (float)c->latency_s,
	};

	if (!(offer.available > 0))
		offer.available = 1;
	if (!(offer.bandwidth_bps > 0))
		offer.bandwidth_bps = HUGE_VALF;
	if (!(offer.latency_s > 0))
		offer.latency_s = 0;
	return placement_runtime_s(m, &offer);
}

/* A profile tells how the run time changes with conditions, the prediction how
 * long it is in those that were assumed. */
static void scale(struct placement_model *m, double factor)
{
	m->busy_s *= (float)factor;
	m->idle_s *= (float)factor;
	m->link_bits *= (float)factor;
	m->link_messages *= (float)factor;
}

static void plain(const struct prediction *p, double median_s,
		  struct placement_model *ret)
{
	double available = p->conditions.cpu_available_min;

	placement_model_from_runtime(
		p->nodes, p->tasks,
		available > 0 ? median_s * available : median_s, ret);
}

void sets_model(const struct engine *engine, const struct prediction *p,
		double median_s, struct placement_model *ret)
{
	const struct profile *profile;
	struct subject subject;

	engine_subject(p, &subject);
	profile = profiles_find(engine->profiles, &subject);
	if (profile && !placement_model_from_profile(profile, ret)) {
		double profile_s = profiled_s(ret, &p->conditions);

		if (profile_s > 0 && isfinite(median_s))
			scale(ret, median_s / profile_s);
	} else {
		plain(p, median_s, ret);
	}
	if (isfinite(median_s))
		ret->horizon_s = (float)median_s;
}

double sets_median_s(const struct prediction *p)
{
	return p->basis == BASIS_HISTORY ? p->median_s : NAN;
}

/* --- A question ---------------------------------------------------------------- */

/* All nodes of a snapshot as candidates, and memory to rank them. */
struct question {
	struct snapshot *snapshot;
	struct placement_model model;
	bool *left_out;                    /* of each node */
	struct rank_candidate *candidates; /* those required first */
	uint32_t *chosen;
	void *scratch;
	struct rank_request request;
};

static void question_clear(struct question *q)
{
	snapshot_put(q->snapshot);
	free(q->left_out);
	free(q->candidates);
	free(q->chosen);
	free(q->scratch);
}

/* Takes the reference over. */
static int question_init(struct question *q, struct engine *engine,
			 struct snapshot *snapshot, const struct prediction *p)
{
	uint32_t count = snapshot ? snapshot->node_count : 0;
	uint32_t nodes = p->nodes ? p->nodes : 1;

	*q = (struct question){ .snapshot = snapshot };
	if (!snapshot)
		return -1;
	pthread_mutex_lock(&engine->lock);
	sets_model(engine, p, sets_median_s(p), &q->model);
	pthread_mutex_unlock(&engine->lock);
	q->left_out = calloc(count + 1, sizeof(*q->left_out));
	q->candidates = calloc(count + 1, sizeof(*q->candidates));
	q->chosen = calloc(count + 1, sizeof(*q->chosen));
	q->scratch = malloc(rank_scratch_size(count));
	q->request = (struct rank_request){
		.snapshot = snapshot,
		.model = &q->model,
		.candidates = q->candidates,
		.nodes = nodes,
		.tasks_per_node = (p->tasks + nodes - 1) / nodes,
	};
	return q->left_out && q->candidates && q->chosen && q->scratch ? 0 : -1;
}

static int by_version(const void *a, const void *b, void *context)
{
	const struct snapshot *s = context;
	const struct rank_candidate *x = a;
	const struct rank_candidate *y = b;

	return strverscmp(s->nodes[x->node].name, s->nodes[y->node].name);
}

static void add_candidate(struct question *q, uint32_t node)
{
	q->candidates[q->request.count++] = (struct rank_candidate){
		.node = node,
		.leaf = SNAPSHOT_NONE,
	};
	q->left_out[node] = true;
}

/* Those of `required` (NULL: none), then all that are not left out, in the
 * order of their names. */
static void make_candidates(struct question *q, const struct hostlist *required)
{
	const struct snapshot *s = q->snapshot;
	struct rank_request *r = &q->request;

	r->count = 0;
	for (size_t i = 0; required && i < required->count; i++) {
		uint32_t node = snapshot_node(s, required->names[i]);

		if (node != SNAPSHOT_NONE && !q->left_out[node])
			add_candidate(q, node);
	}
	r->required = r->count;
	for (uint32_t i = 0; i < s->node_count; i++)
		if (!q->left_out[i])
			add_candidate(q, i);
	qsort_r(q->candidates + r->required, r->count - r->required,
		sizeof(q->candidates[0]), by_version, q->snapshot);
	for (uint32_t i = 0; i < r->count; i++) {
		q->candidates[i].place = i;
		q->left_out[q->candidates[i].node] = false;
	}
}

static void leave_out(struct question *q, const struct hostlist *list,
		      bool left_out)
{
	for (size_t i = 0; i < list->count; i++) {
		uint32_t node = snapshot_node(q->snapshot, list->names[i]);

		if (node != SNAPSHOT_NONE)
			q->left_out[node] = left_out;
	}
}

static void expand(const char *text, struct hostlist *ret)
{
	*ret = (struct hostlist){ 0 };
	if (text && *text && hostlist_expand(text, ret, NULL))
		*ret = (struct hostlist){ 0 };
}

/* --- An answer ----------------------------------------------------------------- */

/* False: memory ran out. */
static bool describe(const struct question *q, const struct rank_set *set,
		     const uint32_t *chosen, struct engine_set *ret)
{
	struct hostlist list = { .names = calloc(q->request.nodes,
						 HOSTLIST_NAME_SIZE) };

	if (!list.names)
		return false;
	for (; list.count < q->request.nodes; list.count++)
		strcpy(list.names[list.count],
		       q->snapshot
			       ->nodes[q->candidates[chosen[list.count]].node]
			       .name);
	*ret = (struct engine_set){
		.median_s = NAN,
		.cpu_available = (double)set->offer.available,
		.bandwidth_bps = (double)set->offer.bandwidth_bps,
		.latency_s = (double)set->offer.latency_s,
		.stale = set->stale,
		.ratio = 1,
	};
	hostlist_compress(&list, ret->nodes, sizeof(ret->nodes));
	hostlist_clear(&list);
	return true;
}

static void compare(struct engine_set *set, double runtime_s, double first_s,
		    double median_s)
{
	set->ratio = first_s > 0 ? runtime_s / first_s : 1;
	set->median_s = median_s * set->ratio;
}

/* --- The best sets ---------------------------------------------------------------- */

static int best_sets(struct question *q, const struct hostlist *required,
		     double median_s, int max, struct engine_set ret[])
{
	double first_s = NAN;
	int count = 0;

	while (count < max) {
		struct rank_result result;

		make_candidates(q, required);
		if (rank_choose(&q->request, q->scratch, q->chosen, &result) ||
		    !describe(q, &result.best, q->chosen, &ret[count]))
			break;
		if (count == 0)
			first_s = result.best.runtime_s;
		compare(&ret[count++], result.best.runtime_s, first_s,
			median_s);
		for (uint32_t i = q->request.required; i < q->request.nodes;
		     i++)
			q->left_out[q->candidates[q->chosen[i]].node] = true;
		if (q->request.required >= q->request.nodes)
			break; /* there is no other */
	}
	return count;
}

int engine_best_sets(struct engine *engine, const struct prediction *p,
		     const char *required, const char *excluded, int max,
		     struct engine_set ret[])
{
	struct hostlist in;
	struct hostlist out;
	struct question q;
	int count = -1;

	expand(required, &in);
	expand(excluded, &out);
	if (!question_init(
		    &q, engine,
		    snapshots_ask(engine->snapshots, p->cluster, AGE_MAX_S),
		    p)) {
		leave_out(&q, &out, true);
		count = best_sets(&q, &in, sets_median_s(p), max, ret);
	}
	question_clear(&q);
	hostlist_clear(&in);
	hostlist_clear(&out);
	return count;
}

/* --- What was rejected ------------------------------------------------------------- */

/* Nodes that other jobs were on were not there to be chosen. */
static void leave_out_busy(struct engine *engine, struct question *q,
			   const struct run *mine)
{
	struct run *run = malloc(sizeof(*run));
	uint32_t cursor = 0;
	bool more = run != NULL;

	while (more) {
		struct hostlist nodes;

		pthread_mutex_lock(&engine->lock);
		more = records_count(engine->jobs) <= JOBS_LOOKED_AT &&
		       !records_next(engine->jobs, &cursor, run);
		pthread_mutex_unlock(&engine->lock);
		if (!more || run->state != RUN_RUNNING ||
		    run->job_id == mine->job_id ||
		    strcmp(run->cluster, mine->cluster) != 0)
			continue;
		expand(run->node_list, &nodes);
		leave_out(q, &nodes, true);
		hostlist_clear(&nodes);
	}
	free(run);
}

/* The best set that is not the one whose positions are `given`: if that is the
 * best itself, the best without one of its nodes. */
static bool best_other(struct question *q, const struct hostlist *given,
		       struct engine_set *ret, double *ret_runtime_s)
{
	struct rank_result result;

	*ret_runtime_s = HUGE_VAL;
	for (size_t i = 0; i < given->count; i++) {
		uint32_t node = snapshot_node(q->snapshot, given->names[i]);

		if (node == SNAPSHOT_NONE)
			continue;
		q->left_out[node] = true;
		make_candidates(q, NULL);
		if (!rank_choose(&q->request, q->scratch, q->chosen, &result) &&
		    result.best.runtime_s < *ret_runtime_s &&
		    describe(q, &result.best, q->chosen, ret))
			*ret_runtime_s = result.best.runtime_s;
		q->left_out[node] = false;
	}
	return isfinite(*ret_runtime_s);
}

/* Predicted for the nodes it got; NAN: they are not known. */
static double given_runtime_s(struct question *q, const struct hostlist *given)
{
	struct rank_set set;

	make_candidates(q, given);
	for (uint32_t i = 0; i < q->request.required; i++)
		q->chosen[i] = i;
	if (q->request.required != given->count ||
	    rank_evaluate(&q->request, q->scratch, q->chosen,
			  q->request.required, &set))
		return NAN;
	return set.runtime_s;
}

/* Of larger jobs nothing is said: each node is left out once. */
#define GIVEN_MAX 64

static void find_rejected(struct engine *engine, struct question *q,
			  const struct run *run, struct prediction *p)
{
	struct set_record record = { .set = { .stale = 0 } };
	struct hostlist given;
	double given_s;
	double other_s;

	expand(run->node_list, &given);
	q->request.nodes = (uint32_t)given.count;
	leave_out_busy(engine, q, run);
	leave_out(q, &given, false);
	if (given.count == 0 || given.count > GIVEN_MAX)
		goto out;
	given_s = given_runtime_s(q, &given);
	if (isnan(given_s) || !best_other(q, &given, &record.set, &other_s))
		goto out;
	compare(&record.set, other_s, given_s, sets_median_s(p));
	record.id = engine_ticket(p->id);
	strcpy(p->rejected_nodes, record.set.nodes);
	p->rejected_s = record.set.median_s;
	pthread_mutex_lock(&engine->lock);
	records_put(engine->rejected, record.id, &record, false);
	predictions_replace(engine->predictions, p);
	pthread_mutex_unlock(&engine->lock);
out:
	hostlist_clear(&given);
}

void sets_started(struct engine *engine, const struct run *run,
		  struct prediction *p)
{
	struct question q;

	if (!question_init(&q, engine,
			   snapshots_newest(engine->snapshots, run->cluster,
					    AGE_MAX_S),
			   p))
		find_rejected(engine, &q, run, p);
	question_clear(&q);
}

/* As far as it was stored with the prediction. */
static void recall(const struct prediction *p, struct engine_set *ret)
{
	*ret = (struct engine_set){
		.median_s = p->rejected_s,
		.ratio = p->rejected_s / sets_median_s(p),
		.cpu_available = NAN,
		.bandwidth_bps = NAN,
		.latency_s = NAN,
	};
	strcpy(ret->nodes, p->rejected_nodes);
}

int engine_rejected_set(struct engine *engine, const char *id,
			struct engine_set *ret)
{
	struct set_record record;
	struct prediction p;

	pthread_mutex_lock(&engine->lock);

	bool whole = !records_get(engine->rejected, engine_ticket(id), &record);
	bool kept = !whole &&
		    !predictions_get(engine->predictions, id, STAGE_START, &p);

	pthread_mutex_unlock(&engine->lock);
	if (whole)
		*ret = record.set;
	else if (kept && p.rejected_nodes[0])
		recall(&p, ret);
	else
		return -1;
	return 0;
}

/* --- What to assume ------------------------------------------------------------------ */

struct sets_assumption {
	struct rank_candidate candidates[SETS_ASSUMED_MAX];
	uint32_t chosen[SETS_ASSUMED_MAX];
	char names[SETS_ASSUMED_MAX][HOSTLIST_NAME_SIZE];
	bool left_out[SETS_ASSUMED_MAX + 1];
	max_align_t scratch[];
};

struct sets_assumption *sets_assumption_create(void)
{
	return calloc(1, sizeof(struct sets_assumption) +
				 rank_scratch_size(SETS_ASSUMED_MAX));
}

static int assume(struct sets_assumption *a, struct question *q,
		  const struct hostlist *required,
		  const struct hostlist *excluded, struct hostlist *ret)
{
	struct rank_result result;

	q->left_out = a->left_out;
	q->candidates = a->candidates;
	memset(a->left_out, 0, sizeof(a->left_out));
	leave_out(q, excluded, true);
	make_candidates(q, required);
	q->request.candidates = a->candidates;
	if (q->request.required < required->count ||
	    rank_choose(&q->request, a->scratch, a->chosen, &result))
		return -1;
	for (uint32_t i = 0; i < q->request.nodes; i++)
		strcpy(a->names[i],
		       q->snapshot->nodes[a->candidates[a->chosen[i]].node]
			       .name);
	*ret = (struct hostlist){ .count = q->request.nodes,
				  .names = a->names };
	return 0;
}

int sets_assume(struct engine *engine, const struct prediction *p,
		double expected_s, const struct hostlist *required,
		const struct hostlist *excluded, struct hostlist *ret)
{
	struct question q = {
		.snapshot = snapshots_newest(engine->snapshots, p->cluster,
					     AGE_MAX_S),
	};
	int rc = -1;

	sets_model(engine, p, expected_s, &q.model);
	q.request = (struct rank_request){
		.snapshot = q.snapshot,
		.model = &q.model,
		.nodes = p->nodes,
		.tasks_per_node = (p->tasks + p->nodes - 1) / p->nodes,
	};
	if (q.snapshot && q.snapshot->node_count <= SETS_ASSUMED_MAX &&
	    q.snapshot->fresh_count)
		rc = assume(engine->assumption, &q, required, excluded, ret);
	snapshot_put(q.snapshot);
	return rc;
}
