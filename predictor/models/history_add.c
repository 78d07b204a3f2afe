/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history_add.c - the runs that models learn from, in memory: add one
 *
 * All memory is reserved first, so that a failure leaves at most an entry
 * without runs, which is the same as none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/models/history_intern.h"

/* Runs dropped at a time, so that the rest is seldom moved. */
#define FORGET 256

static void group_forget(struct history *h, struct history_group *g, int width)
{
	for (uint32_t i = 0; i < FORGET; i++)
		history_release_traits(h, g->runs[i].traits);
	g->count -= FORGET;
	memmove(g->runs, g->runs + FORGET, g->count * sizeof(g->runs[0]));
	if (width)
		memmove(g->values, g->values + (size_t)FORGET * (size_t)width,
			g->count * (size_t)width * sizeof(g->values[0]));
}

static int ranges_create(struct history_group *g, int width)
{
	g->ranges = calloc((size_t)width, sizeof(g->ranges[0]));
	if (!g->ranges)
		return -1;
	for (int i = 0; i < width; i++)
		g->ranges[i] = (struct history_range){ HUGE_VAL, -HUGE_VAL };
	return 0;
}

static int group_reserve(struct history *h, struct history_group *g, int width)
{
	if (g->count >= HISTORY_GROUP_RUNS + FORGET)
		group_forget(h, g, width);
	if (width && !g->ranges && ranges_create(g, width))
		return -1;
	if (g->count < g->capacity)
		return 0;

	/* Most groups stay small: grow by half, so that little is unused. */
	uint32_t capacity = g->capacity + (g->capacity / 2 ?: 1);
	struct history_run *runs =
		reallocarray(g->runs, capacity, sizeof(*runs));

	if (!runs)
		return -1;
	g->runs = runs;
	if (width) {
		double *values = reallocarray(g->values,
					      (size_t)capacity * (size_t)width,
					      sizeof(*values));

		/* The array of runs is only larger than `capacity` now. */
		if (!values)
			return -1;
		g->values = values;
	}
	g->capacity = capacity;
	return 0;
}

static void group_append(struct history_group *g, int width, uint32_t user,
			 uint32_t traits, const struct past_job *job,
			 double runtime_s)
{
	const struct parameters *p = &job->subject.application->parameters;
	const struct conditions *before = &job->before;

	for (int i = 0; i < width; i++) {
		double value = p->of[i].value;
		struct history_range *range = &g->ranges[i];

		g->values[(size_t)g->count * (size_t)width + (size_t)i] = value;
		range->least = fmin(range->least, value);
		range->most = fmax(range->most, value);
	}
	g->runs[g->count++] = (struct history_run){
		.runtime_s = runtime_s,
		.ended_at_s = job->outcome.ended_at_s,
		.job_id = job->outcome.job_id,
		.user = user,
		.limit_s = (float)job->subject.limit_s,
		.cpu_load = (float)before->cpu_load,
		.cpu_load_max = (float)before->cpu_load_max,
		.cpu_available = (float)before->cpu_available,
		.cpu_available_min = (float)before->cpu_available_min,
		.bandwidth_bps = (float)before->bandwidth_bps,
		.latency_s = (float)before->latency_s,
		.end = job->outcome.end,
		.traits = traits,
	};
}

/* Slurm's times are whole seconds: of two that ended together the greater job
 * id counts as newer, in whichever order they were added. */
static bool is_newer(const struct history_brief *a,
		     const struct history_brief *b)
{
	if (a->ended_at_s != b->ended_at_s)
		return a->ended_at_s > b->ended_at_s;
	return a->job_id > b->job_id;
}

static void user_insert(struct history_user *u, struct history_brief run)
{
	uint32_t n = 0;

	while (n < u->count && is_newer(&u->newest[n], &run))
		n++;
	if (n == HISTORY_USER_RUNS)
		return;
	if (u->count < HISTORY_USER_RUNS)
		u->count++;
	memmove(&u->newest[n + 1], &u->newest[n],
		(u->count - 1 - n) * sizeof(u->newest[0]));
	u->newest[n] = run;
}

/* Update the last run of the application, and of the user with it. */
static void update_last(struct history_application *a, struct history_pair *p,
			struct history_brief run, bool completed)
{
	struct history_brief last = { .ended_at_s = p->last_ended_at_s,
				      .job_id = p->last_job_id };

	a->runs++;
	p->completed += completed;
	if (!(a->last_ended_at_s > run.ended_at_s)) {
		a->last_ended_at_s = run.ended_at_s;
		a->last_runtime_s = run.runtime_s;
	}
	if (!p->runs++ || is_newer(&run, &last)) {
		p->last_ended_at_s = run.ended_at_s;
		p->last_runtime_s = (float)run.runtime_s;
		p->last_job_id = run.job_id;
	}
}

static int add_to_application(struct history *h, const struct past_job *job,
			      uint32_t cluster, uint32_t user,
			      struct history_brief run)
{
	const struct subject *s = &job->subject;
	uint32_t names = history_intern_names(h, &s->application->parameters);
	uint32_t application =
		history_intern_application(h, cluster, s->application->name);

	if (names == INDEX_NONE || application == INDEX_NONE)
		return -1;

	uint32_t group = history_intern_group(h, application, names, s);
	uint32_t pair = history_intern_pair(h, user, application);
	int width = h->names[names].count;
	struct trait_keys keys;

	trait_keys_of(s, &keys);
	if (group == INDEX_NONE || pair == INDEX_NONE ||
	    group_reserve(h, &h->groups[group], width))
		return -1;

	/* Without memory for its traits it is a run all the same. */
	uint32_t traits = history_intern_traits(h, &keys);

	group_append(&h->groups[group], width, user, traits, job,
		     run.runtime_s);
	update_last(&h->applications[application], &h->pairs[pair], run,
		    job->outcome.end == OUTCOME_COMPLETED);
	return 0;
}

bool history_accepts(const struct outcome *outcome)
{
	return outcome->end != OUTCOME_OTHER;
}

int history_add(struct history *h, const struct past_job *job,
		struct sp_error *err)
{
	const struct outcome *o = &job->outcome;
	double runtime_s = o->ended_at_s - o->started_at_s;

	if (!history_accepts(o))
		return sp_error_set(err, "job %u: ended by the system",
				    o->job_id);
	if (!isfinite(runtime_s) || runtime_s < 0)
		return sp_error_set(err, "job %u: bad run time %g", o->job_id,
				    runtime_s);

	struct history_brief run = { fmax(runtime_s, HISTORY_RUNTIME_MIN_S),
				     o->ended_at_s, o->job_id };
	uint32_t cluster = history_intern_cluster(h, job->subject.cluster);
	uint32_t user =
		cluster == INDEX_NONE
			? INDEX_NONE
			: history_intern_user(h, cluster, job->subject.user_id);

	if (user == INDEX_NONE ||
	    (*job->subject.application->name &&
	     add_to_application(h, job, cluster, user, run)))
		return sp_error_set(err,
				    "job %u: out of memory for the history",
				    o->job_id);
	h->users[user].runs++;
	user_insert(&h->users[user], run);
	h->runs++;
	return 0;
}
