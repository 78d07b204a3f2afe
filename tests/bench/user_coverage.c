/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_coverage.c - for which jobs of a log the 90 % holds
 *
 * Submissions and ends are sorted by user, then by application, and each
 * group is gone through in order of time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/index.h"
#include "tests/bench/user_coverage.h"

/* A job's submission, or its end. */
struct step {
	uint64_t group; /* its user, or its application */
	bool submitted;
	size_t job;
	double at_s;
};

/* By groups, then by time; at the same moment ends come first. */
static int compare_steps(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->at_s != y->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	return x->submitted - y->submitted;
}

/* Jobs of one group. */
struct group_sums {
	double judged, covered, batches, first, first_covered;
};

/* Go through the steps of the first one's group; return their number. */
static size_t group_add(const struct backtest *b, const struct step *steps,
			size_t n, struct group_sums *ret)
{
	size_t submitted = 0, ended = 0, i = 0;

	for (; i < n && steps[i].group == steps[0].group; i++) {
		struct measures_sample sample =
			backtest_sample(b, BACKTEST_CHOSEN, steps[i].job);
		bool covered = measures_covers(&sample);

		submitted += steps[i].submitted;
		ended += !steps[i].submitted;
		if (!steps[i].submitted || !b->measured[steps[i].job] ||
		    isnan(sample.high_s))
			continue;
		ret->judged++;
		ret->covered += covered;
		ret->batches += submitted - ended >= BATCH;
		ret->first += ended < FIRST_RUNS;
		ret->first_covered += ended < FIRST_RUNS && covered;
	}
	return i;
}

static uint64_t user_of(const struct subject *s)
{
	return s->user_id;
}

static uint64_t application_of(const struct subject *s)
{
	const char *name = s->application->name;

	return index_hash(0, name, strlen(name));
}

/* Return the steps of all jobs, sorted; NULL: out of memory. */
static struct step *steps_sort(const struct backtest *b,
			       uint64_t (*group_of)(const struct subject *))
{
	struct step *steps = calloc(2 * b->count + 1, sizeof(*steps));
	size_t n = 0;

	for (size_t i = 0; steps && i < b->count; i++) {
		const struct subject *s = &b->jobs[i].subject;
		double end_s = b->jobs[i].outcome.ended_at_s;
		uint64_t group = group_of(s);

		steps[n++] = (struct step){ group, true, i, s->submitted_at_s };
		steps[n++] = (struct step){ group, false, i,
					    fmax(end_s, s->submitted_at_s) };
	}
	if (steps)
		qsort(steps, n, sizeof(*steps), compare_steps);
	return steps;
}

static void short_add(const struct backtest *b, size_t job,
		      struct user_coverage *ret)
{
	struct measures_sample sample =
		backtest_sample(b, BACKTEST_CHOSEN, job);

	if (!b->measured[job] || !(sample.predicted_s < SHORT_S) ||
	    isnan(sample.high_s))
		return;
	ret->short_jobs++;
	ret->short_covered += measures_covers(&sample);
	ret->short_ln_width += log(sample.high_s / sample.predicted_s);
}

void user_coverage(const struct backtest *b, struct user_coverage *ret)
{
	struct step *by_user = steps_sort(b, user_of);
	struct step *by_application = steps_sort(b, application_of);
	struct group_sums all = { 0 };
	size_t n = by_user && by_application ? 2 * b->count : 0;
	double users = 0, jobs = 0;

	*ret = (struct user_coverage){ 0 };
	for (size_t i = 0; i < b->count; i++)
		short_add(b, i, ret);
	for (size_t i = 0, count; i < n; i += count) {
		struct group_sums user = { 0 };

		count = group_add(b, &by_user[i], n - i, &user);
		jobs += user.judged;
		ret->batches += user.batches;
		users += user.judged > 0;
		ret->by_users +=
			user.judged > 0 ? user.covered / user.judged : 0;
	}
	ret->by_users /= users;
	ret->batches /= jobs;
	for (size_t i = 0; i < n;)
		i += group_add(b, &by_application[i], n - i, &all);
	ret->first = all.first;
	ret->first_covered = all.first_covered;
	free(by_user);
	free(by_application);
}
