/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_act_evidence.c - no limit is set without evidence, whatever the history
 *
 * Users submit applications at random, and their runs end at random: most about
 * as long as ever, some much later, some at their limit, some with an error.
 * Before each submission the history is another one.  What the policy would set
 * in mode act is held against an account that the test keeps by itself.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/site/policy.h"
#include "predictor/ensemble/track_record.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

#define HISTORIES    12500 /* in each of eight tests */
#define PER_ENGINE   1000
#define USERS        8
#define APPLICATIONS 6
#define MIN_RUNS     10

struct account {
	uint32_t runs;
	uint32_t judged; /* ever */
	bool held[PER_ENGINE];
};

static struct account accounts[USERS][APPLICATIONS];

/* What the user and application would need by the manual page. */
static bool evidence_suffices(const struct account *a)
{
	uint32_t judged = a->judged < TRACK_LENGTH ? a->judged : TRACK_LENGTH;
	double held = 0;

	for (uint32_t i = 0; i < judged; i++)
		held += a->held[a->judged - 1 - i];
	return a->runs >= MIN_RUNS && judged >= 5 &&
	       held >= 0.9 * judged - 2 * sqrt(judged * 0.9 * 0.1) - 1e-9;
}

static double drawn(void)
{
	return (double)random() / ((double)RAND_MAX + 1);
}

static void submission_draw(struct life *life, int user, int application)
{
	static const char *const names[APPLICATIONS] = {
		"nbody", "heat", "cg", "lu", "ep", "pipeline",
	};

	life_submit(life, 1, 1000 + floor(3 * drawn()) * 1000);
	life->job.user_id = 1000 + (uint32_t)user;
	life->job.name = names[application];
	life->job.arguments[0] = names[application];
	life->job.limit_s = NAN;
}

static struct run run_draw(const struct prediction *p, const char *name,
			   uint32_t id, double now_s, double usual_s)
{
	struct run run = life_run(p, id, now_s, usual_s);
	double kind = drawn();

	snprintf(run.job_name, sizeof(run.job_name), "%s", name);
	run.ended_at_s = now_s + usual_s * (0.9 + 0.2 * drawn());
	if (kind < 0.1)
		run.ended_at_s = now_s + usual_s * 10 * drawn();
	else if (kind < 0.2)
		run.state = RUN_TIMEOUT;
	else if (kind < 0.25)
		run.state = RUN_FAILED;
	else if (kind < 0.3) {
		run.state = RUN_FAILED;
		run.ended_at_s = now_s + 2;
	}
	return run;
}

static void account_add(struct account *a, const struct prediction *p,
			const struct run *run)
{
	double runtime_s = run->ended_at_s - run->started_at_s;
	bool completed = run->state == RUN_COMPLETED;
	bool within = run->state != RUN_TIMEOUT && runtime_s <= p->quantile_s;

	a->runs += completed;
	if (p->basis == BASIS_HISTORY && (completed || !within))
		a->held[a->judged++] = within;
}

static uint32_t limit_of(const struct policy *policy,
			 const struct prediction *p)
{
	const struct prediction_answer answer = {
		.basis = p->basis,
		.runs = p->runs,
		.evidence_level = p->evidence_level,
		.evidence_runs = p->evidence_runs,
		.own_runs = p->own_runs,
		.judged = p->judged,
		.held = p->held,
		.limit_s = p->limit_s,
		.median_s = p->median_s,
		.quantile = p->quantile,
		.quantile_s = p->quantile_s,
	};

	return policy_limit_min(policy, NULL, NULL, &answer);
}

/* Some users are steady, some are not. */
static double usual_s(int user, int application)
{
	double wander = user % 2 ? exp(4 * drawn()) : 1;

	return 60 * (1 + application) * wander;
}

static void histories_draw(unsigned seed)
{
	int limits = 0, unsafe = 0;
	struct engine *engine = NULL;
	struct policy policy;

	srandom(seed);
	policy_init(&policy);
	for (int i = 0; i < HISTORIES; i++) {
		int user = (int)(drawn() * drawn() * USERS);
		int application = (int)(drawn() * drawn() * APPLICATIONS);
		struct account *account = &accounts[user][application];
		double now_s = LIFE_START_S + 10.0 * i;
		struct life life;

		if (i % PER_ENGINE == 0) {
			engine_destroy(engine);
			engine = engine_create();
			memset(accounts, 0, sizeof(accounts));
		}
		submission_draw(&life, user, application);

		struct prediction p = life_predict(engine, &life, now_s);
		struct run run = run_draw(&p, life.job.name, (uint32_t)i + 1,
					  now_s, usual_s(user, application));

		if (limit_of(&policy, &p)) {
			limits++;
			unsafe += !evidence_suffices(account);
		}
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
		account_add(account, &p, &run);
	}
	engine_destroy(engine);
	printf("bar act_unsafe_limits %d\n", unsafe);
	ck_assert_int_eq(unsafe, 0);
	ck_assert_int_gt(limits, HISTORIES / 100);
}

#define RANDOM_TEST(name, seed)       \
	START_TEST(name)              \
	{                             \
		histories_draw(seed); \
	}                             \
	END_TEST

RANDOM_TEST(test_random_histories_1, 4711)
RANDOM_TEST(test_random_histories_2, 815)
RANDOM_TEST(test_random_histories_3, 1789)
RANDOM_TEST(test_random_histories_4, 31415)
RANDOM_TEST(test_random_histories_5, 1848)
RANDOM_TEST(test_random_histories_6, 1905)
RANDOM_TEST(test_random_histories_7, 1968)
RANDOM_TEST(test_random_histories_8, 1989)

/* Sixteen runs of somebody else say nothing of a first-time user. */
START_TEST(test_runs_of_others)
{
	struct engine *engine = engine_create();
	struct policy policy;
	struct prediction p;
	struct life life;

	policy_init(&policy);
	for (uint32_t i = 1; i <= 16; i++) {
		life_submit(&life, 1, 1000);
		p = life_predict(engine, &life, LIFE_START_S + 100 * i);

		struct run run = life_run(&p, i, LIFE_START_S + 100 * i, 1.4);

		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	}
	life_submit(&life, 1, 1000);
	p = life_predict(engine, &life, LIFE_START_S + 9000);
	ck_assert_int_eq(p.evidence_level, EVIDENCE_APPLICATION);
	ck_assert_uint_eq(p.own_runs, 16);
	ck_assert_uint_ge(p.judged, 10);

	life.job.user_id = 77;
	p = life_predict(engine, &life, LIFE_START_S + 9001);
	ck_assert_int_eq(p.evidence_level, EVIDENCE_APPLICATION);
	ck_assert_uint_eq(p.evidence_runs, 16);
	ck_assert_uint_eq(p.own_runs, 0);
	ck_assert_uint_eq(p.judged, 0);
	ck_assert_uint_eq(limit_of(&policy, &p), 0);

	life.job.name = "lu";
	life.job.arguments[0] = "./lu";
	p = life_predict(engine, &life, LIFE_START_S + 9002);
	ck_assert_int_eq(p.evidence_level, p.basis == BASIS_HISTORY
						   ? EVIDENCE_SITE
						   : EVIDENCE_NONE);
	ck_assert_uint_eq(limit_of(&policy, &p), 0);

	life.job.user_id = 1234;
	p = life_predict(engine, &life, LIFE_START_S + 9003);
	ck_assert_int_eq(p.evidence_level, p.basis == BASIS_HISTORY
						   ? EVIDENCE_USER
						   : EVIDENCE_NONE);
	ck_assert_uint_eq(limit_of(&policy, &p), 0);
	engine_destroy(engine);
}
END_TEST

/* Twenty crashes say nothing of the run that will work. */
START_TEST(test_crashes)
{
	struct engine *engine = engine_create();
	struct policy policy;
	struct prediction p;
	struct life life;

	policy_init(&policy);
	for (uint32_t i = 1; i <= 20; i++) {
		life_submit(&life, 1, 1000);
		p = life_predict(engine, &life, LIFE_START_S + 100 * i);

		struct run run = life_run(&p, i, LIFE_START_S + 100 * i, 2);

		run.state = RUN_FAILED;
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	}
	p = life_predict(engine, &life, LIFE_START_S + 9000);
	ck_assert_uint_eq(p.own_runs, 0);
	ck_assert_uint_eq(p.held, 0);
	ck_assert_uint_eq(limit_of(&policy, &p), 0);
	engine_destroy(engine);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_random_histories_1,
		test_random_histories_2,
		test_random_histories_3,
		test_random_histories_4,
		test_random_histories_5,
		test_random_histories_6,
		test_random_histories_7,
		test_random_histories_8,
		test_runs_of_others,
		test_crashes,
		NULL,
	};

	return suite_run("act_evidence", tests);
}
