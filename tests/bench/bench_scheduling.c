/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_scheduling.c - what predictions do for scheduling, on whole job logs
 *
 * usage: bench-scheduling FOLDER [RUNS]
 *
 * Simulates the logs KTH-SP2, CTC-SP2 and SDSC-SP2 of the folder (or a sample)
 * with each way of planning, as they are and in RUNS worlds whose submissions
 * are jittered, and prints mean bounded slowdowns.  The bars of KTH-SP2 are
 * over the figures that [1] published with the paper.
 *
 * [1] E. Gaussier, D. Glesser, V. Reis, D. Trystram: Improving Backfilling by
 *     Using Machine Learning to Predict Running Times, SC'15.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/whatif.h"
#include "predictor/logs/joblog.h"
#include "tests/bench/logs.h"

#define RUNS     6
#define RUNS_MAX 1000
#define JITTER_S 60

/* Bounded slowdowns of KTH-SP2, [1]. */
static const struct published {
	const char *row;
	const char *bar;
	double slowdown;
} published[] = {
	{ "easy", "easy_kth", 92.6 },
	{ "easy_sjbf", "easy_sjbf_kth", 69.4 },
	{ "clairvoyant", "clairvoyant_kth", 71.7 },
	{ "clairvoyant_sjbf", "clairvoyant_sjbf_kth", 49.8 },
};

struct sums {
	int runs;
	size_t logs;
	double ln_vs_easy;
};

/* The result of one way of planning. */
struct result {
	double as_is; /* slowdown in the log as it is */
	struct whatif_measures mean;
};

static int simulate(const struct whatif_world *as_is, int runs,
		    const struct whatif_row *row, struct result *ret,
		    struct sp_error *err)
{
	struct whatif_world world = *as_is;
	struct whatif_measures m;

	if (whatif_run(as_is, row, &m, err))
		return -1;
	*ret = (struct result){ .as_is = m.slowdown, .mean = m };
	if (runs > 0)
		ret->mean = (struct whatif_measures){ .wait_s = 0 };
	for (int i = 0; i < runs; i++) {
		world.jitter_s = JITTER_S;
		world.seed = (uint64_t)i + 1;
		if (whatif_run(&world, row, &m, err))
			return -1;
		ret->mean.wait_s += m.wait_s / runs;
		ret->mean.slowdown += m.slowdown / runs;
		ret->mean.utilisation += m.utilisation / runs;
		ret->mean.outlived += m.outlived / runs;
		ret->mean.killed += m.killed / runs;
	}
	return 0;
}

static void print_row(const char *name, const struct whatif_row *row,
		      const struct result *r)
{
	printf("%-20.20s %-45s %8.2f %8.2f %8.1f %6.3f %6.3f\n", name,
	       row->help, r->as_is, r->mean.slowdown, r->mean.wait_s / 60,
	       r->mean.utilisation, r->mean.outlived);
	fflush(stdout);
}

static void print_published(const char *name, const struct whatif_row *row,
			    double slowdown)
{
	size_t count = sizeof(published) / sizeof(published[0]);

	for (size_t i = 0; strstr(name, "KTH-SP2") && i < count; i++)
		if (strcmp(published[i].row, row->name) == 0)
			printf("bar %s %.4f\n", published[i].bar,
			       slowdown / published[i].slowdown);
}

static int simulate_rows(const char *name, const struct whatif_world *world,
			 struct sums *sums, struct sp_error *err)
{
	double easy = NAN;
	size_t rows = 0;

	while (whatif_rows[rows].name)
		rows++;
	for (size_t i = 0; i < rows; i++) {
		const struct whatif_row *row = &whatif_rows[i];
		struct result r;

		logs_progress((void *)name, i, rows);
		if (simulate(world, sums->runs, row, &r, err))
			return -1;
		logs_progress_end();
		print_row(name, row, &r);
		print_published(name, row, r.as_is);
		if (strcmp(row->name, "easy") == 0)
			easy = r.mean.slowdown;
		if (strcmp(row->name, "engine") == 0)
			sums->ln_vs_easy += log(r.mean.slowdown / easy);
	}
	sums->logs++;
	return 0;
}

static int bench(const char *path, void *context, struct sp_error *err)
{
	const struct joblog_config config = { .cluster = "bench" };
	struct sums *sums = context;
	struct joblog_machine machine;
	struct past_jobs jobs;

	if (joblog_read(path, &joblog_swf, &config, &jobs, NULL, &machine, err))
		return -1;

	const struct whatif_world world = {
		.jobs = jobs.of,
		.count = jobs.count,
		.cpus = machine.processors > 0
				? machine.processors
				: whatif_peak_cpus(jobs.of, jobs.count),
	};
	int rc = simulate_rows(logs_name(path), &world, sums, err);

	past_jobs_clear(&jobs);
	return rc;
}

int main(int argc, char **argv)
{
	static const char *const wanted[] = { "KTH-SP2", "CTC-SP2", "SDSC-SP2",
					      "sample", NULL };
	struct sums sums = { .runs = argc > 2 ? atoi(argv[2]) : RUNS };
	struct sp_error err;

	if (argc < 2 || argc > 3 || sums.runs < 0 || sums.runs > RUNS_MAX) {
		fprintf(stderr, "usage: bench-scheduling FOLDER [RUNS]\n");
		return 2;
	}
	printf("%-20s %-45s %8s %8s %8s %6s %6s\n", "log", "plan with", "as is",
	       "slowdown", "wait_min", "used", "outliv");
	if (logs_visit(argv[1], wanted, bench, &sums, &err)) {
		fprintf(stderr, "bench-scheduling: %s\n", err.text);
		return 1;
	}
	printf("bar bsld_vs_easy %.4f\n",
	       exp(sums.ln_vs_easy / (double)sums.logs));
	return 0;
}
