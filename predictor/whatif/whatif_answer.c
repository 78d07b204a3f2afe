/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif_answer.c - the run time of a traced run on other nodes
 *
 * The nodes that were named join those of the run; their state is that of the
 * recording or that of now.  The run as it was placed is replayed there, too,
 * since a gain is one over the same conditions.  Where ranks go: as they were
 * named, in equal blocks, or by a search.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/replay/placement_list.h"
#include "predictor/replay/rank_mapping.h"
#include "predictor/whatif/whatif_answer.h"

#define REPLAYS_MAX 100000

/* By how much a run differs from what one trace says, nine times of ten; and
 * how much more work it is where ranks share caches as they did not before. */
#define ONE_TRACE .08
#define DENSER    .15

/* Two runs did the same if their calls and their work differ by no more. */
#define CALLS_ALIKE .01
#define WORK_ALIKE  .5

const struct field whatif_run_fields[] = {
	FIELD_SENT(run_trace, job_id, UINT),
	FIELD_SENT(run_trace, application, TEXT, .sparse = true),
	FIELD_SENT(run_trace, user, TEXT, .sparse = true),
	FIELD_SENT(run_trace, program, TEXT, .sparse = true),
	FIELD_SENT(run_trace, programs, INT),
	FIELD_SENT(run_trace, job_s, NUMBER),
	FIELD_ROW(run_trace, runtime_s, NUMBER, .name = "measured_s"),
	FIELD_SENT(run_trace, whole, BOOL),
	FIELD_SENT(run_trace, seen, NUMBER),
	FIELD_END,
};

const struct field whatif_answer_fields[] = {
	FIELD_SENT(whatif_answer, here_s, NUMBER),
	FIELD_SENT(whatif_answer, there_s, NUMBER),
	FIELD_SENT(whatif_answer, low_s, NUMBER),
	FIELD_SENT(whatif_answer, high_s, NUMBER),
	FIELD_SENT(whatif_answer, factor, NUMBER),
	FIELD_SENT(whatif_answer, denser, BOOL),
	FIELD_SENT(whatif_answer, traces, INT),
	FIELD_ROW(whatif_answer, is_farm, BOOL, .name = "farm"),
	FIELD_SENT(whatif_answer, cut, BOOL),
	FIELD_END,
};

/* What the question names: a placement, or nodes with one rank each. */
static int read_names(const struct whatif_question *q,
		      const struct run_trace *run, struct placement_list *ret,
		      struct sp_error *err)
{
	const char *text = q->place ? q->place : q->nodes;

	*ret = (struct placement_list){ 0 };
	if (!text)
		return 0;
	if (placement_list_parse(text, ret, err))
		return -1;
	if (q->place && ret->ranks != run->ranks) {
		sp_error_set(err, "a placement of %d ranks; the run had %d",
			     ret->ranks, run->ranks);
		placement_list_clear(ret);
		return -1;
	}
	return 0;
}

/* --- Where ranks go ------------------------------------------------------- */

static void place_as_named(const struct placement_list *list,
			   struct whatif_answer *answer)
{
	int r = 0;

	for (size_t i = 0; i < list->names.count; i++)
		for (int k = 0; k < list->counts[i]; k++)
			answer->node[r++] = traced_place_find(
				&answer->place, list->names.names[i]);
}

/* Equal blocks; the first nodes have one rank more. */
static void place_in_blocks(const struct placement_list *list,
			    struct whatif_answer *answer)
{
	int n = (int)list->names.count;
	int r = 0;

	for (int i = 0; i < n; i++) {
		int count = answer->ranks / n + (i < answer->ranks % n);

		for (int k = 0; k < count; k++)
			answer->node[r++] = traced_place_find(
				&answer->place, list->names.names[i]);
	}
}

struct search_end {
	double at_s; /* of the monotonic clock */
	const struct work_limit *limit;
};

static bool is_late(void *argument)
{
	const struct search_end *end = argument;

	return clock_monotonic_s() > end->at_s || work_limit_over(end->limit);
}

static bool is_candidate(const struct placement_list *list,
			 const struct run_trace *run, int n, const char *name)
{
	if (!list->names.count)
		return n < run->nodes_count;
	return hostlist_position(&list->names, name) >= 0;
}

/* Return the most of `ranks` ranks on one of `nodes` nodes. */
static int equal_part(int ranks, int nodes)
{
	return nodes > 0 ? (ranks + nodes - 1) / nodes : ranks;
}

/* Ranks that each node may take: its cores, or as many as an equal part of
 * them, whichever is more; or just that part.  If a number of nodes is wanted,
 * those that do most. */
static void set_slots(const struct whatif_question *q,
		      const struct placement_list *list,
		      const struct run_trace *run,
		      const struct traced_place *place, int slots[])
{
	int candidates = 0;

	for (int n = 0; n < place->count; n++) {
		slots[n] = is_candidate(list, run, n, place->nodes[n].name);
		candidates += slots[n];
	}
	while (q->best_nodes && candidates > q->best_nodes) {
		int least = -1;

		for (int n = 0; n < place->count; n++)
			if (slots[n] &&
			    (least < 0 ||
			     place->replay[n].cores * place->replay[n].speed <=
				     place->replay[least].cores *
					     place->replay[least].speed))
				least = n;
		if (least < 0)
			break;
		slots[least] = 0;
		candidates--;
	}

	int part = equal_part(run->ranks, candidates);

	for (int n = 0; n < place->count; n++)
		if (slots[n])
			slots[n] =
				q->even ? part
					: (int)fmax(
						  floor(place->nodes[n].cores),
						  part);
}

static int search(const struct run_replay *replay, const struct run_trace *run,
		  const struct whatif_question *q,
		  const struct placement_list *list,
		  struct whatif_answer *answer, struct sp_error *err)
{
	struct search_end end = { clock_monotonic_s() + q->deadline_s,
				  run->limit };
	int *slots = calloc((size_t)answer->place.count, sizeof(*slots));
	const struct mapping_search mapping = {
		.run = replay,
		.place = traced_placement(run, &answer->place, NULL),
		.slots = slots,
		.replays_max = REPLAYS_MAX,
		.stops = is_late,
		.argument = &end,
	};
	int rc;

	if (!slots)
		return sp_error_set(err, "out of memory for a search");
	/* The best before the search begins: nothing moves. */
	memcpy(answer->node, run->node,
	       (size_t)run->ranks * sizeof(*run->node));
	answer->there_s = answer->here_s;
	if (q->best) {
		set_slots(q, list, run, &answer->place, slots);
		rc = rank_mapping_find(&mapping, answer->node, &answer->there_s,
				       err);
	} else {
		int *swap = answer->swap;

		rc = rank_mapping_swap(&mapping, run->node, &swap[0], &swap[1],
				       &answer->there_s, err);
		if (!rc && swap[0] >= 0) {
			answer->node[swap[0]] = run->node[swap[1]];
			answer->node[swap[1]] = run->node[swap[0]];
		}
	}
	free(slots);
	answer->cut = is_late(&end);
	if (rc && answer->cut && !q->nodes && !q->best_nodes) {
		answer->there_s = answer->here_s;
		rc = 0;
	}
	return rc;
}

/* --- The answer ----------------------------------------------------------- */

static int answer_question(struct run_replay *replay,
			   const struct run_trace *run,
			   const struct whatif_question *q,
			   const struct placement_list *list,
			   struct whatif_answer *answer, struct sp_error *err)
{
	struct replay_placement place =
		traced_placement(run, &answer->place, run->node);

	answer->is_farm = replay->is_farm;
	answer->factor = replay->factor;
	if (run_replay_again(replay, &place, &answer->here_s, err))
		return -1;
	if (q->best || q->swap)
		return search(replay, run, q, list, answer, err);
	if (q->place)
		place_as_named(list, answer);
	else
		place_in_blocks(list, answer);
	place.node = answer->node;
	return run_replay_time(replay, &place, &answer->there_s, err);
}

/* Return the most ranks that are on one of `nodes` nodes. */
static int most_on_node(const int node[], int ranks, int nodes)
{
	int most = 0;

	for (int n = 0; n < nodes; n++) {
		int there = 0;

		for (int r = 0; r < ranks; r++)
			there += node[r] == n;
		most = there > most ? there : most;
	}
	return most;
}

/* Set the interval.  What is added is not known well: elsewhere it may be half,
 * where messages stay within a node, or be multiplied.  It is wider where ranks
 * come closer together than they were traced. */
static void set_interval(const struct run_replay *replay,
			 const struct run_trace *run,
			 struct whatif_answer *answer)
{
	double added_s = answer->there_s;
	double multiplied_s =
		(added_s - replay->added_s) * fmax(replay->factor, 1);

	answer->denser =
		most_on_node(answer->node, run->ranks, answer->place.count) >
		most_on_node(run->node, run->ranks, run->nodes_count);
	answer->low_s = fmin(added_s - replay->added_s / 2, multiplied_s) /
			(1 + ONE_TRACE);
	answer->high_s = fmax(added_s, multiplied_s) * (1 + ONE_TRACE) *
			 (answer->denser ? 1 + DENSER : 1);
}

/* A core for each rank, on nodes where the run was not. */
static double cores_of_new(const struct run_trace *run,
			   const struct whatif_question *q,
			   const struct placement_list *list)
{
	int nodes = q->best_nodes ? q->best_nodes : (int)list->names.count;

	return equal_part(run->ranks, nodes);
}

/* Each new node of a placement has a core for each of its ranks. */
static void set_cores(const struct run_trace *run,
		      const struct placement_list *list,
		      struct traced_place *place)
{
	for (int n = run->nodes_count; n < place->count; n++) {
		int there = 0;

		for (size_t i = 0; i < list->names.count; i++)
			if (!strcmp(list->names.names[i], place->nodes[n].name))
				there += list->counts[i];
		place->nodes[n].cores = there;
		place->replay[n].cores = there;
	}
}

static int prepare(const struct run_trace *run, const struct whatif_question *q,
		   const struct placement_list *list,
		   struct whatif_answer *answer, struct sp_error *err)
{
	if (traced_place_create(
		    run, (const char(*)[HOSTLIST_NAME_SIZE])list->names.names,
		    (int)list->names.count, cores_of_new(run, q, list),
		    &answer->place, err))
		return -1;
	if (q->place)
		set_cores(run, list, &answer->place);
	if (q->conditions &&
	    q->conditions(q->context, run->cluster, &answer->place, err))
		return -1;
	answer->ranks = run->ranks;
	answer->swap[0] = answer->swap[1] = -1;
	answer->node = calloc((size_t)run->ranks, sizeof(*answer->node));
	answer->names = calloc((size_t)run->ranks, sizeof(*answer->names));
	return answer->node && answer->names
		       ? 0
		       : sp_error_set(err, "out of memory for a placement");
}

static int answer_alone(const struct run_trace *run,
			const struct whatif_question *question,
			struct whatif_answer *ret, struct sp_error *err)
{
	struct placement_list list;
	struct traced_place recorded;
	struct run_replay replay = { 0 };
	struct whatif_answer answer = { 0 };

	if (run->programs > 1 && !(run->ran_s > 0))
		return sp_error_set(err,
				    "job %u ran %d MPI programs, and the trace "
				    "of this one (%s) has no end that says how "
				    "long it ran",
				    run->job_id, run->programs,
				    *run->program ? run->program : "no name");
	if (!(run->runtime_s > 0))
		return sp_error_set(err, "job %u ran 0 s", run->job_id);
	if (read_names(question, run, &list, err))
		return -1;
	if (traced_place_create(run, NULL, 0, 1, &recorded, err)) {
		placement_list_clear(&list);
		return -1;
	}

	const struct replay_placement as_recorded =
		traced_placement(run, &recorded, run->node);
	int rc = run_replay_create(run->trace, &as_recorded, run->runtime_s,
				   &replay, err);

	if (!rc)
		rc = prepare(run, question, &list, &answer, err);
	if (!rc)
		rc = answer_question(&replay, run, question, &list, &answer,
				     err);
	if (rc) {
		whatif_answer_clear(&answer);
	} else {
		set_interval(&replay, run, &answer);
		for (int r = 0; r < answer.ranks; r++)
			answer.names[r] =
				answer.place.nodes[answer.node[r]].name;
		answer.traces = 1;
		*ret = answer;
	}
	run_replay_clear(&replay);
	traced_place_clear(&recorded);
	placement_list_clear(&list);
	return rc;
}

/* --- The run before ------------------------------------------------------- */

static double work_of_all(const struct matched_trace *trace)
{
	double sum_s = 0;

	for (int i = 0; i < trace->count; i++)
		sum_s += trace->events[i].work_s;
	return sum_s;
}

static bool is_near(double a, double b, double by)
{
	return fabs(a - b) <= by * fmin(a, b);
}

static bool did_the_same(const struct run_trace *run,
			 const struct run_trace *before)
{
	return !strcmp(run->program, before->program) && before->whole &&
	       run->whole && before->seen >= 1 && run->seen >= 1 &&
	       is_near(run->trace->count, before->trace->count, CALLS_ALIKE) &&
	       is_near(work_of_all(run->trace), work_of_all(before->trace),
		       WORK_ALIKE);
}

/* Take the mean with what the run before says.  Where that fails, as beyond a
 * limit, the answer stays.  That run may have been on other nodes: the time
 * here grows as that there does, so that the gain is that of the newest. */
static void add_before(const struct run_trace *run,
		       const struct whatif_question *question,
		       struct whatif_answer *answer)
{
	struct run_trace *before = run->before;
	struct whatif_answer other;

	if (!before || question->best || question->swap ||
	    (!before->trace && run_trace_decode(before, NULL)) ||
	    !did_the_same(run, before) ||
	    answer_alone(before, question, &other, NULL))
		return;
	answer->here_s *= sqrt(other.there_s / answer->there_s);
	answer->there_s = sqrt(answer->there_s * other.there_s);
	answer->low_s = sqrt(answer->low_s * other.low_s);
	answer->high_s = sqrt(answer->high_s * other.high_s);
	answer->denser &= other.denser;
	answer->traces = 2;
	whatif_answer_clear(&other);
}

int whatif_answer_find(const struct run_trace *run,
		       const struct whatif_question *question,
		       struct whatif_answer *ret, struct sp_error *err)
{
	if (answer_alone(run, question, ret, err))
		return -1;
	add_before(run, question, ret);
	return 0;
}

void whatif_answer_clear(struct whatif_answer *answer)
{
	traced_place_clear(&answer->place);
	free(answer->node);
	free(answer->names);
	*answer = (struct whatif_answer){ 0 };
}
