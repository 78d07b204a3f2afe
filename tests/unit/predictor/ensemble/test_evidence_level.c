/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_evidence_level.c - whose runs a prediction rests on, and the words */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/ensemble/evidence_level.h"
#include "tests/unit/suite.h"

static struct subject subject_of(struct application *application,
				 const char *name, uint32_t user_id)
{
	*application = (struct application){ .traits = "" };
	strcpy(application->name, name);
	return (struct subject){ .cluster = "tiny",
				 .account = "",
				 .partition = "main",
				 .qos = "",
				 .traits = "",
				 .features = "",
				 .gres = "",
				 .user_id = user_id,
				 .application = application,
				 .nodes = 1,
				 .tasks = 1,
				 .cpus = 1,
				 .limit_s = 3600 };
}

/* `parameter`: its name, NULL for none. */
static void learn(struct history *h, const char *name, const char *parameter,
		  uint32_t user_id, int count, enum outcome_end end)
{
	struct application application;
	static uint32_t job_id = 1;

	for (int i = 0; i < count; i++, job_id++) {
		struct past_job job = {
			.subject = subject_of(&application, name, user_id),
			.outcome = { .job_id = job_id,
				     .end = end,
				     .started_at_s = 1000.0 * job_id,
				     .ended_at_s = 1000.0 * job_id + 7.5 },
		};

		if (parameter)
			parameters_set(&application.parameters, parameter,
				       9 + i, NULL);
		conditions_init(&job.before);
		ck_assert_int_eq(history_add(h, &job, NULL), 0);
	}
}

/* The evidence for a job, in a sentence. */
static const char *evidence(const struct history *h, const char *name,
			    const char *parameter, uint32_t user_id)
{
	static char text[EVIDENCE_WORDS_SIZE];
	const struct verdict verdict = { .basis = BASIS_HISTORY, .runs = 77 };
	struct application application;
	struct subject subject = subject_of(&application, name, user_id);
	struct prediction p = { .basis = BASIS_HISTORY };

	if (parameter)
		parameters_set(&application.parameters, parameter, 9, NULL);
	evidence_find(h, &subject, &verdict, &p);
	ck_assert_int_eq(prediction_is_guess(p.basis, p.evidence_level),
			 p.evidence_level != EVIDENCE_APPLICATION);
	if (p.evidence_level == EVIDENCE_SITE)
		ck_assert_uint_eq(p.evidence_runs, 77);
	return evidence_words(p.evidence_level, p.evidence_runs, p.own_runs,
			      "your", text);
}

START_TEST(test_whose)
{
	struct history *h = history_create();

	learn(h, "sleep", "arg1", 1001, 3, OUTCOME_COMPLETED);
	learn(h, "sleep", NULL, 1001, 1, OUTCOME_FAILED);
	learn(h, "solve", "n", 1002, 5, OUTCOME_COMPLETED);
	learn(h, "solve", NULL, 1002, 4, OUTCOME_COMPLETED);
	ck_assert_str_eq(evidence(h, "sleep", "arg1", 1001), "3 similar runs");
	ck_assert_str_eq(evidence(h, "gmx", NULL, 1001),
			 "4 runs of your other programs");
	ck_assert_str_eq(evidence(h, "solve", "n", 1001),
			 "5 similar runs of other users");
	ck_assert_str_eq(evidence(h, "solve", "m", 1001),
			 "4 runs of your other programs");
	/* A name alone does not say that the programs are the same. */
	ck_assert_str_eq(evidence(h, "solve", NULL, 1001),
			 "4 runs of your other programs");
	ck_assert_str_eq(evidence(h, "solve", NULL, 1003), "other users' jobs");
	history_destroy(h);
}
END_TEST

/* How long a program takes, only a run that completed shows: one that its limit
 * ended would have gone on. */
START_TEST(test_incomplete)
{
	struct history *h = history_create();

	learn(h, "solve", "n", 1001, 3, OUTCOME_CANCELLED);
	learn(h, "solve", "n", 1001, 3, OUTCOME_TIMEOUT);
	ck_assert_str_eq(evidence(h, "solve", "n", 1001), "other users' jobs");
	ck_assert_str_eq(evidence(h, "solve", "n", 1002), "other users' jobs");
	learn(h, "sleep", NULL, 1001, 1, OUTCOME_FAILED);
	ck_assert_str_eq(evidence(h, "solve", "n", 1001),
			 "1 run of your other programs");
	learn(h, "solve", "n", 1002, 2, OUTCOME_COMPLETED);
	ck_assert_str_eq(evidence(h, "solve", "n", 1001),
			 "2 similar runs of other users");
	learn(h, "solve", "n", 1001, 1, OUTCOME_COMPLETED);
	ck_assert_str_eq(evidence(h, "solve", "n", 1001), "1 similar run");
	history_destroy(h);
}
END_TEST

/* Each prediction counts anew: no more than the newest of a user's
 * applications are visited. */
START_TEST(test_many)
{
	struct history *h = history_create();
	char name[16];

	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		learn(h, name, NULL, 1001, 1, OUTCOME_COMPLETED);
	}
	ck_assert_str_eq(evidence(h, "gmx", NULL, 1001),
			 "256 runs of your other programs");
	history_destroy(h);
}
END_TEST

START_TEST(test_no_history)
{
	const struct verdict verdict = { .basis = BASIS_LIMIT };
	struct history *h = history_create();
	struct application application;
	struct subject subject = subject_of(&application, "solve", 1001);
	struct prediction p = { .evidence_runs = 5 };

	learn(h, "solve", NULL, 1001, 2, OUTCOME_COMPLETED);
	evidence_find(h, &subject, &verdict, &p);
	ck_assert_int_eq(p.evidence_level, EVIDENCE_NONE);
	ck_assert_uint_eq(p.evidence_runs, 0);
	ck_assert_uint_eq(p.own_runs, 2);
	ck_assert(!prediction_is_guess(BASIS_LIMIT, EVIDENCE_NONE));
	history_destroy(h);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_whose, test_incomplete, test_many,
				       test_no_history, NULL };

	return suite_run("evidence_level", tests);
}
