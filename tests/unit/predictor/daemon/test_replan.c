/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_replan.c - the places that waiting jobs get, and what a hostile user
 * can make of them */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/site/tokens.h"
#include "predictor/daemon/replan.h"
#include "tests/unit/suite.h"

#define NOW_S (PLAN_EPOCH_S + 20000000.)

static struct replan_rules rules;
static struct queue_entry job;
static struct replan_known known;

static void no_complaint(void *context, const char *token, const char *why)
{
	(void)context;
	ck_abort_msg("%s: %s", token, why);
}

static void rules_set(const char *tokens)
{
	memset(&rules, 0, sizeof(rules));
	tokens_parse(tokens, &rules.policy, no_complaint, NULL);
}

/* A job that waits since `NOW_S`, with the key of its submission. */
static void set_up(void)
{
	rules_set("predict_plan=on,predict_plan.free=off");
	job = (struct queue_entry){ .job_id = 12,
				    .priority = 1,
				    .limit_s = 60 * 71,
				    .begin_s = NOW_S,
				    .accrued_s = NOW_S,
				    .partitions = "a,b" };
	known = (struct replan_known){
		.job_id = 12,
		.factor_known = true,
		.factor = plan_site_factor(&rules.policy, (int64_t)NOW_S,
					   60 * 71),
	};
}

static void tear_down(void)
{
}

static int64_t key(double begin_s, double length_s)
{
	return plan_site_factor(&rules.policy, (int64_t)begin_s, length_s);
}

static void expect(double now_s, enum replan_move move, int64_t factor)
{
	struct replan_change c = replan_job(&rules, &job, NULL, now_s, &known);

	ck_assert_int_eq(c.move, move);
	if (move != REPLAN_STAYS)
		ck_assert_int_eq(c.factor, factor);
}

START_TEST(test_moves)
{
	expect(NOW_S + 999, REPLAN_STAYS, 0);
	job.limit_s = 7200;
	expect(NOW_S + 999, REPLAN_BACK, key(NOW_S, 7200));
	job.limit_s = 60;
	expect(NOW_S + 1000, REPLAN_STAYS, 0);
	expect(NOW_S + 1599, REPLAN_STAYS, 0);
	expect(NOW_S + 1600, REPLAN_FORWARD, key(NOW_S, 60));
	/* It asks for more of it in between. */
	job.limit_s = 600;
	expect(NOW_S + 1700, REPLAN_FORWARD, key(NOW_S, 600));
	job.limit_s = 60;
	expect(NOW_S + 1800, REPLAN_FORWARD, key(NOW_S, 600));
	/* It asks for nothing in between. */
	job.limit_s = 60 * 71;
	expect(NOW_S + 1900, REPLAN_STAYS, 0);
	job.limit_s = 60;
	expect(NOW_S + 2000, REPLAN_STAYS, 0);
	expect(NOW_S + 2599, REPLAN_STAYS, 0);
	expect(NOW_S + 2600, REPLAN_FORWARD, key(NOW_S, 60));
}
END_TEST

START_TEST(test_prediction)
{
	const struct prediction_answer answer = {
		.basis = BASIS_HISTORY,
		.evidence_level = EVIDENCE_APPLICATION,
		.evidence_runs = 9,
		.median_s = 333,
		.quantile = 0.9,
	};
	struct replan_change c;

	replan_job(&rules, &job, &answer, NOW_S, &known);
	c = replan_job(&rules, &job, &answer, NOW_S + 600, &known);
	ck_assert_int_eq(c.move, REPLAN_FORWARD);
	ck_assert_int_eq(c.factor, key(NOW_S, 333));
}
END_TEST

/* An operator's site factor, one that is not known, and partitions that are
 * not all known. */
START_TEST(test_left)
{
	static const int64_t others[] = { 77, -1, INT32_MAX };

	job.limit_s = 7200;
	for (int i = 0; i < 3; i++) {
		known.factor = others[i];
		expect(NOW_S, REPLAN_STAYS, 0);
	}
	known.factor = key(NOW_S, 60);
	known.factor_known = false;
	expect(NOW_S, REPLAN_STAYS, 0);
	known.factor_known = true;
	expect(NOW_S, REPLAN_BACK, key(NOW_S, 7200));
	known.retry_s = NOW_S + 1;
	expect(NOW_S, REPLAN_STAYS, 0);
	expect(NOW_S + 1, REPLAN_BACK, key(NOW_S, 7200));
	memset(job.partitions, 'a', sizeof(job.partitions) - 2);
	expect(NOW_S + 1, REPLAN_BACK, key(NOW_S, 7200));
	job.partitions[sizeof(job.partitions) - 2] = 'a';
	expect(NOW_S + 1, REPLAN_STAYS, 0);
}
END_TEST

/* 0 is of before the plan, or of a job with a priority of its own. */
START_TEST(test_zero)
{
	known.factor = 0;
	expect(NOW_S, REPLAN_FORWARD, key(NOW_S, 60 * 71));
	known.tried = true;
	known.given = key(NOW_S, 60 * 71);
	expect(NOW_S, REPLAN_STAYS, 0);
	expect(NOW_S + 9999, REPLAN_STAYS, 0);
	/* The change failed. */
	known.retry_s = NOW_S + 9999;
	expect(NOW_S + 9999, REPLAN_STAYS, 0);
	expect(NOW_S + 10599, REPLAN_FORWARD, key(NOW_S, 60 * 71));
}
END_TEST

/* Age is what Slurm counts. */
START_TEST(test_begin)
{
	double now_s = NOW_S + 90000;

	job.accrued_s = NOW_S + 40000;
	expect(now_s, REPLAN_BACK, key(NOW_S + 40000, 60 * 71));
	job.accrued_s = NAN;
	expect(now_s, REPLAN_STAYS, 0);
	rules.accrue_limits = true;
	expect(now_s, REPLAN_BACK, key(now_s, 60 * 71));
	job.accrued_s = NOW_S;
	job.begin_s = now_s - 7777;
	expect(now_s, REPLAN_BACK, key(now_s - 7777, 60 * 71));
	job.begin_s = NAN;
	expect(now_s, REPLAN_STAYS, 0);
}
END_TEST

START_TEST(test_partitions)
{
	strcpy(job.partitions, "a,free");
	expect(NOW_S, REPLAN_BACK, 0);
	known.factor = known.given = 0;
	known.tried = true;
	expect(NOW_S, REPLAN_STAYS, 0);
	known.factor = 77;
	expect(NOW_S, REPLAN_STAYS, 0);
	/* Who comes back waits as who lowers a limit. */
	known.factor = 0;
	strcpy(job.partitions, "a");
	expect(NOW_S, REPLAN_STAYS, 0);
	expect(NOW_S + 600, REPLAN_FORWARD, key(NOW_S, 60 * 71));
}
END_TEST

START_TEST(test_top)
{
	job.nice = -40000;
	expect(NOW_S, REPLAN_STAYS, 0); /* an operator's */
	rules.user_top = true;
	expect(NOW_S, REPLAN_BACK, key(NOW_S, 60 * 71) - 40000);
}
END_TEST

/* --- A hostile user ------------------------------------------------------- */

#define ROUND_S  60
#define FORWARDS 10 /* rounds in which a job must ask for a better place */

static int64_t asked[FORWARDS + 1]; /* in the last rounds */

static bool is_shown(double now_s)
{
	return job.priority && job.begin_s <= now_s;
}

/* What slurmctld does with one of his changes. */
static void attack(double now_s)
{
	switch (rand() % 6) {
	case 0:
		job.limit_s = 60;
		break;
	case 1:
		job.limit_s = 3 * 86400;
		break;
	case 2:
		job.priority = 0;
		break;
	case 3:
		if (job.priority == 0)
			job.begin_s = now_s;
		job.priority = 1;
		break;
	case 4:
		strcpy(job.partitions, rand() % 2 ? "a" : "a,free");
		break;
	default:
		job.begin_s = now_s + rand() % 100000;
	}
}

/* After a round the job has no better place than what it asks now deserves, and
 * so none before jobs that began to wait a range of keys before it, but for
 * predictd's step; and a better one than before only if it asked for that in
 * ten minutes' rounds. */
static void round_check(double now_s)
{
	int64_t before = known.factor;
	int64_t step = plan_range_s(&rules.policy) / 100;
	bool planned = strcmp(job.partitions, "a") == 0;
	struct replan_change c;

	known.factor_known = is_shown(now_s);
	c = replan_job(&rules, &job, NULL, now_s, &known);
	if (c.move != REPLAN_STAYS) {
		known.factor = known.given = c.factor;
		known.tried = true;
	}
	if (!known.factor_known) {
		ck_assert_int_eq(c.move, REPLAN_STAYS);
		return;
	}
	memmove(asked + 1, asked, sizeof(asked) - sizeof(*asked));
	asked[0] = planned ? key(job.begin_s, job.limit_s) : 0;
	ck_assert_int_le(known.factor, asked[0] + step);
	/* An honest job, of whatever length, that began the range of keys and
	 * a step before it. */
	ck_assert_int_le(known.factor,
			 key(job.begin_s - (double)plan_range_s(&rules.policy) -
				     (double)step,
			     HUGE_VAL));
	for (int i = 0; known.factor > before && i <= FORWARDS; i++)
		ck_assert_int_ge(asked[i], known.factor);
}

START_TEST(test_hostile_user)
{
	int moves = 0;

	for (unsigned seed = 1; seed <= 300; seed++) {
		srand(seed);
		set_up();
		rules_set("predict_plan=on,predict_plan_key=limit,"
			  "predict_plan.free=off");
		strcpy(job.partitions, "a");
		job.limit_s = 60;
		known.factor = key(NOW_S, 60);
		memset(asked, 0, sizeof(asked));
		for (int s = 0; s < 40000; s += 10) {
			int64_t before = known.factor;

			if (s % ROUND_S == 0)
				round_check(NOW_S + s);
			moves += known.factor > before;
			/* In bursts, and after long rests. */
			if (rand() % (s / 5000 % 2 ? 400 : 5) == 0)
				attack(NOW_S + s);
		}
	}
	ck_assert_int_gt(moves, 100);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_moves, test_prediction,   test_left,
		test_zero,  test_begin,        test_partitions,
		test_top,   test_hostile_user, NULL,
	};

	return suite_run_each("replan", tests, set_up, tear_down);
}
