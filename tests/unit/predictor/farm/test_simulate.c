/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_simulate.c - the simulation against the expressions and a plain one */
#include <math.h>

#include "predictor/farm/farm_model.h"
#include "predictor/farm/simulate.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define TASKS   600
#define WORKERS 40

START_TEST(test_one_chunk_each_is_as_printed)
{
	struct farm f = { .M = 1200, .mu = 4e-3, .alpha = .6, .lm = .02 };
	struct message_costs costs = { 1, { { HUGE_VAL, 5e-4, 8e-8 } } };
	const double volumes[] = { 3e3, 2e6 }; /* (7); (8) */

	for (int i = 0; i < 4; i++) {
		f.V = volumes[i % 2];
		f.synchronous = i >= 2; /* (9) */
		for (int n = 2; n <= 24; n++) {
			struct farm_iteration it = {
				.farm = &f,
				.costs = &costs,
				.policy = &policy_none,
				.rules = { .M = f.M, .n = n, .mu = f.mu },
			};
			double off = farm_simulate(&it, NULL) /
					     farm_time(&f, &costs, n) -
				     1;

			/* The master can feed 42 at least. */
			ck_assert_double_le(fabs(off), .015);
		}
	}
}
END_TEST

/* The same without events: in each turn whoever replies first is served. */
static double simulate_plainly(const struct farm_iteration *it)
{
	const struct farm *f = it->farm;
	const struct message_class *c = &it->costs->classes[0];
	int n = it->rules.n, first, replying[WORKERS] = { 0 };
	double ready[WORKERS], master = 0, out = 0, in = 0;
	struct handout h;

	handout_begin(&h, it->policy, &it->rules);
	for (int i = 0; i < n; i++)
		ready[i] = -1 + i * 1e-3;
	for (;;) {
		int w = -1;

		for (int i = 0; i < n; i++)
			if (ready[i] < HUGE_VAL &&
			    (w < 0 || ready[i] < ready[w]))
				w = i;
		if (w < 0)
			return in + f->lm;

		double now = fmax(ready[w], 0);

		if (replying[w])
			now = in = fmax(now, in) + c->k * replying[w] *
							   (1 - f->alpha) *
							   f->V / f->M;
		replying[w] = handout_next(&h, &first);
		ready[w] = HUGE_VAL;
		if (!replying[w])
			continue;
		master = fmax(now, master) + c->mo;
		out = fmax(master, out) +
		      c->k * replying[w] * f->alpha * f->V / f->M;
		if (f->synchronous)
			master = out;
		ready[w] = out;
		for (int t = first; t < first + replying[w]; t++)
			ready[w] =
				worker_speed_end(&it->speeds[w], ready[w],
						 it->work[t + 1] - it->work[t]);
		ready[w] += c->mo;
	}
}

START_TEST(test_as_a_plain_simulation)
{
	struct random r = { 3 };

	for (int i = 0; i < 400; i++) {
		double work[TASKS + 1];
		struct worker_speed_step steps[WORKERS][3];
		struct worker_speed speeds[WORKERS];
		struct farm f = { .M = 1 + (int)random_below(&r, TASKS),
				  .mu = .01 * (1e-2 + random_unit(&r)),
				  .V = 1e6 * random_unit(&r),
				  .alpha = random_unit(&r),
				  .lm = .1 * random_unit(&r),
				  .synchronous = random_below(&r, 2) };
		struct message_costs costs = {
			1, { { HUGE_VAL, 1e-3 * random_unit(&r), 1e-7 } }
		};
		struct farm_iteration it = {
			.farm = &f,
			.costs = &costs,
			.policy = farm_policies[random_below(&r, 5)],
			.rules = { .M = f.M,
				   .n = 1 + (int)random_below(&r, WORKERS),
				   .mu = f.mu,
				   .sigma = f.sigma,
				   .factor = .1 + .9 * random_unit(&r),
				   .chunk_min = 1 },
			.work = work,
			.speeds = speeds,
		};
		struct worker_record workers[WORKERS];
		int tasks = 0;

		f.sigma = f.mu * random_unit(&r);
		farm_draw_work(&f, (uint64_t)i, work);
		for (int w = 0; w < it.rules.n; w++) {
			for (int s = 0; s < 3; s++)
				steps[w][s] = (struct worker_speed_step){
					s * .1 * random_unit(&r),
					.1 + random_unit(&r)
				};
			steps[w][2].from += steps[w][1].from;
			speeds[w] = (struct worker_speed){ 3, steps[w] };
		}

		double Tt = farm_simulate(&it, workers);

		ck_assert_double_eq_tol(Tt, simulate_plainly(&it), 1e-9 * Tt);
		for (int w = 0; w < it.rules.n; w++)
			tasks += workers[w].tasks;
		ck_assert_int_eq(tasks, f.M);
	}
}
END_TEST

START_TEST(test_speeds_that_change)
{
	const struct worker_speed_step steps[] = { { 0, 1 },
						   { 2, .5 },
						   { 5, 4 } };
	struct worker_speed speed = { 3, steps };

	ck_assert_double_eq(worker_speed_end(&speed, .5, 1), 1.5);
	ck_assert_double_eq(worker_speed_end(&speed, .5, 2), 3);
	ck_assert_double_eq(worker_speed_end(&speed, 1, 3.5), 5.25);
	ck_assert_double_eq(worker_speed_end(&speed, 6, 2), 6.5);
}
END_TEST

START_TEST(test_farm_has_the_sum_of_speeds)
{
	/* One of four nodes at a tenth: an even hand-out waits for it. */
	const struct worker_speed_step alone = { 0, 1 }, tenth = { 0, .1 };
	const struct worker_speed speeds[] = {
		{ 1, &alone }, { 1, &tenth }, { 1, &alone }, { 1, &alone }
	};
	struct farm f = { .M = 4000, .mu = .01 };
	struct message_costs costs = { 1, { { HUGE_VAL, 1e-5, 0 } } };
	struct farm_iteration it = {
		.farm = &f,
		.costs = &costs,
		.policy = &policy_none,
		.rules = { .M = f.M,
			   .n = 4,
			   .mu = f.mu,
			   .chunk_min = 1,
			   .slowdown = 10 },
		.speeds = speeds,
	};
	struct worker_record workers[4];
	double even = farm_simulate(&it, NULL);

	it.policy = &policy_shared;
	ck_assert_double_eq_tol(even, 100, .1);
	ck_assert_double_eq_tol(farm_simulate(&it, workers), 40 / 3.1, .15);
	ck_assert_double_eq_tol(workers[1].tasks, 4000 * .1 / 3.1, 6);
}
END_TEST

START_TEST(test_drawn_tasks)
{
	static double work[50001];
	struct farm f = { .M = 50000, .mu = .3, .sigma = .24 };
	double squares = 0;

	farm_draw_work(&f, 8, work);
	for (int i = 0; i < f.M; i++)
		squares += pow(work[i + 1] - work[i] - .3, 2);
	ck_assert_double_eq_tol(work[f.M] / f.M, .3, .005);
	ck_assert_double_eq_tol(sqrt(squares / f.M), .24, .01);
	f.sigma = 0;
	farm_draw_work(&f, 8, work);
	ck_assert_double_eq_tol(work[7], 2.1, 1e-9);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_one_chunk_each_is_as_printed,
		test_as_a_plain_simulation,
		test_speeds_that_change,
		test_farm_has_the_sum_of_speeds,
		test_drawn_tasks,
		NULL,
	};

	return suite_run("simulate", tests);
}
