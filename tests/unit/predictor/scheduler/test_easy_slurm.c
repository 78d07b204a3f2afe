/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_easy_slurm.c - backfilling as Slurm does it, by hand and at random
 *
 * The slow reference goes second by second, and over nodes.
 */
#include <math.h>

#include "predictor/scheduler/easy.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static const double *lengths_s; /* NULL: the limits */
static const struct easy_job *jobs_now;

static int tell(void *context, size_t job, double now_s, struct easy_plan *ret,
		struct sp_error *err)
{
	(void)context, (void)err, (void)now_s;
	ret->reserve_s = jobs_now[job].limit_s;
	ret->order_s = lengths_s ? lengths_s[job] : ret->reserve_s;
	return 0;
}

static void simulate(const struct easy_rules *rules,
		     const struct easy_job *jobs, size_t count, double *started)
{
	static const struct easy_planner planner = { .submitted = tell };
	struct sp_error err;

	jobs_now = jobs;
	ck_assert_int_eq(
		easy_simulate(rules, jobs, count, &planner, started, &err), 0);
}

START_TEST(test_slurm_has_turns)
{
	struct easy_slurm slurm = { .interval_s = 30, .turns_only = true };
	const struct easy_rules rules = { .cpus = 10, .slurm = &slurm };
	const struct easy_job jobs[] = {
		{ .submitted_s = 7, .runtime_s = 100, .limit_s = 600, 6 },
		{ .submitted_s = 8, .runtime_s = 20, .limit_s = 60, 4 },
		{ .submitted_s = 9, .runtime_s = 50, .limit_s = 60, 8 },
		{ .submitted_s = 11, .runtime_s = 50, .limit_s = 60, 1 },
	};
	double started[4];

	lengths_s = NULL;
	simulate(&rules, jobs, 4, started);
	ck_assert_double_eq(started[0], 7); /* nothing waits: at once */
	ck_assert_double_eq(started[1], 8);
	/* The first ends at 107, the second at 28; the turn at 30 starts the
	 * last one. */
	ck_assert_double_eq(started[2], 120);
	ck_assert_double_eq(started[3], 30);
	/* The main scheduler starts the third, which is the first in the queue
	 * then, but not the last in front of it. */
	slurm.turns_only = false;
	simulate(&rules, jobs, 4, started);
	ck_assert_double_eq(started[2], 107);
	ck_assert_double_eq(started[3], 30);
}
END_TEST

/* The third is to start when the second ends.  One CPU is to spare then, which
 * the last may have; but in Slurm the third is to get the first five nodes, and
 * only the first two are free. */
START_TEST(test_slurm_reserves_nodes)
{
	static const struct easy_slurm slurm = { .interval_s = 1,
						 .turns_only = true };
	struct easy_rules rules = { .cpus = 6 };
	const struct easy_job jobs[] = {
		{ .submitted_s = 0, .runtime_s = 1, .limit_s = 5, 2 },
		{ .submitted_s = 0, .runtime_s = 100, .limit_s = 100, 4 },
		{ .submitted_s = 2, .runtime_s = 50, .limit_s = 50, 5 },
		{ .submitted_s = 2, .runtime_s = 500, .limit_s = 500, 1 },
	};
	double started[4];

	lengths_s = NULL;
	simulate(&rules, jobs, 4, started);
	ck_assert_double_eq(started[2], 100);
	ck_assert_double_eq(started[3], 2);
	rules.slurm = &slurm;
	simulate(&rules, jobs, 4, started);
	ck_assert_double_eq(started[1], 0);
	ck_assert_double_eq(started[2], 101);
	ck_assert_double_eq(started[3], 101);
}
END_TEST

/* Limits end at 99, 199 and 239.  The fourth fits at 199, but windows from 120
 * on are 30 s, then 120 s: it is to start at 239, and the last, until 223, goes
 * in front of it. */
START_TEST(test_slurm_groups_ends)
{
	struct easy_slurm slurm = { .interval_s = 1, .turns_only = true };
	const struct easy_rules rules = { .cpus = 6, .slurm = &slurm };
	const struct easy_job jobs[] = {
		{ .submitted_s = 0, .runtime_s = 99, .limit_s = 99, 2 },
		{ .submitted_s = 0, .runtime_s = 199, .limit_s = 199, 1 },
		{ .submitted_s = 0, .runtime_s = 239, .limit_s = 239, 1 },
		{ .submitted_s = 2, .runtime_s = 50, .limit_s = 50, 5 },
		{ .submitted_s = 2, .runtime_s = 220, .limit_s = 220, 1 },
	};
	double started[5];

	lengths_s = NULL;
	simulate(&rules, jobs, 5, started);
	ck_assert_double_eq(started[4], 3);
	ck_assert_double_eq(started[3], 224);
	/* Now it is to start at 199.  Seen from 100 both ends are one group,
	 * and the last of six nodes is not needed. */
	slurm.window_linear_s = 1;
	simulate(&rules, jobs, 5, started);
	ck_assert_double_eq(started[4], 100);
	ck_assert_double_eq(started[3], 240);
}
END_TEST

START_TEST(test_slurm_reserves_late)
{
	struct easy_slurm slurm = { .interval_s = 1,
				    .turns_only = true,
				    .reserve_age_s = 250 };
	const struct easy_rules rules = { .cpus = 4, .slurm = &slurm };
	const struct easy_job jobs[] = {
		{ .submitted_s = 0, .runtime_s = 100, .limit_s = 100, 2 },
		{ .submitted_s = 1, .runtime_s = 90, .limit_s = 90, 4 },
		{ .submitted_s = 2, .runtime_s = 150, .limit_s = 150, 2 },
		{ .submitted_s = 99, .runtime_s = 150, .limit_s = 150, 2 },
		{ .submitted_s = 151, .runtime_s = 150, .limit_s = 150, 2 },
		{ .submitted_s = 252, .runtime_s = 150, .limit_s = 150, 2 },
	};
	static const double lengths[] = { 100, 6, 150, 150, 150, 150 };
	double started[6];

	lengths_s = NULL;
	simulate(&rules, jobs, 6, started);
	ck_assert_double_eq(started[2], 2);
	ck_assert_double_eq(started[3], 100);
	ck_assert_double_eq(started[4], 152);
	/* At 251 it has waited 250 s: what comes then is behind it. */
	ck_assert_double_eq(started[1], 303);
	ck_assert_double_eq(started[5], 394);
	/* It is to take 6 s, which counts as 60: at 121 its slowdown is 3. */
	lengths_s = lengths;
	slurm.reserve_slowdown = 3;
	simulate(&rules, jobs, 6, started);
	ck_assert_double_eq(started[3], 100);
	ck_assert_double_eq(started[1], 251);
	ck_assert_double_eq(started[4], 342);
}
END_TEST

/* --- The reference -------------------------------------------------------- */

struct slow {
	const struct easy_job *jobs;
	int count, nodes;
	int owner[64];
	double *started;
};

static double slow_end(const struct slow *s, int job, bool by_limit)
{
	return s->started[job] +
	       (by_limit ? s->jobs[job].limit_s : s->jobs[job].runtime_s);
}

/* Mark the nodes that Slurm takes of the usable ones. */
static bool slow_pick(const struct slow *s, const bool *usable, int wanted,
		      bool *picked)
{
	bool left[64];
	int n = 0;

	for (int i = 0; i < s->nodes; i++) {
		left[i] = usable[i];
		picked[i] = false;
		n += usable[i];
	}
	if (n < wanted)
		return false;
	while (wanted > 0) {
		int first = -1, length = 0;

		/* The shortest run that is enough, else the longest. */
		for (int size = wanted; size <= s->nodes && first < 0; size++)
			for (int a = 0; a + size <= s->nodes && first < 0;
			     a++) {
				int b = a;

				while (b < s->nodes && left[b])
					b++;
				if (b - a == size && (a == 0 || !left[a - 1]))
					first = a;
			}
		for (int size = wanted - 1; size > 0 && first < 0; size--)
			for (int a = 0; a + size <= s->nodes && first < 0;
			     a++) {
				int b = a;

				while (b < s->nodes && left[b])
					b++;
				if (b - a == size)
					first = a;
			}
		for (length = 0; wanted > 0 && first + length < s->nodes &&
				 left[first + length];
		     length++, wanted--) {
			picked[first + length] = true;
			left[first + length] = false;
		}
	}
	return true;
}

static void slow_start(struct slow *s, int job, double now, const bool *picked)
{
	for (int i = 0; i < s->nodes; i++)
		if (picked[i])
			s->owner[i] = job;
	s->started[job] = now;
}

static double slow_reserve(const struct slow *s, int job, double now,
			   bool *reserved)
{
	bool usable[64];
	double from = 0, window = 30, last = now;
	double opens = HUGE_VAL;

	for (int i = 0; i < s->nodes; i++) {
		usable[i] = s->owner[i] < 0;
		if (s->owner[i] >= 0)
			opens = fmin(opens, slow_end(s, s->owner[i], true));
	}
	from = 30 * (floor(opens / 30) + 1);
	for (;;) {
		/* All that ends up to the end of this window. */
		for (int i = 0; i < s->nodes; i++) {
			double end = s->owner[i] < 0
					     ? -1
					     : slow_end(s, s->owner[i], true);

			if (!usable[i] && end <= from + window) {
				usable[i] = true;
				last = fmax(last, end);
			}
		}
		if (slow_pick(s, usable, (int)s->jobs[job].cpus, reserved))
			return last;
		window *= 2;
	}
}

static void slow_turn(struct slow *s, double now)
{
	bool usable[64], picked[64], reserved[64] = { false };
	double reserved_at = HUGE_VAL;

	for (int job = 0; job < s->count; job++) {
		const struct easy_job *j = &s->jobs[job];
		int idle = 0;

		if (s->started[job] >= 0 || j->submitted_s > now)
			continue;
		for (int i = 0; i < s->nodes; i++) {
			idle += s->owner[i] < 0;
			usable[i] = s->owner[i] < 0 &&
				    (!reserved[i] ||
				     now + j->limit_s <= reserved_at);
		}
		if (idle == 0)
			break;
		if (slow_pick(s, usable, (int)j->cpus, picked))
			slow_start(s, job, now, picked);
		else if ((int)j->cpus > idle && reserved_at == HUGE_VAL)
			reserved_at = slow_reserve(s, job, now, reserved);
	}
}

static void slow_simulate(struct slow *s, bool turns_only)
{
	double turn = HUGE_VAL;
	int left = s->count;

	for (int i = 0; i < s->nodes; i++)
		s->owner[i] = -1;
	for (int i = 0; i < s->count; i++)
		s->started[i] = -1;
	for (double now = 0; left > 0; now++) {
		int waiting = 0;
		bool event = false;

		left = 0;

		for (int i = 0; i < s->nodes; i++) {
			if (s->owner[i] >= 0 &&
			    slow_end(s, s->owner[i], false) <= now) {
				s->owner[i] = -1;
				event = true;
			}
		}
		for (int i = 0; i < s->count; i++)
			if (s->started[i] < 0 &&
			    s->jobs[i].submitted_s <= now) {
				waiting++;
				event |= s->jobs[i].submitted_s == now;
			}
		for (int i = 0; i < s->count; i++)
			left += s->started[i] < 0;
		if (now >= turn) {
			turn = HUGE_VAL;
			slow_turn(s, now);
			continue;
		}
		for (int i = 0; event && i < s->count; i++) {
			bool usable[64], picked[64];

			if (s->started[i] >= 0 || s->jobs[i].submitted_s > now)
				continue;
			for (int k = 0; k < s->nodes; k++)
				usable[k] = s->owner[k] < 0;
			if ((turns_only && s->jobs[i].submitted_s != now) ||
			    !slow_pick(s, usable, (int)s->jobs[i].cpus, picked))
				break;
			slow_start(s, i, now, picked);
			waiting--;
		}
		if (event && waiting > 0 && turn == HUGE_VAL)
			turn = now - fmod(now, 30) + 30;
	}
}

START_TEST(test_slurm_at_random)
{
	struct easy_slurm slurm = { .interval_s = 30 };
	struct random r = { 73 };
	struct easy_job jobs[60];
	double started[60], slowly[60];

	lengths_s = NULL;
	for (int round = 0; round < 12; round++) {
		const struct easy_rules rules = { .cpus = 37 + 3 * round % 5,
						  .slurm = &slurm };
		struct slow slow = { .jobs = jobs,
				     .count = 60,
				     .nodes = (int)rules.cpus,
				     .started = slowly };

		double now_s = 0;

		for (int i = 0; i < 60; i++) {
			double runtime_s = ceil(exp(9 * random_unit(&r)));

			now_s += 1 + (double)random_below(&r, 700);
			jobs[i] = (struct easy_job){
				.submitted_s = now_s,
				.runtime_s = runtime_s,
				.limit_s = ceil(runtime_s *
						(1 + 3 * random_unit(&r))),
				.cpus = 1 + (uint32_t)random_below(&r, 37),
			};
		}
		slurm.turns_only = round % 2;
		simulate(&rules, jobs, 60, started);
		slow_simulate(&slow, slurm.turns_only);
		for (int i = 0; i < 60; i++)
			ck_assert_double_eq(started[i], slowly[i]);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_slurm_has_turns,   test_slurm_reserves_nodes,
		test_slurm_groups_ends, test_slurm_reserves_late,
		test_slurm_at_random,   NULL,
	};

	return suite_run("easy_slurm", tests);
}
