/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_figures.c - what a schedule was worth */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/rehearse/rehearse_figures.h"
#include "predictor/scheduler/easy.h"

#define HOUR_S  3600.0
#define EARLY_S 1.5 /* Slurm's times have whole seconds */

const char *const figure_names[FIGURES] = {
	[FIGURE_WAIT] = "wait,min", [FIGURE_SLOWDOWN] = "bsld",
	[FIGURE_P95] = "p95",       [FIGURE_LONGEST] = "longest,h",
	[FIGURE_DAY] = ">24h",      [FIGURE_AREA] = "area,h",
	[FIGURE_USED] = "used,%",   [FIGURE_LOST] = "lost",
};

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A job that ran as long as its limit may as well end by TIMEOUT. */
static bool is_lost(const struct rehearse_job *j)
{
	return !isfinite(j->start_s) || !isfinite(j->end_s) ||
	       j->end_s - j->start_s < j->runtime_s - EARLY_S;
}

static bool filter_takes(const struct figures_filter *filter,
			 const struct rehearse_job *j)
{
	return j->cpus >= filter->cpus_min && j->cpus <= filter->cpus_max &&
	       (filter->user == UINT32_MAX || filter->user == j->user) &&
	       (!filter->partition ||
		strcmp(filter->partition, j->partition) == 0);
}

/* Sums up; the slowdowns go to slowdowns[] unless that is NULL. */
static size_t sums_of(const struct rehearse_jobs *jobs,
		      const struct figures_filter *filter, double *slowdowns,
		      double sum[FIGURES], double *ret_area_s)
{
	double first_s = HUGE_VAL, last_s = 0, area_s = 0;
	size_t n = 0;

	for (size_t i = 0; i < jobs->count; i++) {
		const struct rehearse_job *j = &jobs->of[i];

		if (!filter_takes(filter, j))
			continue;

		double wait_s = fmax(0, j->start_s - j->submit_s);
		double slowdown =
			fmax(1, (wait_s + j->runtime_s) /
					fmax(j->runtime_s, FIGURES_SHORTEST_S));
		double job_area_s = j->runtime_s * j->cpus;

		if (slowdowns)
			slowdowns[n] = slowdown;
		n++;
		sum[FIGURE_WAIT] += wait_s;
		sum[FIGURE_SLOWDOWN] += slowdown;
		sum[FIGURE_LONGEST] = fmax(sum[FIGURE_LONGEST], wait_s);
		sum[FIGURE_DAY] += wait_s > 24 * HOUR_S;
		sum[FIGURE_AREA] += wait_s * job_area_s;
		sum[FIGURE_LOST] += is_lost(j);
		area_s += job_area_s;
		first_s = fmin(first_s, j->submit_s);
		last_s = fmax(last_s, j->end_s);
	}
	sum[FIGURE_USED] = area_s / ((last_s - first_s) * jobs->cpus);
	*ret_area_s = area_s;
	return n;
}

size_t figures_of(const struct rehearse_jobs *jobs,
		  const struct figures_filter *filter, double ret[FIGURES])
{
	double *slowdowns = malloc((jobs->count + 1) * sizeof *slowdowns);
	double sum[FIGURES] = { 0 }, area_s;
	size_t n = sums_of(jobs, filter, slowdowns, sum, &area_s);

	for (size_t f = 0; f < FIGURES; f++)
		ret[f] = NAN;
	if (n > 0) {
		ret[FIGURE_WAIT] = sum[FIGURE_WAIT] / (double)n / 60;
		ret[FIGURE_SLOWDOWN] = sum[FIGURE_SLOWDOWN] / (double)n;
		ret[FIGURE_LONGEST] = sum[FIGURE_LONGEST] / HOUR_S;
		ret[FIGURE_DAY] = sum[FIGURE_DAY];
		ret[FIGURE_AREA] = sum[FIGURE_AREA] / area_s / HOUR_S;
		ret[FIGURE_USED] = 100 * sum[FIGURE_USED];
		ret[FIGURE_LOST] = sum[FIGURE_LOST];
	}
	if (n > 0 && slowdowns) {
		qsort(slowdowns, n, sizeof *slowdowns, ascending);
		ret[FIGURE_P95] = slowdowns[(95 * n + 99) / 100 - 1];
	}
	free(slowdowns);
	return n;
}

static int plan_by_limit(void *context, size_t job, double now_s,
			 struct easy_plan *ret, struct sp_error *err)
{
	const struct easy_job *jobs = context;

	(void)now_s, (void)err;
	*ret = (struct easy_plan){ jobs[job].limit_s, jobs[job].limit_s };
	return 0;
}

int figures_simulate(const struct rehearse_jobs *jobs,
		     struct rehearse_jobs *ret, struct sp_error *err)
{
	struct easy_job *of = calloc(jobs->count, sizeof *of);
	double *started_s = calloc(jobs->count, sizeof *started_s);
	struct rehearse_jobs copy = *jobs;
	const struct easy_rules rules = { .cpus = jobs->cpus };
	const struct easy_planner planner = { .context = of,
					      .submitted = plan_by_limit };
	int rc = -1;

	copy.of = calloc(jobs->count, sizeof *copy.of);
	if (!of || !started_s || !copy.of) {
		sp_error_set(err, "out of memory");
		goto out;
	}
	for (size_t i = 0; i < jobs->count; i++) {
		const struct rehearse_job *j = &jobs->of[i];

		of[i] = (struct easy_job){ j->submit_s, j->runtime_s,
					   j->limit_s, j->cpus };
		copy.of[i] = *j;
	}
	if (easy_simulate(&rules, of, jobs->count, &planner, started_s, err))
		goto out;
	for (size_t i = 0; i < copy.count; i++) {
		struct rehearse_job *j = &copy.of[i];

		j->start_s = started_s[i];
		j->end_s = j->start_s + j->runtime_s;
		j->completed = true;
	}
	*ret = copy;
	copy.of = NULL;
	rc = 0;
out:
	free(copy.of);
	free(started_s);
	free(of);
	return rc;
}
