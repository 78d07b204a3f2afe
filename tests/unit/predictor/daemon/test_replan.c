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

START_TEST(test_unchanged)
{
	const struct prediction_answer answer = {
		.basis = BASIS_HISTORY,
		.evidence_level = EVIDENCE_APPLICATION,
		.evidence_runs = 9,
		.median_s = 333,
		.quantile = 0.9,
	};

	ck_assert_int_eq(
		replan_job(&rules, &job, NULL, NOW_S + 999, &known).urgency, 0);

	struct replan_change c =
		replan_job(&rules, &job, &answer, NOW_S + 999, &known);

	ck_assert_int_gt(c.urgency, 0);
	ck_assert_int_eq(c.factor, key(NOW_S, 333));
	ck_assert_int_eq(c.nice, -1);
	known.factor = 0; /* predict_plan was off */
	c = replan_job(&rules, &job, NULL, NOW_S, &known);
	ck_assert_int_gt(c.urgency, 0);
	ck_assert_int_eq(c.factor, key(NOW_S, 60 * 71));
	known.factor = 77; /* an operator's */
	ck_assert_int_eq(replan_job(&rules, &job, NULL, NOW_S, &known).urgency,
			 0);
}
END_TEST

/* Age is what Slurm counts. */
START_TEST(test_begin)
{
	double now_s = NOW_S + 90000;

	job.accrued_s = NOW_S + 40000;
	ck_assert_int_eq(replan_job(&rules, &job, NULL, now_s, &known).factor,
			 key(NOW_S + 40000, 60 * 71));
	job.accrued_s = NAN;
	ck_assert_int_eq(replan_job(&rules, &job, NULL, now_s, &known).factor,
			 key(NOW_S, 60 * 71));
	rules.accrue_limits = true;
	ck_assert_int_eq(replan_job(&rules, &job, NULL, now_s, &known).factor,
			 key(now_s, 60 * 71));
	job.accrued_s = NOW_S;
	job.depends = true;
	ck_assert_int_eq(replan_job(&rules, &job, NULL, now_s, &known).factor,
			 key(now_s, 60 * 71));
	job.depends = false;
	job.priority = 0;
	ck_assert_int_eq(replan_job(&rules, &job, NULL, now_s, &known).factor,
			 key(now_s, 60 * 71));
	job.priority = 1;
	job.begin_s = now_s + 7777;
	ck_assert_int_eq(replan_job(&rules, &job, NULL, now_s, &known).factor,
			 key(now_s + 7777, 60 * 71));
}
END_TEST

START_TEST(test_marks)
{
	static const int64_t nices[] = { -1, 0, 7, 9998 };
	struct plan_mark got;

	for (int i = 0; i < 8; i++) {
		const struct plan_mark mark = { i & 1, nices[i / 2] };
		int64_t made = plan_mark_make(&rules.policy, &mark);

		ck_assert_int_gt(made, plan_range_s(&rules.policy));
		ck_assert(plan_mark_read(&rules.policy, made, &got));
		ck_assert(got.resized == mark.resized);
		ck_assert_int_eq(got.nice, mark.nice);
	}
	ck_assert(!plan_mark_read(&rules.policy, 100, &got));
	ck_assert(!plan_mark_read(&rules.policy, INT32_MAX, &got));

	/* The nice value from before comes back; a prediction for another
	 * size counts no more. */
	const struct prediction_answer answer = {
		.basis = BASIS_HISTORY,
		.evidence_level = EVIDENCE_APPLICATION,
		.evidence_runs = 9,
		.median_s = 3,
		.quantile = 0.9,
	};

	job.nice = 44;
	replan_job(&rules, &job, &answer, NOW_S, &known);
	job.nice =
		plan_mark_make(&rules.policy, &(struct plan_mark){ true, -1 });

	struct replan_change c =
		replan_job(&rules, &job, &answer, NOW_S, &known);

	ck_assert_int_eq(c.nice, 44);
	ck_assert_int_eq(c.factor, key(NOW_S, 60 * 71));
	ck_assert_int_gt(c.urgency, 0);
	job.nice = 44;
	c = replan_job(&rules, &job, &answer, NOW_S, &known);
	ck_assert_int_eq(c.factor, key(NOW_S, 60 * 71));
	ck_assert_int_eq(c.urgency, 0);
}
END_TEST

START_TEST(test_partitions)
{
	strcpy(job.partitions, "a,free");

	struct replan_change c = replan_job(&rules, &job, NULL, NOW_S, &known);

	ck_assert_int_gt(c.urgency, 0);
	ck_assert_int_eq(c.factor, 0);
	ck_assert_int_eq(c.nice, -1);
	known.factor = 0;
	ck_assert_int_eq(replan_job(&rules, &job, NULL, NOW_S, &known).urgency,
			 0);
	/* What users give themselves is theirs. */
	job.nice = INT32_MAX - 2;
	ck_assert_int_eq(replan_job(&rules, &job, NULL, NOW_S, &known).urgency,
			 0);
}
END_TEST

START_TEST(test_top)
{
	job.nice = -40000;
	ck_assert_int_eq(replan_job(&rules, &job, NULL, NOW_S, &known).urgency,
			 0); /* an operator's */
	rules.user_top = true;
	ck_assert_int_eq(replan_job(&rules, &job, NULL, NOW_S, &known).factor,
			 key(NOW_S, 60 * 71) - 40000);
}
END_TEST

/* --- A hostile user ------------------------------------------------------- */

#define ROUND_S 60

static int64_t factor;
static double blocked_at_s; /* it could not run from then on */
static bool was_blocked;
static double submitted_s;

/* What slurmctld and the plugin do with one of his changes. */
static void attack(double now_s)
{
	struct plan_mark mark = { .nice = -1 };
	bool marks = true;

	switch (rand() % 8) {
	case 0:
		job.limit_s = 60;
		break;
	case 1:
		job.limit_s = 3 * 86400;
		break;
	case 2:
		mark.nice = 0;
		break;
	case 3:
		job.priority = 0;
		marks = false;
		break;
	case 4:
		if (job.priority == 0)
			job.begin_s = now_s;
		job.priority = 1;
		marks = false;
		break;
	case 5:
		job.depends = true;
		marks = false;
		break;
	case 6:
		if (job.depends)
			job.begin_s = now_s;
		job.depends = false;
		marks = false;
		break;
	default:
		job.begin_s = now_s + rand() % 100000;
		marks = false;
	}
	if (marks)
		job.nice = plan_mark_make(&rules.policy, &mark);
}

static void round_make(double now_s)
{
	struct replan_change c;

	/* sprio leaves out jobs that cannot run. */
	if (job.priority && !job.depends && job.begin_s <= now_s)
		known.factor = factor;
	c = replan_job(&rules, &job, NULL, now_s, &known);
	if (!c.urgency)
		return;
	factor = known.factor = c.factor;
	if (c.nice >= 0)
		job.nice = c.nice;
}

/* The job has no better place than what it asks now deserves, and so none
 * before jobs that began to wait a range of keys before it; predictd's step and
 * a round are what goes unseen. */
static void place_check(double now_s)
{
	double slack_s =
		(double)plan_range_s(&rules.policy) / 100 + 2 * ROUND_S;
	double victim_s =
		job.begin_s - slack_s - (double)plan_range_s(&rules.policy);
	int64_t place = factor - job.nice;

	bool blocked = job.priority == 0 || job.depends || job.begin_s > now_s;

	if (blocked && !was_blocked)
		blocked_at_s = now_s;
	was_blocked = blocked;
	/* It had its old place a moment ago, rightly. */
	if (blocked || (now_s - job.begin_s < 2 * ROUND_S &&
			job.begin_s - blocked_at_s < 2 * ROUND_S))
		return;
	ck_assert_int_le(place, key(job.begin_s - slack_s, job.limit_s));
	ck_assert_int_le(place, key(victim_s, HUGE_VAL));
}

START_TEST(test_hostile_user)
{
	for (unsigned seed = 1; seed <= 300; seed++) {
		srand(seed);
		rules_set("predict_plan=on,predict_plan_key=limit");
		submitted_s = NOW_S;
		job.begin_s = job.accrued_s = submitted_s;
		job.limit_s = 60;
		job.nice = 0;
		job.priority = 1;
		job.depends = false;
		known = (struct replan_known){ .factor = -1 };
		factor = key(submitted_s, 60);
		blocked_at_s = -HUGE_VAL;
		was_blocked = false;
		for (int s = 0; s < 40000; s += 10) {
			double now_s = submitted_s + s;

			if (s % ROUND_S == 0)
				round_make(now_s);
			/* In bursts, and after long rests. */
			if (rand() % (s / 5000 % 2 ? 400 : 5) == 0)
				attack(now_s);
			place_check(now_s);
		}
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_unchanged, test_begin,        test_marks, test_partitions,
		test_top,       test_hostile_user, NULL,
	};

	return suite_run_each("replan", tests, set_up, tear_down);
}
