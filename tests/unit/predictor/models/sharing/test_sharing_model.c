/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sharing_model.c - a profile's run times, corrected by past runs */
#include "tests/unit/predictor/models/runs.h"
#include "tests/unit/suite.h"

/* 60 s on two nodes, with 50 s of a CPU of which 90 % was to be had. */
#define WAITING_S (60 - 50 / 0.9)

static struct profile profile_of(const struct run *run)
{
	struct profile p = {
		.application = run->application,
		.nodes = run->nodes,
		.tasks = run->tasks,
		.runs = 4,
		.runtime_s = 60,
		.node_count = 2,
		.pair_count = -1,
	};

	for (int k = 0; k < 2; k++)
		p.node[k] = (struct profile_node){ .tasks = 1,
						   .busy_s = 50,
						   .ready_s = NAN,
						   .idle_s = 10,
						   .busy_phase_s = 5,
						   .idle_phase_s = 1,
						   .cpu_available = 0.9,
						   .cpu_speed = NAN };
	return p;
}

static int predict_with(const struct history *h, const struct run *run,
			const struct profile *profile, struct model_result *ret)
{
	const struct model *sharing = model_named("sharing");
	void *object = sharing->create();
	struct query q = query_of(h, run);

	q.profile = profile;

	int rc = sharing->predict(object, h, &q, ret, NULL);

	sharing->destroy(object);
	return rc;
}

static void all_links(const void *context, int from, int to,
		      double *ret_bandwidth_bps, double *ret_latency_s)
{
	(void)context;
	(void)from;
	(void)to;
	*ret_bandwidth_bps = *ret_latency_s = NAN;
}

/* On nodes that are known one by one, each counts as it is, and what its kernel
 * does with a process that wakes up. */
START_TEST(test_on_known_nodes)
{
	struct history *h = history_create();
	struct run run = nbody_run(1, 2, 4000, 1);
	struct profile p = profile_of(&run);
	struct job_nodes nodes = { .count = 2,
				   .cpu_available = { 0.9, 0.45 },
				   .cpu_turn_s = 0,
				   .cpu_credit_s = 0,
				   .link_of = all_links };
	const struct model *sharing = model_named("sharing");
	void *object = sharing->create();
	struct query q = query_of(h, &run);
	struct model_result result;

	run.before.cpu_available_min = 0.3; /* what conditions say */
	q = query_of(h, &run);
	q.profile = &p;
	q.job_nodes = &nodes;
	ck_assert_int_eq(sharing->predict(object, h, &q, &result, NULL), 0);

	double without_s = result.median_s;

	ck_assert_double_eq_tol(without_s, WAITING_S + 50 / 0.45, 1e-9);
	nodes.cpu_turn_s = 0.05; /* one competitor, cycles of 5 s */
	ck_assert_int_eq(sharing->predict(object, h, &q, &result, NULL), 0);
	ck_assert_double_eq_tol(result.median_s - without_s,
				50 / 0.9 / 5 * 0.05, 1e-6);
	nodes.cpu_credit_s = 0.2; /* for a sleep before each cycle */
	ck_assert_int_eq(sharing->predict(object, h, &q, &result, NULL), 0);
	ck_assert_double_lt(result.median_s, without_s);
	nodes.count = 3; /* not those of this job */
	ck_assert_int_eq(sharing->predict(object, h, &q, &result, NULL), 0);
	ck_assert_double_gt(result.median_s, 50 / 0.3);
	sharing->destroy(object);
	history_destroy(h);
}
END_TEST

static struct run under(uint32_t job_id, double bodies, double available,
			double runtime_s)
{
	struct run run = nbody_run(job_id, 2, bodies, runtime_s);

	run.before.nodes_known = 2;
	run.before.cpu_available = fmin(1, available * 1.3);
	run.before.cpu_available_min = available;
	return run;
}

START_TEST(test_from_the_profile_alone)
{
	struct history *h = history_create();
	struct run run = under(1, 4000, 0.9, 1);
	struct profile p = profile_of(&run);
	struct model_result result;

	ck_assert_int_ne(predict_with(h, &run, NULL, &result), 0);
	ck_assert_int_eq(predict_with(h, &run, &p, &result), 0);
	ck_assert_double_eq_tol(result.median_s, 60, 1e-9);
	ck_assert_uint_eq(result.runs, 4);
	ck_assert_double_nan(result.sigma);
	run.before.cpu_available_min = 0.45;
	ck_assert_int_eq(predict_with(h, &run, &p, &result), 0);
	ck_assert_double_eq_tol(result.median_s, WAITING_S + 50 / 0.45, 1e-9);
	conditions_init(&run.before); /* nothing known: as in the profile */
	ck_assert_int_eq(predict_with(h, &run, &p, &result), 0);
	ck_assert_double_eq_tol(result.median_s, 60, 1e-9);

	/* A profile of another size or of other parameters is not enough. */
	p.tasks = 4;
	ck_assert_int_ne(predict_with(h, &run, &p, &result), 0);
	p = profile_of(&run);
	parameters_set(&p.application.parameters, "n", 4001, NULL);
	ck_assert_int_ne(predict_with(h, &run, &p, &result), 0);
	history_destroy(h);
}
END_TEST

START_TEST(test_corrected_by_runs)
{
	struct history *h = history_create();
	struct run run = under(9, 4000, 0.3, 1);
	struct profile p = profile_of(&run);
	struct model_result result;

	/* Twice as large as what was profiled, on nodes of any load. */
	parameters_set(&p.application.parameters, "n", 2000, NULL);
	for (uint32_t i = 0; i < 12; i++) {
		double a = 0.9 - 0.05 * i;
		struct run past = under(20 + i, 4000, a,
					2.1 * (WAITING_S + 50 / a) *
						(i % 2 ? 1.02 : 1 / 1.02));
		struct run other = under(40 + i, 4500, a, 17);

		history_add_run(h, &past, NULL);
		history_add_run(h, &other, NULL);
	}
	ck_assert_int_eq(predict_with(h, &run, &p, &result), 0);
	ck_assert_double_eq_tol(
		result.median_s / (2.1 * (WAITING_S + 50 / 0.3)), 1, 0.021);
	ck_assert_uint_eq(result.runs, 9);
	ck_assert_double_gt(result.sigma, 0.02);
	ck_assert_double_lt(result.sigma, 0.05);
	ck_assert_double_eq(result.degrees, 8);
	ck_assert_int_eq(result.evidence_count, EVIDENCE_MAX);
	history_destroy(h);
}
END_TEST

/* One run that was slow for another reason does not count. */
START_TEST(test_a_median)
{
	struct history *h = history_create();
	struct run run = under(9, 4000, 0.45, 1);
	struct profile p = profile_of(&run);
	struct run slow = under(3, 4000, 0.9, 300);
	struct run failed = under(5, 4000, 0.9, 2);
	struct run good = under(4, 4000, 0.9, 66);
	struct model_result result;

	failed.state = RUN_FAILED;
	failed.exit_code = 1;
	history_add_run(h, &slow, NULL);
	history_add_run(h, &failed, NULL);
	history_add_run(h, &good, NULL);
	ck_assert_int_eq(predict_with(h, &run, &p, &result), 0);
	ck_assert_double_eq_tol(result.median_s, 1.1 * (WAITING_S + 50 / 0.45),
				1e-4);
	ck_assert_uint_eq(result.runs, 6);
	history_destroy(h);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_from_the_profile_alone,
		test_on_known_nodes,
		test_corrected_by_runs,
		test_a_median,
		NULL,
	};

	return suite_run("sharing_model", tests);
}
