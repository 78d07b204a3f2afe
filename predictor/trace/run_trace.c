/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_trace.c - a traced run: its ranks' events, and where they ran */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/trace/run_trace.h"
#include "predictor/trace/trace_cut.h"
#include "predictor/trace/trace_stretches.h"

static void recorded_free(struct run_trace *run)
{
	for (int i = 0; run->bytes && i < run->ranks; i++)
		free(run->bytes[i].data);
	free(run->bytes);
	free(run->measured);
	run->bytes = NULL;
	run->measured = NULL;
}

void run_trace_clear(struct run_trace *run)
{
	recorded_free(run);
	free(run->nodes);
	free(run->links);
	free(run->node);
	matched_trace_destroy(run->trace);
	if (run->before)
		run_trace_clear(run->before);
	free(run->before);
	*run = (struct run_trace){ 0 };
}

int run_trace_allocate(struct run_trace *run, struct sp_error *err)
{
	size_t ranks = (size_t)run->ranks;

	if (run->nodes_count < 1 || run->ranks < 1)
		return sp_error_set(err, "%s: is empty",
				    run->nodes_count < 1 ? "nodes" : "ranks");
	if (run->nodes_count > RUN_TRACE_NODES_MAX ||
	    run->ranks > TRACE_RANKS_MAX)
		return sp_error_set(err, "more than %d nodes or %d ranks",
				    RUN_TRACE_NODES_MAX, TRACE_RANKS_MAX);
	run->node = calloc(ranks, sizeof(*run->node));
	run->bytes = calloc(ranks, sizeof(*run->bytes));
	return run->node && run->bytes
		       ? 0
		       : sp_error_set(err, "out of memory for a trace");
}

struct replay_node traced_node_replay(const struct traced_node *node)
{
	return (struct replay_node){
		.cores = node->cores,
		.speed = node->cpu_available * node->cpu_speed,
		.turn_s = node->cpu_turn_s,
	};
}

int run_trace_find_node(const struct run_trace *run, const char *name)
{
	for (int n = 0; n < run->nodes_count; n++)
		if (!strcmp(run->nodes[n].name, name))
			return n;
	return -1;
}

static double sum_work(int ranks, struct trace_event *const events[],
		       const int counts[])
{
	double sum_s = 0;

	for (int r = 0; r < ranks; r++)
		for (int i = 0; i < counts[r]; i++)
			sum_s += events[r][i].work_s;
	return sum_s;
}

static int select_stretches(struct run_trace *run, struct trace_event *events[],
			    int counts[], struct sp_error *err)
{
	double all_s = sum_work(run->ranks, events, counts);

	if (trace_stretches_join(run->ranks, events, counts, run->whole, err) ||
	    trace_cut(run->ranks, events, counts, run->limit, err))
		return -1;
	if (all_s > 0)
		run->seen = sum_work(run->ranks, events, counts) / all_s;
	return 0;
}

/* Keep the time of the first rank to begin, and those of the rank that ran
 * longest; a NAN stays. */
static void add_program(struct run_trace *run, const struct rank_trace *of)
{
	if (of->rank == 0)
		memcpy(run->program, of->program, sizeof(run->program));
	run->begun_at = fmin(run->begun_at, of->begun_at);
	if (isnan(of->ran_s) || of->ran_s > run->ran_s)
		run->ran_s = of->ran_s;
	for (int k = 0; k < 2; k++)
		if (isnan(of->online_s[k]) ||
		    of->online_s[k] > run->online_s[k])
			run->online_s[k] = of->online_s[k];
}

/* Add the samples of a rank; its work becomes that of speed 1. */
static void add_procedures(struct run_trace *run, int rank,
			   const struct procedure_work of[], int count)
{
	struct procedure_work all[2 * PROCEDURE_WORK_COUNT];
	int n = run->procedures_count;

	memcpy(all, run->procedures, (size_t)n * sizeof(*all));
	for (int i = 0; i < count; i++) {
		all[n] = of[i];
		all[n++].work_s *= run->nodes[run->node[rank]].cpu_speed;
	}
	n = procedure_work_merge(all, n);
	n = n < PROCEDURE_WORK_COUNT ? n : PROCEDURE_WORK_COUNT;
	memcpy(run->procedures, all, (size_t)n * sizeof(*all));
	run->procedures_count = n;
}

void run_trace_add_measure(struct run_trace *run, int rank,
			   const struct procedure_measure *measure)
{
	if (!*run->procedure)
		memcpy(run->procedure, measure->name, sizeof(measure->name));
	run->calls += measure->calls;
	if (measure->by == MEASURED_ABSENT)
		run->absent = true;
	else if (*measure->why && !*run->unmeasured)
		snprintf(run->unmeasured, sizeof(run->unmeasured),
			 "rank %d: %s", rank, measure->why);
	run->by_hooks |= measure->by == MEASURED_BY_HOOKS;
	run->by_uprobes |= measure->by == MEASURED_BY_UPROBES;
}

/* That a rank has no such function, or never calls it, is a reason only if all
 * are like that. */
static void measure_judge(struct run_trace *run)
{
	const char *why = NULL;

	if (run->by_hooks || run->by_uprobes) {
		if (!run->calls)
			why = run->by_hooks ? "it was never called, or is "
					      "compiled without hooks"
					    : "it was never called";
	} else if (run->absent) {
		why = "the program has no function of that name: it may be "
		      "inlined";
	}
	if (why && !*run->unmeasured)
		snprintf(run->unmeasured, sizeof(run->unmeasured), "%s", why);
}

int run_trace_match(struct run_trace *run, struct trace_event *events[],
		    int counts[], bool own, struct sp_error *err)
{
	const struct trace trace = {
		.ranks = run->ranks,
		.counts = counts,
		.events = (const struct trace_event *const *)events,
	};

	measure_judge(run);
	for (int r = 0; r < run->ranks; r++) {
		double speed = run->nodes[run->node[r]].cpu_speed;

		for (int i = 0; i < counts[r]; i++) {
			events[r][i].work_s *= speed;
			events[r][i].procedure_s *=
				*run->unmeasured ? 0 : speed;
		}
	}
	run->seen = 1;
	if (trace_is_sampled(run->ranks, events, counts)) {
		if (select_stretches(run, events, counts, err))
			return -1;
	} else if (!run->whole &&
		   trace_cut(run->ranks, events, counts, run->limit, err)) {
		return -1;
	}
	if (work_limit_check(run->limit, err))
		return -1;
	run->trace = matched_trace_create(&trace, own ? events : NULL, err);
	return run->trace ? 0 : -1;
}

/* --- What ranks recorded -------------------------------------------------- */

static void set_default(double *number, double otherwise)
{
	if (!(*number > 0))
		*number = otherwise;
}

static int complete_nodes(struct run_trace *run, struct sp_error *err)
{
	int n = run->nodes_count;

	run->links = calloc((size_t)n * (size_t)n, sizeof(*run->links));
	if (!run->links)
		return sp_error_set(err, "out of memory for a trace");
	for (int i = 0; i < n; i++) {
		set_default(&run->nodes[i].cores, 1);
		set_default(&run->nodes[i].cpu_available, 1);
		set_default(&run->nodes[i].cpu_speed, 1);
	}
	for (int i = 0; i < n * n; i++)
		run->links[i] = i / n == i % n ? RUN_TRACE_NEAR : RUN_TRACE_FAR;
	for (int i = 0; i < run->measured_count; i++) {
		const struct traced_link *link = &run->measured[i];
		int from = run_trace_find_node(run, link->from);
		int to = run_trace_find_node(run, link->to);

		if (from >= 0 && to >= 0 && link->bandwidth_bps > 0)
			run->links[from * n + to] =
				(struct replay_link){ link->latency_s,
						      link->bandwidth_bps / 8 };
	}
	return 0;
}

static int decode_rank(struct run_trace *run, int i, struct trace_event **ret,
		       int *ret_count, struct sp_error *err)
{
	struct rank_trace rank;
	struct sp_error why;

	if (trace_decode(run->bytes[i].data, run->bytes[i].size, &rank, &why))
		return sp_error_set(err, "ranks[%d].events: %.150s", i,
				    why.text);
	*ret = rank.events;
	*ret_count = rank.count;
	run->whole &= rank.whole;
	add_program(run, &rank);
	add_procedures(run, i, rank.procedures, rank.procedures_count);
	run_trace_add_measure(run, i, &rank.measure);
	if (rank.rank != i || rank.ranks != run->ranks)
		return sp_error_set(err, "ranks[%d].events: of rank %d of %d",
				    i, rank.rank, rank.ranks);
	return 0;
}

/* Before anything is made of the events, whose number a user chooses. */
static int check_events(const struct run_trace *run, struct sp_error *err)
{
	int64_t count = 0;

	for (int i = 0; run->limit && i < run->ranks; i++)
		count += trace_count(run->bytes[i].data, run->bytes[i].size);
	return count <= RUN_TRACE_EVENTS_MAX
		       ? 0
		       : sp_error_set(err,
				      "its trace has %lld events, and predictd "
				      "replays %d; spredict whatif "
				      "--trace=FILE has no limit",
				      (long long)count, RUN_TRACE_EVENTS_MAX);
}

int run_trace_decode(struct run_trace *run, struct sp_error *err)
{
	if (!run->bytes)
		return sp_error_set(err, "the trace could not be read");
	if (check_events(run, err))
		return -1;

	struct trace_event **events =
		calloc((size_t)run->ranks, sizeof(*events));
	int *counts = calloc((size_t)run->ranks, sizeof(*counts));
	int rc = events && counts
			 ? complete_nodes(run, err)
			 : sp_error_set(err, "out of memory for a trace");

	run->whole = true;
	run->begun_at = NAN;
	for (int i = 0; i < run->ranks && !rc; i++)
		rc = decode_rank(run, i, &events[i], &counts[i], err);
	recorded_free(run);
	if (!rc)
		rc = run_trace_match(run, events, counts, true, err);
	for (int i = 0; events && i < run->ranks; i++)
		free(events[i]);
	free(events);
	free(counts);
	run->runtime_s = run->ran_s > 0 ? run->ran_s : run->job_s;
	return rc;
}

/* Take `other`, if there is memory. */
static void keep_before(struct run_trace *run, struct run_trace *other)
{
	run->before = malloc(sizeof(*other));
	if (!run->before)
		return;
	*run->before = *other;
	*other = (struct run_trace){ 0 };
}

void run_trace_offer(struct run_trace *run, struct run_trace *other)
{
	struct run_trace *longer = run;

	if (run->job_id != other->job_id && !run->before &&
	    run->ranks == other->ranks && *run->application &&
	    !strcmp(run->application, other->application) &&
	    !strcmp(run->cluster, other->cluster))
		keep_before(run, other);

	/* NAN: not known. */
	if (*other->cluster && !strcmp(run->cluster, other->cluster) &&
	    run->job_id == other->job_id && !run_trace_decode(other, NULL) &&
	    other->ran_s > 0 && !(run->ran_s >= other->ran_s))
		longer = other;
	run_trace_clear(longer == run ? other : run);
	*run = *longer;
	*other = (struct run_trace){ 0 };
}

void run_traces_free(struct run_trace runs[], int count)
{
	for (int i = 0; i < count; i++)
		run_trace_clear(&runs[i]);
	free(runs);
}

int run_traces_choose(struct run_trace runs[], int count,
		      const struct work_limit *limit, struct run_trace *ret,
		      struct sp_error *err)
{
	for (int i = 0; i < count; i++)
		runs[i].limit = limit;
	if (run_trace_decode(&runs[0], err))
		return -1;
	for (int i = 1; i < count; i++)
		run_trace_offer(&runs[0], &runs[i]);
	*ret = runs[0];
	runs[0] = (struct run_trace){ 0 };
	return 0;
}
