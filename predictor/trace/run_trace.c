/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_trace.c - a traced run: its ranks' events, and where they ran */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/trace/run_trace.h"
#include "predictor/trace/trace_cut.h"
#include "predictor/trace/trace_stretches.h"

void run_trace_clear(struct run_trace *run)
{
	free(run->nodes);
	free(run->links);
	free(run->node);
	matched_trace_destroy(run->trace);
	*run = (struct run_trace){ 0 };
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
	    trace_cut(run->ranks, events, counts, err))
		return -1;
	if (all_s > 0)
		run->seen = sum_work(run->ranks, events, counts) / all_s;
	return 0;
}

/* The first to begin, and the one that ran longest; a NAN stays. */
void run_trace_add_program(struct run_trace *run, const struct rank_trace *of)
{
	if (of->rank == 0)
		memcpy(run->program, of->program, sizeof(run->program));
	run->begun_at = fmin(run->begun_at, of->begun_at);
	if (isnan(of->ran_s) || of->ran_s > run->ran_s)
		run->ran_s = of->ran_s;
}

void run_trace_add_procedures(struct run_trace *run, int rank,
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
		    int counts[], struct sp_error *err)
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
	} else if (!run->whole && trace_cut(run->ranks, events, counts, err)) {
		return -1;
	}
	run->trace = matched_trace_create(&trace, err);
	return run->trace ? 0 : -1;
}
