/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_next_request.c - what to request next time, from what runs used */
#include <math.h>
#include <string.h>

#include "predictor/models/next_request.h"
#include "tests/unit/suite.h"

/* One task that uses 1.7 of 4 CPUs and 700 of 2000 MiB for 37 of 120 min. */
static struct used_run usual_run(void)
{
	return (struct used_run){ .job_id = 17,
				  .nodes = 1,
				  .tasks = 1,
				  .cpus = 4,
				  .memory_mb = 2000,
				  .limit_s = 7200,
				  .runtime_s = 2220,
				  .cpu_s = 1.7 * 2220,
				  .peak_memory_mb = 700,
				  .quantile_s = NAN,
				  .state = RUN_COMPLETED };
}

static struct next_request find(const struct used_run runs[], size_t count)
{
	struct next_request next;

	next_request_find(&runs[0], runs, count, &next);
	return next;
}

static bool says(const struct next_request *next, const char *words)
{
	return strstr(next->why, words) != NULL;
}

START_TEST(test_shares)
{
	struct used_run run = usual_run();

	ck_assert_double_eq_tol(used_run_time(&run), 37. / 120, 1e-12);
	ck_assert_double_eq_tol(used_run_cpu(&run), 1.7 / 4, 1e-12);
	ck_assert_double_eq_tol(used_run_memory(&run), .35, 1e-12);
	run.nodes = 5;
	ck_assert_double_eq(used_run_node_mb(&run), 400);
	run.limit_s = HUGE_VAL;
	ck_assert_double_nan(used_run_time(&run));
	run.memory_mb = 0;
	ck_assert_double_nan(used_run_memory(&run));
	run.runtime_s = 0;
	ck_assert_double_nan(used_run_cpu(&run));
}
END_TEST

START_TEST(test_margins)
{
	struct used_run runs[] = { usual_run(), usual_run(), usual_run() };
	struct next_request next;

	runs[1].runtime_s = 2400;
	runs[1].peak_memory_mb = 800;
	next = find(runs, 3);
	ck_assert_uint_eq(next.runs, 3);
	ck_assert_double_eq(next.memory_mb, 1792); /* 1600 in steps of 256 */
	ck_assert_uint_eq(next.cpus, 2);
	/* 2760 s, and longer on 2 of 4 CPUs: by 1.7 (1/2 - 1/4). */
	ck_assert_double_eq(next.limit_s, 4200);
	ck_assert_str_eq(next.options, "-t 01:10:00 --mem=1792M -c 2");
	ck_assert(says(&next, "fewer CPUs"));
	for (int i = 0; i < 3; i++)
		runs[i].cpu_s = NAN;
	next = find(runs, 3);
	ck_assert_str_eq(next.options, "-t 46:00 --mem=1792M");
	ck_assert_str_eq(next.why, "");
	runs[0].node_cpus = 4; /* it requests memory for each CPU */
	ck_assert_str_eq(find(runs, 3).options, "-t 46:00 --mem-per-cpu=448M");
	runs[0].node_cpus = 0;
	/* The quantile predicted, but no less than the longest run. */
	runs[0].quantile_s = 2500;
	ck_assert_double_eq(find(runs, 3).limit_s, 42 * 60);
	runs[0].quantile_s = 1000;
	ck_assert_double_eq(find(runs, 3).limit_s, 40 * 60);
	runs[0].quantile_s = 90001;
	runs[2].peak_memory_mb = 1100;
	ck_assert_str_eq(find(runs, 3).options, "-t 1-02:00:00 --mem=2304M");
	runs[2].peak_memory_mb = 1024;
	ck_assert_str_eq(find(runs, 3).options, "-t 1-02:00:00 --mem=2G");
}
END_TEST

START_TEST(test_bounds)
{
	struct used_run runs[] = { usual_run(), usual_run(), usual_run() };
	struct next_request next;

	runs[1].state = RUN_OUT_OF_MEMORY;
	runs[1].peak_memory_mb = 1900;
	runs[1].runtime_s = 3;
	next = find(runs, 3);
	ck_assert(says(&next, "1 of 3 runs ran out of memory"));
	ck_assert_double_eq(next.memory_mb, 3072); /* 1.5 times the request */
	runs[1] = usual_run();
	runs[1].state = RUN_TIMEOUT;
	runs[1].runtime_s = 7230;
	runs[1].peak_memory_mb = 1000;
	next = find(runs, 3);
	ck_assert(says(&next, "1 of 3 runs did not end within the limit"));
	ck_assert_double_ge(next.limit_s, 1.5 * 7230);
	ck_assert_double_eq(next.memory_mb, 2048); /* 2000 */
	for (int i = 0; i < 3; i++)
		runs[i].state = RUN_OUT_OF_MEMORY;
	ck_assert_double_eq(find(runs, 3).memory_mb, 3072);
}
END_TEST

START_TEST(test_runs_that_match)
{
	struct used_run runs[] = { usual_run(), usual_run(), usual_run(),
				   usual_run() };

	ck_assert_uint_eq(find(runs, 4).matching, 4);
	ck_assert_uint_eq(find(runs, 1).matching, 1);
	runs[1].limit_s = 7260;
	runs[2].tasks = 2;
	ck_assert_uint_eq(find(runs, 4).matching, 2);
	runs[0].limit_s = NAN;
	ck_assert_uint_eq(find(runs, 4).matching, 0);
}
END_TEST

START_TEST(test_refusals)
{
	struct used_run runs[] = { usual_run(), usual_run(), usual_run(),
				   usual_run() };
	struct next_request next;

	next = find(runs, 2);
	ck_assert_str_eq(next.options, "");
	ck_assert(says(&next, "2 of 3 own runs"));
	runs[1].state = RUN_FAILED;
	runs[2].state = RUN_CANCELLED;
	ck_assert_str_eq(find(runs, 4).options, "");
	runs[1].state = runs[2].state = RUN_COMPLETED;
	runs[2].peak_memory_mb = 2101;
	runs[3].runtime_s = 6700;
	next = find(runs, 4);
	ck_assert(says(&next, "peaks of memory differ"));
	ck_assert(says(&next, "run times differ"));
	ck_assert_str_eq(next.options, "-c 2");
	runs[0].quantile_s = 7000; /* a model knows which runs are long */
	next = find(runs, 4);
	ck_assert(!says(&next, "run times"));
	ck_assert_double_ge(next.limit_s, 7000);
}
END_TEST

START_TEST(test_cpus)
{
	struct used_run runs[] = { usual_run(), usual_run(), usual_run() };

	runs[1].cpu_s = 3.9 * 2220; /* does not fit on three */
	ck_assert_uint_eq(find(runs, 3).cpus, 0);
	runs[1].cpu_s = NAN;
	ck_assert_uint_eq(find(runs, 3).cpus, 0);
	for (int i = 0; i < 3; i++) {
		runs[i] = usual_run();
		runs[i].tasks = 2;
	}
	ck_assert_uint_eq(find(runs, 3).cpus, 0); /* ranks of MPI */
	for (int i = 0; i < 3; i++) {
		runs[i].tasks = 1;
		runs[i].cpu_s = 0;
	}
	ck_assert_uint_eq(find(runs, 3).cpus, 1);
	runs[0].node_cpus = 4;
	ck_assert_str_eq(find(runs, 3).options,
			 "-t 43:00 --mem-per-cpu=1536M -c 1");
	for (int i = 0; i < 3; i++)
		runs[i].peak_memory_mb = 0;
	ck_assert_double_eq(find(runs, 3).memory_mb, 50);
	ck_assert_double_eq(find(runs, 3).limit_s, 43 * 60);
	for (int i = 0; i < 3; i++)
		runs[i].cpus = 1;
	ck_assert_uint_eq(find(runs, 3).cpus, 0);
}
END_TEST

START_TEST(test_sizes)
{
	struct used_run runs[30];
	struct used_run like = usual_run();
	struct next_request next;

	for (int i = 0; i < 30; i++) {
		runs[i] = usual_run();
		runs[i].nodes = i % 6 ? 2 : 1;
		runs[i].memory_mb = 2000 * runs[i].nodes;
		runs[i].peak_memory_mb = i < 20 ? 500 + 10 * i : 1900;
	}
	next_request_find(&like, runs, 30, &next);
	ck_assert_uint_eq(next.runs, 4);
	ck_assert_double_eq(next.memory_mb, 1536); /* 680 and a margin */
	ck_assert_uint_eq(next.cpus, 2);
	/* Without its size: memory on each node alone. */
	like.nodes = 7;
	next_request_find(&like, runs, 30, &next);
	ck_assert_uint_eq(next.runs, 20);
	ck_assert_str_eq(next.options, "--mem=1536M");
	/* predict_memory=off */
	like.memory_unadvised = true;
	next_request_find(&like, runs, 30, &next);
	ck_assert_double_nan(next.memory_mb);
	ck_assert_str_eq(next.options, "");
}
END_TEST

START_TEST(test_logs_without_use)
{
	struct used_run runs[] = { usual_run(), usual_run(), usual_run() };

	for (int i = 0; i < 3; i++) {
		runs[i].imported = true;
		runs[i].peak_memory_mb = i == 1 ? 1999 : 2000;
	}
	ck_assert_double_nan(find(runs, 3).memory_mb);
	for (int i = 0; i < 3; i++)
		runs[i].imported = false; /* measured: it uses all of it */
	ck_assert_double_eq(find(runs, 3).memory_mb, 4096);
}
END_TEST

static void set_parameter(struct used_run *run, const char *name, double value)
{
	ck_assert(!parameters_set(&run->parameters, name, value, NULL));
}

/* 400 MiB with one request, parameters and size, 800 with others. */
START_TEST(test_alike)
{
	struct used_run runs[20];

	for (int i = 0; i < 20; i++) {
		runs[i] = usual_run();
		runs[i].peak_memory_mb = i % 4 ? 400 : 800;
		runs[i].memory_mb = i % 4 ? 1000 : 2000;
		set_parameter(&runs[i], i % 4 ? "n" : "m", 17);
	}
	ck_assert_double_eq(find(runs, 20).memory_mb, 1280);    /* 1120 */
	ck_assert_double_eq(find(runs + 1, 19).memory_mb, 600); /* 560 */
	ck_assert_double_eq(find(runs + 1, 6).memory_mb, 600);
	/* As advised: those that fit in it count. */
	runs[1].memory_mb = 600;
	ck_assert_double_eq(find(runs + 1, 19).memory_mb, 600);
	runs[1].parameters.count = 0;
	set_parameter(&runs[1], "k", 17);
	ck_assert_double_eq(find(runs + 1, 19).memory_mb, 600);
	/* A request of which nothing is known: all of its size. */
	runs[1].memory_mb = 3000;
	ck_assert_double_eq(find(runs + 1, 19).memory_mb, 1792); /* 1600 */
	for (int i = 0; i < 20; i++)
		runs[i] = usual_run();
	ck_assert_double_eq(find(runs, 20).memory_mb, 850);  /* 805 */
	ck_assert_double_eq(find(runs, 19).memory_mb, 1000); /* 980 */
	for (int i = 0; i < 20; i++)
		runs[i].peak_memory_mb = i ? 10 : 301;
	ck_assert_double_nan(find(runs, 20).memory_mb);
}
END_TEST

/* 3 n MiB, the greatest runs last. */
static void make_runs(struct used_run runs[], int count)
{
	for (int i = 0; i < count; i++) {
		runs[i] = usual_run();
		runs[i].peak_memory_mb = 3 * (100 + 20 * i);
		set_parameter(&runs[i], "n", 100 + 20 * i);
		set_parameter(&runs[i], "seed", 1 + 37 * i % 11);
	}
}

START_TEST(test_parameters)
{
	struct used_run runs[12], like = usual_run();
	struct next_request next;

	make_runs(runs, 12);
	set_parameter(&like, "n", 150);
	set_parameter(&like, "seed", 4);
	next_request_find(&like, runs, 12, &next);
	ck_assert_double_eq(next.memory_mb, 550); /* 450 * 1.15 */
	ck_assert(says(&next, "for its parameters"));
	/* Beyond, as far as it can be known. */
	set_parameter(&like, "n", 600);
	next_request_find(&like, runs, 12, &next);
	ck_assert_double_ge(next.memory_mb, 1800);
	ck_assert_double_le(next.memory_mb, 2560);
	set_parameter(&like, "n", 1000);
	next_request_find(&like, runs, 12, &next);
	ck_assert_double_nan(next.memory_mb);
	ck_assert(says(&next, "a parameter is far from those"));
	like.memory_unadvised = true;
	next_request_find(&like, runs, 12, &next);
	ck_assert(!says(&next, "a parameter is far"));
	/* Without parameters, for any. */
	like = usual_run();
	next_request_find(&like, runs, 12, &next);
	ck_assert_double_eq(next.memory_mb, 1536); /* 960 * 1.4 */
}
END_TEST

/* A run that needed more than it had, with another parameter. */
START_TEST(test_parameters_of_bounds)
{
	struct used_run runs[12], like = usual_run();
	struct next_request next;

	make_runs(runs, 12);
	set_parameter(&like, "n", 150);
	set_parameter(&like, "seed", 4);
	runs[10].state = RUN_OUT_OF_MEMORY;
	runs[10].memory_mb = 600; /* of 900: it says nothing new */
	runs[10].peak_memory_mb = NAN;
	next_request_find(&like, runs, 12, &next);
	ck_assert_double_eq(next.memory_mb, 550);
	ck_assert(says(&next, "1 of 12 runs ran out of memory"));
	runs[10].memory_mb = 1200; /* twice what it should need, half of it */
	next_request_find(&like, runs, 12, &next);
	ck_assert_double_eq_tol(next.memory_mb, 900, 50);
	/* One that did not end in time had used 1.5 times as much. */
	runs[10] = runs[9];
	runs[10].state = RUN_TIMEOUT;
	runs[10].peak_memory_mb *= 1.5;
	next_request_find(&like, runs, 12, &next);
	ck_assert_double_eq_tol(next.memory_mb, 800, 50); /* 675 * 1.15 */
}
END_TEST

/* Where peaks do not follow a parameter that is greater than ever. */
START_TEST(test_parameters_unknown)
{
	struct used_run runs[12], like = usual_run();
	struct next_request next;

	for (int i = 0; i < 12; i++) {
		runs[i] = usual_run();
		set_parameter(&runs[i], "n", 100);
	}
	set_parameter(&like, "n", 100);
	next_request_find(&like, runs, 12, &next);
	ck_assert_double_eq(next.memory_mb, 1000); /* 700 * 1.4 */
	set_parameter(&like, "n", 50);
	next_request_find(&like, runs, 12, &next);
	ck_assert_double_eq(next.memory_mb, 1000);
	set_parameter(&like, "n", 170);
	next_request_find(&like, runs, 12, &next);
	ck_assert_double_eq(next.memory_mb, 1792); /* 1666 */
	set_parameter(&like, "n", 210);
	next_request_find(&like, runs, 12, &next);
	ck_assert_double_nan(next.memory_mb);
	/* Two runs with its parameters tell nothing of their range. */
	for (int i = 2; i < 12; i++)
		runs[i].parameters.count = 0;
	next_request_find(&like, runs, 12, &next);
	ck_assert_double_eq(next.memory_mb, 1000);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_shares,
				       test_margins,
				       test_bounds,
				       test_runs_that_match,
				       test_refusals,
				       test_cpus,
				       test_sizes,
				       test_logs_without_use,
				       test_alike,
				       test_parameters,
				       test_parameters_of_bounds,
				       test_parameters_unknown,
				       NULL };

	return suite_run("next_request", tests);
}
