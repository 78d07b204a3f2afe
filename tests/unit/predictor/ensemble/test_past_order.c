/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_past_order.c - past jobs are given in their order */
#include <math.h>
#include <stdlib.h>

#include "predictor/ensemble/past_events.h"
#include "tests/unit/predictor/ensemble/jobs_past.h"
#include "tests/unit/suite.h"

#define JOBS 1500

struct order {
	const struct past_job *jobs;
	char state[JOBS]; /* 0: not seen, 1: submitted, 2: started, 3: ended */
	double now_s;
	size_t seen;
};

static void at(struct order *o, size_t job, int state, double time_s)
{
	ck_assert_int_eq(o->state[job], state - 1);
	ck_assert_double_ge(time_s, o->now_s);
	o->state[job] = (char)state;
	o->now_s = time_s;
	o->seen++;
}

static void order_submitted(void *context, size_t job,
			    const struct verdict *verdict)
{
	struct order *o = context;

	(void)verdict;
	at(o, job, 1, o->jobs[job].subject.submitted_at_s);
}

static void order_started(void *context, size_t job,
			  const struct verdict *verdict)
{
	struct order *o = context;

	(void)verdict;
	at(o, job, 2, o->jobs[job].outcome.started_at_s);
}

static void order_ended(void *context, size_t job)
{
	struct order *o = context;

	at(o, job, 3, o->jobs[job].outcome.ended_at_s);
}

START_TEST(test_replay_keeps_the_order)
{
	struct past_job *jobs = past_make(JOBS, 7);
	struct order *o = calloc(1, sizeof(*o));
	struct ensemble *e = ensemble_create();
	struct replay_visitor visitor = { .context = o,
					  .submitted = order_submitted,
					  .started = order_started,
					  .ended = order_ended };

	/* At once, in no time, and still waiting or running. */
	for (size_t i = 0; i < JOBS; i += 9)
		jobs[i].outcome.started_at_s = jobs[i].subject.submitted_at_s;
	for (size_t i = 0; i < JOBS; i += 27)
		jobs[i].outcome.ended_at_s = jobs[i].outcome.started_at_s;
	for (size_t i = 5; i < JOBS; i += 100)
		jobs[i].outcome.ended_at_s = NAN;
	for (size_t i = 5; i < JOBS; i += 200)
		jobs[i].outcome.started_at_s = NAN;
	/* They may come in any order. */
	for (size_t i = 0; i < JOBS / 2; i += 2) {
		struct past_job swap = jobs[i];

		jobs[i] = jobs[JOBS - 1 - i];
		jobs[JOBS - 1 - i] = swap;
	}
	o->jobs = jobs;
	ck_assert_int_eq(replay(e, jobs, JOBS, 0, &visitor, NULL), 0);
	for (size_t i = 0; i < JOBS; i++)
		ck_assert_int_eq(o->state[i],
				 isnan(jobs[i].outcome.started_at_s) ? 1
				 : isnan(jobs[i].outcome.ended_at_s) ? 2
								     : 3);
	ck_assert_uint_eq(ensemble_history(e)->runs, JOBS - JOBS / 100);
	ensemble_destroy(e);
	ensemble_destroy(NULL);

	/* Nobody needs to look, and nothing to be there. */
	e = ensemble_create();
	ck_assert_int_eq(replay(e, jobs, 300, 100, NULL, NULL), 0);
	ck_assert_int_eq(replay(e, NULL, 0, 0, NULL, NULL), 0);
	ensemble_destroy(e);
	free(jobs);
	free(o);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_replay_keeps_the_order,
		NULL,
	};

	return suite_run("past order", tests);
}
