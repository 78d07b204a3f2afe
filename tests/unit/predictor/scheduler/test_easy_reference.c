/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_easy_reference.c - EASY backfilling against a slow and simple one
 *
 * The reference knows no spare CPUs: it starts a job out of turn if, with that
 * job running, the first one of the queue could still start as early as
 * without it.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/scheduler/easy.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define JOBS 100
#define CPUS 23

static struct easy_job jobs[JOBS]; /* in the order of submission */

static int plan_by_limit(void *context, size_t job, double now_s,
			 struct easy_plan *ret, struct sp_error *err)
{
	(void)context;
	(void)now_s;
	(void)err;
	*ret = (struct easy_plan){ jobs[job].limit_s, jobs[job].limit_s };
	return 0;
}

/* --- The reference -------------------------------------------------------- */

static double started[JOBS]; /* NAN: waits, or is not submitted yet */
static double
	promised[JOBS]; /* the latest start of who was first; NAN: never */

static bool runs(int job, double now_s)
{
	return started[job] <= now_s &&
	       now_s < started[job] + jobs[job].runtime_s;
}

static bool waits(int job, double now_s)
{
	return isnan(started[job]) && jobs[job].submitted_s <= now_s;
}

/* CPUs that are free at `at_s`, if no other job starts and all run to
 * their limits. */
static uint32_t free_at(double at_s, double now_s)
{
	uint32_t free = CPUS;

	for (int i = 0; i < JOBS; i++)
		if (runs(i, now_s) &&
		    (at_s <= now_s || at_s < started[i] + jobs[i].limit_s))
			free -= jobs[i].cpus;
	return free;
}

/* When that many CPUs will be free. */
static double earliest(uint32_t cpus, double now_s)
{
	double first_s = HUGE_VAL;

	if (free_at(now_s, now_s) >= cpus)
		return now_s;
	for (int i = 0; i < JOBS; i++) {
		double end_s = started[i] + jobs[i].limit_s;

		if (runs(i, now_s) && end_s < first_s &&
		    free_at(end_s, now_s) >= cpus)
			first_s = end_s;
	}
	return first_s;
}

/* The waiting job that is tried after `last`, by limits or by submission;
 * -1: none. */
static int next_tried(int last, double now_s, bool shortest_first)
{
	int next = -1;

	for (int i = 0; i < JOBS; i++) {
		double a_s = shortest_first ? jobs[i].limit_s : 0;
		double last_s =
			last >= 0 && shortest_first ? jobs[last].limit_s : 0;
		double next_s =
			next >= 0 && shortest_first ? jobs[next].limit_s : 0;

		if (!waits(i, now_s) ||
		    (last >= 0 &&
		     (a_s < last_s || (a_s == last_s && i <= last))))
			continue;
		if (next < 0 || a_s < next_s)
			next = i;
	}
	return next;
}

static void reference_schedule(double now_s, bool shortest_first)
{
	int head;

	while ((head = next_tried(-1, now_s, false)) >= 0 &&
	       earliest(jobs[head].cpus, now_s) <= now_s)
		started[head] = now_s;
	if (head < 0)
		return;

	double reserved_s = earliest(jobs[head].cpus, now_s);

	if (isnan(promised[head]))
		promised[head] = reserved_s;
	for (int i = next_tried(-1, now_s, shortest_first); i >= 0;
	     i = next_tried(i, now_s, shortest_first)) {
		if (i == head || free_at(now_s, now_s) < jobs[i].cpus)
			continue;
		started[i] = now_s;
		if (earliest(jobs[head].cpus, now_s) > reserved_s)
			started[i] = NAN;
	}
}

static double next_event(double now_s)
{
	double next_s = HUGE_VAL;

	for (int i = 0; i < JOBS; i++) {
		double end_s = started[i] + jobs[i].runtime_s;

		if (jobs[i].submitted_s > now_s)
			next_s = fmin(next_s, jobs[i].submitted_s);
		if (end_s > now_s)
			next_s = fmin(next_s, end_s);
	}
	return next_s;
}

static void reference_run(bool shortest_first)
{
	for (int i = 0; i < JOBS; i++)
		started[i] = promised[i] = NAN;
	for (double now_s = -1; (now_s = next_event(now_s)) < HUGE_VAL;)
		reference_schedule(now_s, shortest_first);
}

/* --- The tests ------------------------------------------------------------ */

/* Whole seconds, so that ends and submissions fall together; few lengths, so
 * that jobs end at the reservation itself. */
static void jobs_draw(struct random *r)
{
	double now_s = 0;

	for (int i = 0; i < JOBS; i++) {
		double limit_s = (double)(60 * (1 + random_below(r, 20)));

		now_s += (double)(30 * random_below(r, 8));
		jobs[i] = (struct easy_job){
			.submitted_s = now_s,
			.limit_s = limit_s,
			.runtime_s = random_below(r, 2)
					     ? limit_s
					     : 1 + floor(random_unit(r) *
							 (limit_s - 1)),
			.cpus = 1 + (uint32_t)random_below(r, CPUS),
		};
	}
}

/* No job runs longer than its limit: who was first starts when that was
 * promised, or earlier, whatever came later. */
START_TEST(test_same_starts)
{
	static const struct easy_planner planner = { .submitted =
							     plan_by_limit };
	struct random r = { 20 };
	static double fast[JOBS];
	struct sp_error err;
	int backfilled = 0, kept = 0;

	for (int round = 0; round < 16; round++) {
		struct easy_rules rules = { .cpus = CPUS,
					    .shortest_first = round & 1 };

		jobs_draw(&r);
		reference_run(rules.shortest_first);
		ck_assert_int_eq(
			easy_simulate(&rules, jobs, JOBS, &planner, fast, &err),
			0);
		for (int i = 0; i < JOBS; i++) {
			ck_assert_msg(fast[i] == started[i],
				      "round %d, job %d: %g, not %g", round, i,
				      fast[i], started[i]);
			ck_assert(!(fast[i] > promised[i]));
			kept += !isnan(promised[i]);
			backfilled += i > 0 && fast[i] < fast[i - 1];
		}
	}
	/* Or nothing was tested. */
	ck_assert_int_gt(backfilled, 300);
	ck_assert_int_gt(kept, 300);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_same_starts, NULL };

	return suite_run("easy_reference", tests);
}
