/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_times.c - when the jobs of a queue will start
 *
 * For the simulator all jobs are submitted now, running ones first: on the
 * empty machine they start at once.  Then it is as Slurm's, which goes by the
 * order of the queue and plans with limits.  A draw costs about jobs^2 steps
 * at worst.  What a draw leaves free is kept in cells of time.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "predictor/base/clock.h"
#include "predictor/base/compare.h"
#include "predictor/scheduler/easy.h"
#include "predictor/scheduler/start_times.h"
#include "predictor/stats/splitmix.h"

/* Where neither a limit nor a prediction is known. */
#define UNKNOWN_S (24 * 3600.0)

/* A job may outlive its limit by what it takes to end it. */
#define LEFT_MIN_S 1.0

/* A cell of start_gaps lasts six seconds at first, then 3 % of the time
 * before it. */
#define CELL_GROWTH  0.03
#define CELL_SCALE_S 200.0

struct drawing {
	const struct start_job *jobs;
	size_t count;
	uint64_t state; /* of splitmix_unit() */
	size_t *of;     /* the simulator's jobs: positions in jobs[] */
	struct easy_job *drawn;
	double *started_s; /* of one draw */
	double *starts_s;  /* of all: simulated * draws */
	size_t simulated, running;
	struct start_rules rules;
};

static double left_draw(const struct start_job *job, double u)
{
	double most_s = isfinite(job->limit_s) ? job->limit_s : UNKNOWN_S;
	double at = u * START_LEVELS - 0.5;

	if (isnan(job->left_s[0]))
		return u * most_s;
	if (at <= 0)
		return job->left_s[0];
	if (at >= START_LEVELS - 1)
		return job->left_s[START_LEVELS - 1];

	int below = (int)at;

	return job->left_s[below] +
	       (at - below) * (job->left_s[below + 1] - job->left_s[below]);
}

static void job_draw(struct drawing *d, size_t i)
{
	const struct start_job *job = &d->jobs[d->of[i]];
	double limit_s = fmax(job->limit_s, LEFT_MIN_S);
	double left_s = left_draw(job, splitmix_unit(&d->state));

	d->drawn[i] = (struct easy_job){
		.submitted_s = job->running ? 0 : fmax(0, job->begin_s),
		.runtime_s = fmin(fmax(left_s, LEFT_MIN_S), limit_s),
		.limit_s = limit_s,
		.cpus = job->cpus,
	};
}

/* Slurm plans with limits. */
static int plan_limit(void *context, size_t job, double now_s,
		      struct easy_plan *ret, struct sp_error *err)
{
	const struct drawing *d = context;

	(void)now_s;
	(void)err;
	ret->order_s = ret->reserve_s = d->drawn[job].limit_s;
	return 0;
}

static int draw(struct drawing *d, struct sp_error *err)
{
	const struct easy_rules rules = {
		.cpus = d->rules.cpus,
		.reservations = d->rules.reservations,
	};
	const struct easy_planner planner = { .context = d,
					      .submitted = plan_limit };

	for (size_t i = 0; i < d->simulated; i++)
		job_draw(d, i);
	return easy_simulate(&rules, d->drawn, d->simulated, &planner,
			     d->started_s, err);
}

/* Running jobs first; those that can't start are left out. */
static void jobs_choose(struct drawing *d)
{
	uint64_t used = 0;

	for (size_t i = 0; i < d->count; i++)
		if (d->jobs[i].running && d->jobs[i].cpus > 0) {
			used += d->jobs[i].cpus;
			d->of[d->simulated++] = i;
		}
	d->running = d->simulated;
	/* More than there is: nodes have just gone. */
	if (used > d->rules.cpus)
		d->rules.cpus = used < UINT32_MAX ? (uint32_t)used : UINT32_MAX;
	for (size_t i = 0; i < d->count; i++)
		if (!d->jobs[i].running && d->jobs[i].cpus > 0 &&
		    d->jobs[i].cpus <= d->rules.cpus)
			d->of[d->simulated++] = i;
}

COMPARE_NUMBERS(compare_doubles, double)

/* Return the quantile of sorted starts. */
static double quantile(const double *starts_s, int count, double p)
{
	double at = fmax(0, fmin(count - 1, p * count - 0.5));
	int below = (int)at;
	int above = below + 1 < count ? below + 1 : below;

	return starts_s[below] +
	       (at - below) * (starts_s[above] - starts_s[below]);
}

/* Sort the starts, and find their quantiles. */
static struct start_time time_of(double *starts_s, int count)
{
	qsort(starts_s, count, sizeof(*starts_s), compare_doubles);
	return (struct start_time){
		.low_s = quantile(starts_s, count, (1 - START_INTERVAL) / 2),
		.median_s = quantile(starts_s, count, 0.5),
		.high_s = quantile(starts_s, count, (1 + START_INTERVAL) / 2),
	};
}

static void starts_judge(struct drawing *d, int draws, int room,
			 struct start_time *ret)
{
	for (size_t i = 0; i < d->count; i++) {
		double start_s = d->jobs[i].running ? 0 : NAN;

		ret[i] = (struct start_time){ start_s, start_s, start_s };
	}
	for (size_t i = d->running; i < d->simulated; i++) {
		ret[d->of[i]] =
			time_of(&d->starts_s[(i - d->running) * room], draws);
	}
}

/* --- Gaps ----------------------------------------------------------------- */

static void gaps_begin(const struct drawing *d, struct start_gaps *gaps)
{
	gaps->draws = 0;
	for (int i = 0; i < START_CELLS; i++)
		gaps->begin_s[i] = CELL_SCALE_S * expm1(CELL_GROWTH * i);
	gaps->begin_s[START_CELLS] = HUGE_VAL;
	for (size_t t = 0; t < START_TURNS; t++) {
		size_t first = d->running + (d->simulated - d->running) * t /
						    (START_TURNS - 1);

		gaps->behind[t] =
			first < d->simulated ? d->of[first] : d->count;
	}
}

/* Return the time in cells, without the error of rounding. */
static double cells_of(double at_s)
{
	double cells = log1p(at_s / CELL_SCALE_S) / CELL_GROWTH;
	double near = round(cells);

	return fmin(START_CELLS, fabs(cells - near) < 1e-6 ? near : cells);
}

/* A job has its CPUs in each cell that it touches. */
static void gaps_add(const struct drawing *d, struct start_gaps *gaps)
{
	int64_t change[START_TURNS][START_CELLS + 1] = { 0 };

	for (size_t i = 0; i < d->simulated; i++) {
		const struct easy_job *job = &d->drawn[i];
		double start_s = d->started_s[i];
		int from = (int)cells_of(start_s);
		int to = (int)ceil(cells_of(start_s + job->runtime_s));

		for (int t = START_TURNS - 1;
		     t >= 0 && (i < d->running || d->of[i] < gaps->behind[t]);
		     t--) {
			change[t][from] -= job->cpus;
			change[t][to] += job->cpus;
		}
	}
	for (int t = 0; t < START_TURNS; t++) {
		int64_t cpus = d->rules.cpus;

		for (int i = 0; i < START_CELLS; i++) {
			cpus += change[t][i];
			gaps->free[t][gaps->draws][i] =
				cpus > 0 ? (uint32_t)cpus : 0;
		}
	}
	gaps->draws++;
}

int start_gaps_find(const struct start_gaps *gaps, int turn, double after_s,
		    uint32_t cpus, double limit_s, struct start_time *ret)
{
	double starts_s[START_KEPT];

	for (int k = 0; k < gaps->draws; k++) {
		const uint32_t *free = gaps->free[turn][k];
		int first = (int)cells_of(after_s), i = first;

		for (; i < START_CELLS; i++)
			if (free[i] < cpus)
				first = i + 1;
			else if (gaps->begin_s[i + 1] >=
				 gaps->begin_s[first] + limit_s)
				break;
		if (i == START_CELLS)
			return -1;
		starts_s[k] = fmax(after_s, gaps->begin_s[first]);
	}
	if (gaps->draws == 0)
		return -1;
	*ret = time_of(starts_s, gaps->draws);
	return 0;
}

static int draw_all(struct drawing *d, double budget_s, int *draws,
		    struct start_gaps *gaps, struct sp_error *err)
{
	double until_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID) + budget_s;
	int done = 0;

	do {
		if (draw(d, err))
			return -1;
		for (size_t i = d->running; i < d->simulated; i++)
			d->starts_s[(i - d->running) * *draws + done] =
				d->started_s[i];
		if (gaps && done < START_KEPT)
			gaps_add(d, gaps);
		done++;
	} while (done < *draws &&
		 clock_read_s(CLOCK_THREAD_CPUTIME_ID) < until_s);
	*draws = done;
	return 0;
}

int start_times(const struct start_rules *rules, const struct start_job *jobs,
		size_t count, double budget_s, uint64_t seed, int *draws,
		struct start_time *ret, struct start_gaps *ret_gaps,
		struct sp_error *err)
{
	struct drawing d = {
		.jobs = jobs, .count = count, .state = seed, .rules = *rules
	};
	int room = *draws, rc = -1;

	d.of = calloc(count + 1, sizeof(*d.of));
	d.drawn = calloc(count + 1, sizeof(*d.drawn));
	d.started_s = calloc(count + 1, sizeof(*d.started_s));
	if (d.of)
		jobs_choose(&d);
	if (ret_gaps)
		gaps_begin(&d, ret_gaps);
	d.starts_s = calloc((d.simulated - d.running + 1) * (size_t)room,
			    sizeof(*d.starts_s));
	if (!d.of || !d.drawn || !d.started_s || !d.starts_s)
		sp_error_set(err, "out of memory");
	else
		rc = draw_all(&d, budget_s, draws, ret_gaps, err);
	if (rc == 0)
		starts_judge(&d, *draws, room, ret);
	free(d.of);
	free(d.drawn);
	free(d.started_s);
	free(d.starts_s);
	return rc;
}
