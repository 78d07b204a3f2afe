/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_engine.c - answers predictions from memory, and learns */
#include <math.h>
#include <stdlib.h>

#include "predictor/engine/nodes/snapshots.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

/* Predict, run and learn one job; gives the prediction. */
static struct prediction live(struct engine *engine, uint32_t job_id,
			      double bodies, double runtime_s)
{
	double now_s = LIFE_START_S + 1000.0 * job_id;
	struct prediction p = life_ask(engine, 2, bodies, now_s);
	struct run run = life_run(&p, job_id, now_s + 1, runtime_s);

	engine_complete_run(engine, &run);
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	return p;
}

START_TEST(test_from_nothing_to_history)
{
	struct engine *engine = engine_create();
	struct life life;
	struct prediction p;

	life_submit(&life, 1, 5000);
	life.job.limit_s = NAN;
	engine_predict(engine, &life.job, MODE_ADVISE, 0.9, 5, false, &p);
	ck_assert_int_eq(p.basis, BASIS_NOTHING);
	ck_assert_double_nan(p.median_s);
	ck_assert_str_eq(p.model, "");
	ck_assert_str_eq(p.id, "");

	p = live(engine, 1, 5000, 40);
	ck_assert_int_eq(p.basis, BASIS_LIMIT);
	ck_assert_str_eq(p.model, "limit");
	ck_assert_double_eq(p.median_s, 600);
	ck_assert_double_eq(p.quantile_s, 600);
	ck_assert_uint_eq(p.runs, 0);

	p = live(engine, 2, 6000, 60);
	ck_assert_str_ne(p.model, "limit");
	ck_assert_int_eq(p.basis, BASIS_HISTORY);
	ck_assert_double_ge(p.median_s, 39.99);
	ck_assert_double_nan(p.last_error);
	ck_assert_uint_eq(p.runs, 1);

	p = live(engine, 3, 7000, 80);
	p = live(engine, 4, 6500, 70);
	ck_assert_int_eq(p.basis, BASIS_HISTORY);
	ck_assert_double_eq_tol(p.median_s, 70, 15);

	p = live(engine, 5, 6500, 70);
	ck_assert_double_le(p.last_error, 0.3);
	engine_destroy(engine);
	engine_destroy(NULL);
}
END_TEST

START_TEST(test_predictions_are_remembered)
{
	struct engine *engine = engine_create();
	struct prediction p = life_ask(engine, 2, 5000, 1e9);
	struct prediction q;

	ck_assert_uint_eq(strlen(p.id), 16);
	ck_assert_uint_eq(strspn(p.id, "0123456789abcdef"), 16);
	ck_assert_int_eq(engine_prediction(engine, p.id, STAGE_SUBMISSION, &q),
			 0);
	ck_assert_mem_eq(&p, &q, sizeof(p));
	ck_assert_int_eq(engine_prediction(engine, "0123456789abcdef",
					   STAGE_SUBMISSION, &q),
			 -1);
	ck_assert_int_eq(engine_prediction(engine, "", STAGE_SUBMISSION, &q),
			 -1);

	strcpy(p.id, "00000000deadbeef");
	ck_assert_int_eq(engine_remember(engine, &p, NULL), 0);
	ck_assert_int_eq(engine_prediction(engine, p.id, STAGE_SUBMISSION, &q),
			 0);
	ck_assert_mem_eq(&p, &q, sizeof(p));
	strcpy(p.id, "short");
	ck_assert_int_eq(engine_remember(engine, &p, NULL), -1);
	engine_destroy(engine);
}
END_TEST

/* Bits 6 to 21 of the second, then something that differs. */
START_TEST(test_ids_are_in_the_order_of_time)
{
	struct engine *engine = engine_create();
	struct prediction first = life_ask(engine, 2, 5000, 0x12345678 + 0.9);
	struct prediction second = life_ask(engine, 2, 5000, 0x12345678 + 0.9);
	struct prediction later = life_ask(engine, 2, 5000, 0x12345678 + 64);

	ck_assert_int_eq(strncmp(first.id, "d159", 4), 0);
	ck_assert_int_eq(strncmp(second.id, "d159", 4), 0);
	ck_assert_str_ne(first.id, second.id);
	ck_assert_str_lt(second.id, later.id);
	engine_destroy(engine);
}
END_TEST

static void sum_up(void *context, const struct engine_accuracy *accuracy)
{
	struct engine_accuracy *all = context;

	*all = strcmp(accuracy->model, "chosen") == 0 ? *accuracy : *all;
}

START_TEST(test_a_run_counts_once)
{
	struct engine *engine = engine_create();
	struct prediction p = life_ask(engine, 2, 5000, 1e9);
	struct run run = life_run(&p, 7, 1e9 + 2, 300);
	struct engine_counts counts;
	struct engine_accuracy accuracy;
	struct run got;

	run.state = RUN_RUNNING;
	run.ended_at_s = NAN;
	engine_complete_run(engine, &run);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	engine_count(engine, &counts);
	ck_assert_uint_eq(counts.running, 1);
	ck_assert_uint_eq(counts.runs, 0);

	run.ended_at_s = run.started_at_s + 300;
	run.state = RUN_LOST;
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	run.state = RUN_COMPLETED;
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	run.state = RUN_RUNNING; /* late news */
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	engine_count(engine, &counts);
	ck_assert_uint_eq(counts.running, 0);
	ck_assert_uint_eq(counts.runs, 1);
	ck_assert_int_eq(engine_job(engine, "tiny", 7, &got), 0);
	ck_assert_int_eq(got.state, RUN_COMPLETED);
	ck_assert_int_eq(engine_job(engine, "", 7, &got), 0);
	ck_assert_int_eq(engine_job(engine, "other", 7, &got), -1);

	/* What was shown was only the user's limit: no record of ours. */
	engine_visit_accuracy(engine, 1234, sum_up, &accuracy);
	ck_assert_uint_eq(accuracy.runs, 0);
	/* Now about 300 is predicted, from that run, and 200 is what
	 * it took. */
	p = life_ask(engine, 2, 5000, 1e9 + 1000);
	run = life_run(&p, 8, 1e9 + 1001, 200);
	engine_complete_run(engine, &run);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	engine_visit_accuracy(engine, 1234, sum_up, &accuracy);
	ck_assert_uint_eq(accuracy.runs, 1);
	ck_assert_double_eq_tol(accuracy.error, 0.5, 0.02);
	ck_assert_double_eq(accuracy.coverage, 1);
	engine_visit_accuracy(engine, 99, sum_up, &accuracy);
	ck_assert_uint_eq(accuracy.runs, 0);
	engine_destroy(engine);
}
END_TEST

static void find_model(void *context, const struct engine_accuracy *accuracy)
{
	struct engine_accuracy *of = context;

	if (strcmp(accuracy->model, of->model) == 0)
		*of = *accuracy;
}

/* A prediction of the store may have one that an earlier version had: it is
 * nobody else's record. */
START_TEST(test_a_model_that_is_gone)
{
	struct engine *engine = engine_create();
	struct engine_accuracy first = { .runs = 77 }, second = first;
	struct prediction p;
	struct life life;
	struct run run;

	life_submit(&life, 2, 5000);
	engine_predict(engine, &life.job, MODE_ADVISE, 0.9, 1e9, true, &p);
	run = life_run(&p, 7, 1e9 + 2, 300);
	strcpy(first.model, p.candidates[0].model);
	strcpy(second.model, p.candidates[1].model);
	strcpy(p.candidates[0].model, "gone");
	p.candidates[0].median_s = p.candidates[1].median_s = 200;
	ck_assert_int_eq(engine_keep(engine, &p, NULL), 0);
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	engine_visit_accuracy(engine, 1234, find_model, &first);
	engine_visit_accuracy(engine, 1234, find_model, &second);
	ck_assert_uint_eq(first.runs, 0);
	ck_assert_uint_eq(second.runs, 1);
	engine_destroy(engine);
}
END_TEST

START_TEST(test_a_missed_run_counts_once)
{
	struct engine *engine = engine_create();
	struct prediction p = life_ask(engine, 2, 5000, 1e9);
	struct run run = life_run(&p, 7, 1e9 + 2, 300);
	struct engine_counts counts;

	run.prediction_id[0] = '\0';
	run.application = p.application;
	/* Not stored: it comes again. */
	ck_assert(engine_complete_run(engine, &run));
	ck_assert(engine_complete_run(engine, &run));
	engine_count(engine, &counts);
	ck_assert_uint_eq(counts.missed, 0);
	engine_note_missed(engine, 1);
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	ck_assert(!engine_complete_run(engine, &run));
	engine_count(engine, &counts);
	ck_assert_uint_eq(counts.missed, 1);

	run = life_run(&p, 8, 1e9 + 400, 300);
	ck_assert(!engine_complete_run(engine, &run));
	engine_destroy(engine);
}
END_TEST

START_TEST(test_bad_ends_do_not_poison)
{
	struct engine *engine = engine_create();
	struct engine_counts counts;

	uint32_t job_id = 0;

	for (int i = 0; i < 12; i++)
		live(engine, ++job_id, 5000, 40);
	for (int state = RUN_FAILED; state < RUN_STATES; state++) {
		double now_s = LIFE_START_S + 1000.0 * ++job_id;
		struct prediction p = life_ask(engine, 2, 5000, now_s);
		struct run run = life_run(&p, job_id, now_s, 2);

		run.state = (enum run_state)state;
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
		for (int i = 0; i < 3; i++)
			p = live(engine, ++job_id, 5000, 40);
		ck_assert_double_eq_tol(p.median_s, 40, 4);
	}

	struct prediction p = life_ask(engine, 2, 5000, 1.75e9);

	engine_count(engine, &counts);
	ck_assert_uint_eq(counts.runs, 12 + 8 * 3 + 4);

	struct run run = life_run(&p, 999, NAN, 2);

	ck_assert_int_eq(engine_learn(engine, &run, NULL), -1);
	run = life_run(&p, 999, 1.75e9, -2);
	ck_assert_int_eq(engine_learn(engine, &run, NULL), -1);
	run = life_run(&p, 999, 1.75e9, NAN);
	ck_assert_int_eq(engine_learn(engine, &run, NULL), -1);
	engine_count(engine, &counts);
	ck_assert_uint_eq(counts.runs, 12 + 8 * 3 + 4);
	engine_destroy(engine);
}
END_TEST

START_TEST(test_completes_runs)
{
	struct engine *engine = engine_create();

	for (int i = 0; i < 10; i++) {
		life_measure(engine, "n1", 1e9 + 5 * i, 0);
		life_measure(engine, "n2", 1e9 + 5 * i, i < 8 ? 1 : 50);
	}

	struct prediction p = life_ask(engine, 2, 5000, 1e9 + 30);
	struct run run = life_run(&p, 7, 1e9 + 37, 20);

	ck_assert_str_eq(p.assumed_nodes, "n[1-2]");
	engine_complete_run(engine, &run);
	ck_assert_str_eq(run.application.name, p.application.name);
	ck_assert_int_eq(run.application.parameters.count, 1);
	ck_assert_int_eq(run.before.nodes_known, 2);
	ck_assert_double_eq(run.before.cpu_load, 0.5);
	ck_assert_double_eq(run.before.cpu_load_max, 1); /* 50 came later */

	/* An id is not enough: another user's job does not get it. */
	run.user_id++;
	run.application = (struct application){ .name = "" };
	engine_complete_run(engine, &run);
	ck_assert_str_ne(run.application.name, "");
	ck_assert_int_eq(run.application.parameters.count, 0);
	engine_destroy(engine);
}
END_TEST

static void name_it(void *context, const struct engine_application *app)
{
	char *text = context;

	sprintf(text + strlen(text), "%s:%u:%g ", app->name, app->runs,
		app->median_s);
}

START_TEST(test_applications_of_a_user)
{
	struct engine *engine = engine_create();
	char text[200] = "";
	static const char *const names[] = { "zeta", "alpha", "alpha", "mu" };

	for (uint32_t i = 0; i < 4; i++) {
		struct prediction p = life_ask(engine, 1, 5000, 1e9);
		struct run run = life_run(&p, i, 1e9, 10 + i);

		run.prediction_id[0] = '\0';
		run.user_id = i < 3 ? 1 : 2;
		strcpy(run.application.name, names[i]);
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	}
	engine_visit_applications(engine, UINT32_MAX, name_it, text);
	ck_assert_str_eq(text, "alpha:2:11.5 mu:1:13 zeta:1:10 ");
	text[0] = '\0';
	engine_visit_applications(engine, 2, name_it, text);
	ck_assert_str_eq(text, "mu:1:13 ");
	text[0] = '\0';
	engine_visit_applications(engine, 3, name_it, text);
	ck_assert_str_eq(text, "");
	engine_destroy(engine);
}
END_TEST

static void keep_application(void *context,
			     const struct engine_application *app)
{
	struct engine_application *kept = context;

	kept[app->name[0] - 'a'] = *app;
}

/* Runs that no parameter tells apart differ in "b", not in "a". */
START_TEST(test_what_is_unclear)
{
	struct engine *engine = engine_create();
	struct engine_application kept[2];

	for (uint32_t i = 0; i < 24; i++) {
		struct prediction p = life_ask(engine, 1, 5000, 1e9);
		double sizes[] = { 70, 700 };
		bool is_b = i % 2, is_long = i / 2 % 2;
		struct run run = life_run(&p, i, 1e9 + i, is_long ? 900 : 100);

		run.prediction_id[0] = '\0';
		strcpy(run.application.name, is_b ? "b" : "a");
		run.application.parameters.count = 0;
		ck_assert_int_eq(parameters_set(&run.application.parameters,
						"n", sizes[is_long && !is_b],
						NULL),
				 0);
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	}
	engine_visit_applications(engine, UINT32_MAX, keep_application, kept);
	ck_assert_str_eq(kept[0].parameters, "n");
	ck_assert_uint_eq(kept[0].alike_pairs, 10);
	ck_assert_double_eq_tol(kept[0].alike_factor, 1, 1e-9);
	ck_assert_uint_eq(kept[1].alike_pairs, 11);
	ck_assert_double_eq_tol(kept[1].alike_factor, exp(log(9) / sqrt(2)),
				1e-9);
	engine_destroy(engine);
}
END_TEST

/* The id of a prediction is public: another user may write it into his job. */
START_TEST(test_foreign_predictions)
{
	struct engine *engine = engine_create();
	struct prediction p = life_ask(engine, 2, 5000, 1e9), q;
	struct run thief = life_run(&p, 7, 1e9 + 1, 1000);
	struct run other_cluster = thief, own = life_run(&p, 9, 1e9 + 2, 40);
	struct placement_model model;

	ck_assert_int_eq(engine_keep(engine, &p, NULL), 0);
	thief.user_id++;
	strcpy(other_cluster.cluster, "elsewhere");
	/* Not cleared, as from a predictd that does not know the prediction. */
	ck_assert_int_eq(engine_learn(engine, &thief, NULL), 0);
	ck_assert_int_eq(engine_learn(engine, &other_cluster, NULL), 0);
	ck_assert_int_eq(
		engine_prediction_of_run(engine, &thief, STAGE_SUBMISSION, &q),
		-1);
	ck_assert_int_eq(engine_placement(engine, p.id, &model), 0);

	engine_complete_run(engine, &thief);
	engine_complete_run(engine, &other_cluster);
	engine_complete_run(engine, &own);
	ck_assert_str_eq(thief.prediction_id, "");
	ck_assert_str_eq(other_cluster.prediction_id, "");
	ck_assert_str_eq(own.prediction_id, p.id);
	ck_assert_int_eq(
		engine_prediction_of_run(engine, &own, STAGE_SUBMISSION, &q),
		0);
	ck_assert_int_eq(engine_learn(engine, &own, NULL), 0);
	ck_assert_int_eq(engine_placement(engine, p.id, &model), -1);
	engine_destroy(engine);
}
END_TEST

START_TEST(test_evidence_of_a_user)
{
	struct engine *engine = engine_create();
	struct prediction p;

	for (uint32_t i = 1; i <= 4; i++)
		live(engine, i, 5000, 40 + i);
	p = life_ask(engine, 2, 5000, LIFE_START_S + 1e5);
	ck_assert_int_gt(p.evidence_count, 1);

	struct prediction own = p, other = p;

	own.evidence[0].runtime_s *= 2; /* the id was used again */
	engine_evidence_of_user(engine, p.user_id, &own);
	ck_assert_int_eq(own.evidence_count, p.evidence_count - 1);
	ck_assert_uint_eq(own.evidence[0].job_id, p.evidence[1].job_id);
	engine_evidence_of_user(engine, p.user_id + 1, &other);
	ck_assert_int_eq(other.evidence_count, 0);
	ck_assert_uint_eq(other.runs, p.runs);
	engine_destroy(engine);
}
END_TEST

START_TEST(test_strange_submissions)
{
	struct engine *engine = engine_create();
	struct submission job;
	struct prediction p;
	char *text = calloc(1, SUBMISSION_TEXT_MAX + 1);

	memset(text, 'x', SUBMISSION_TEXT_MAX);
	submission_init(&job);
	engine_predict(engine, &job, MODE_ADVISE, 0.9, 1e9, true, &p);
	job.cluster = job.account = job.partition = job.name = text;
	job.required_nodes = "n[1-";
	job.excluded_nodes = "n[0-99999999]";
	job.qos = job.features = job.gres.per_job = text;
	job.size.nodes_min = job.size.tasks = job.size.cpus_per_task =
		UINT32_MAX;
	job.limit_s = -3;
	engine_predict(engine, &job, MODE_ADVISE, 17, 1e9, true, &p);
	ck_assert_int_eq(p.basis, BASIS_NOTHING);
	ck_assert_double_nan(p.limit_s);
	ck_assert_uint_eq(p.cpus, UINT32_MAX);
	ck_assert_double_lt(p.quantile, 1);
	free(text);
	engine_destroy(engine);
}
END_TEST

START_TEST(test_quantiles_cover)
{
	struct engine *engine = engine_create();
	struct random r = { 6 };
	int covered = 0;

	for (uint32_t i = 1; i <= 400; i++) {
		double bodies = 3000 + 500.0 * (double)random_below(&r, 6);
		double noise = exp(0.4 * (random_unit(&r) - 0.5));
		double runtime_s = bodies * bodies / 4e5 * noise;
		struct prediction p = live(engine, i, bodies, runtime_s);

		if (i > 100)
			covered += runtime_s <= p.quantile_s;
	}
	ck_assert_int_ge(covered, 300 * 0.84);
	ck_assert_int_le(covered, 300 * 0.97);
	engine_destroy(engine);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_from_nothing_to_history,
		test_predictions_are_remembered,
		test_ids_are_in_the_order_of_time,
		test_a_run_counts_once,
		test_a_model_that_is_gone,
		test_a_missed_run_counts_once,
		test_bad_ends_do_not_poison,
		test_completes_runs,
		test_what_is_unclear,
		test_applications_of_a_user,
		test_foreign_predictions,
		test_evidence_of_a_user,
		test_strange_submissions,
		test_quantiles_cover,
		NULL,
	};

	return suite_run("engine", tests);
}
