/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_coverage.c - whether the 90 % holds for each user of a job log */
#include <math.h>
#include <stdlib.h>

#include "tests/bench/user_coverage.h"

/* A job's submission, or its end. */
struct step {
	uint32_t user;
	bool submitted;
	size_t job;
	double at_s;
};

/* By users, then by time; at the same moment ends come first. */
static int compare_steps(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->user != y->user)
		return x->user < y->user ? -1 : 1;
	if (x->at_s != y->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	return x->submitted - y->submitted;
}

/* Jobs of one user. */
struct user_sums {
	double judged, covered, batches;
};

/* Go through the steps of the first one's user; return their number. */
static size_t user_add(const struct backtest *b, const struct step *steps,
		       size_t n, struct user_sums *ret)
{
	int in_flight = 0;
	size_t i = 0;

	for (; i < n && steps[i].user == steps[0].user; i++) {
		struct measures_sample sample =
			backtest_sample(b, BACKTEST_CHOSEN, steps[i].job);

		in_flight += steps[i].submitted ? 1 : -1;
		if (!steps[i].submitted || !b->measured[steps[i].job] ||
		    isnan(sample.high_s))
			continue;
		ret->judged++;
		ret->covered += measures_covers(&sample);
		ret->batches += in_flight >= BATCH;
	}
	return i;
}

void user_coverage(const struct backtest *b, double *ret_coverage,
		   double *ret_batches)
{
	struct step *steps = calloc(2 * b->count + 1, sizeof(*steps));
	double users = 0, coverage = 0, batches = 0, jobs = 0;
	size_t n = 0;

	for (size_t i = 0; steps && i < b->count; i++) {
		const struct subject *s = &b->jobs[i].subject;
		double end_s = b->jobs[i].outcome.ended_at_s;

		steps[n++] =
			(struct step){ s->user_id, true, i, s->submitted_at_s };
		steps[n++] = (struct step){ s->user_id, false, i,
					    fmax(end_s, s->submitted_at_s) };
	}
	qsort(steps, n, sizeof(*steps), compare_steps);
	for (size_t i = 0, count; i < n; i += count) {
		struct user_sums user = { 0 };

		count = user_add(b, &steps[i], n - i, &user);
		jobs += user.judged;
		batches += user.batches;
		users += user.judged > 0;
		coverage += user.judged > 0 ? user.covered / user.judged : 0;
	}
	free(steps);
	*ret_coverage = coverage / users;
	*ret_batches = batches / jobs;
}
