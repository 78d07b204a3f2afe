/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif.c - schedules a log with the run times that predictions would plan
 *
 * One simulation (easy.h) for each row of the table.  The planner of a row
 * takes limits, actual run times, or predictions of an ensemble that learns
 * from the simulated ends.  CPUs are one pool.  [1] is in whatif.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/whatif.h"
#include "predictor/base/compare.h"
#include "predictor/base/unused.h"
#include "predictor/ensemble/ensemble.h"
#include "predictor/stats/splitmix.h"

#define HOUR_S     3600.0
#define SHORTEST_S 10 /* a slowdown is of at least this run time, [1] */

/* One setting for all logs.  Reservations by p20 to p35 do about equally well
 * on KTH-SP2, CTC-SP2 and SDSC-SP2 (slowdown .53 to .56 of EASY's, within what
 * jitter does), by p40 or more worse: what is planned too long cannot go in
 * front.  Other orders than by the median were not better. */
#define ORDER_P   0.5
#define RESERVE_P 0.3

/* Slurm's priorities (plugin/site/plan.h) and backfill; what is late reserves
 * with bf_min_age_reserve=72000.  tests/bench/RESULTS.md has how K and the
 * lengths that count were found. */
#define INTERVAL_S    30
#define RESERVE_AGE_S 72000

static const struct easy_slurm slurm = { .interval_s = INTERVAL_S };
static const struct easy_slurm slurm_linear = { .interval_s = INTERVAL_S,
						.window_linear_s = 1 };
static const struct easy_slurm slurm_late = { .interval_s = INTERVAL_S,
					      .reserve_age_s = RESERVE_AGE_S };
/* With predict_plan_reserve=20. */
static const struct easy_slurm slurm_slowed = { .interval_s = INTERVAL_S,
						.reserve_age_s = RESERVE_AGE_S,
						.reserve_slowdown = 20 };

const struct whatif_row whatif_rows[] = {
	{ "easy", .help = "the limit", .source = WHATIF_LIMIT },
	{ "easy_sjbf", .help = "the limit, shortest first",
	  .source = WHATIF_LIMIT, .shortest_first = true },
	{ "avg2_limit", .help = "AVG2, shortest first, corrected to the limit",
	  .source = WHATIF_MODEL, .model = "avg2", .shortest_first = true },
	{ "engine", .help = "predicted: order by the median, reserve by p30",
	  .source = WHATIF_PREDICTED, .order_p = ORDER_P,
	  .reserve_p = RESERVE_P, .shortest_first = true },
	{ "clairvoyant", .help = "clairvoyant", .source = WHATIF_ACTUAL },
	{ "clairvoyant_sjbf", .help = "clairvoyant, shortest first",
	  .source = WHATIF_ACTUAL, .shortest_first = true },
	{ "slurm", .help = "Slurm: the limit", .source = WHATIF_LIMIT,
	  .slurm = &slurm },
	{ "slurm_linear", .help = "Slurm: the limit, bf_window_linear=1",
	  .source = WHATIF_LIMIT, .slurm = &slurm_linear },
	{ "aged_limit_5", .help = "Slurm: limits up to 24 h, K = 5",
	  .source = WHATIF_LIMIT, .aged = 5, .most_h = 24, .slurm = &slurm },
	{ "aged_limit_late", .help = "Slurm: limits up to 6 h, K = 12, late",
	  .source = WHATIF_LIMIT, .aged = 12, .most_h = 6,
	  .slurm = &slurm_late },
	{ "aged_median", .help = "Slurm: predict_plan, K = 42, 2 h",
	  .source = WHATIF_PREDICTED, .order_p = ORDER_P, .by_log = true,
	  .aged = 42, .most_h = 2, .slurm = &slurm },
	{ "aged_median_late", .help = "Slurm: predict_plan, K = 20, 4 h, late",
	  .source = WHATIF_PREDICTED, .order_p = ORDER_P, .by_log = true,
	  .aged = 20, .most_h = 4, .slurm = &slurm_late },
	{ "aged_median_slowed", .help = "the same, or at a slowdown of 20",
	  .source = WHATIF_PREDICTED, .order_p = ORDER_P, .by_log = true,
	  .aged = 20, .most_h = 4, .slurm = &slurm_slowed },
	{ "aged_clairvoyant", .help = "Slurm: predict_plan by run times",
	  .source = WHATIF_ACTUAL, .by_log = true, .aged = 42, .most_h = 2,
	  .slurm = &slurm },
	{ .name = NULL },
};

struct whatif_run {
	const struct whatif_world *world;
	const struct whatif_row *row;
	struct easy_job *jobs;
	struct easy_plan *plans;
	double *started_s;
	struct ensemble *ensemble; /* NULL: the row needs none */
	int model;                 /* of models[] */
};

/* --- The planner, inside the simulated world --------------------------- */

static uint64_t ticket_of(size_t job)
{
	return job + 1;
}

static void job_predict(struct whatif_run *run, size_t job, double now_s,
			struct verdict *ret)
{
	const struct past_job *past = &run->world->jobs[job];
	struct subject subject = past->subject;

	subject.submitted_at_s = run->jobs[job].submitted_s;
	ensemble_predict(run->ensemble, &subject, &past->before, now_s,
			 ticket_of(job), ret);
}

static struct easy_plan plan_asking(struct whatif_run *run, size_t job,
				    double now_s)
{
	const struct whatif_row *row = run->row;
	struct verdict verdict;

	job_predict(run, job, now_s, &verdict);
	if (row->source == WHATIF_PREDICTED)
		return (struct easy_plan){
			verdict_quantile(verdict.knots_s, row->order_p),
			verdict_quantile(verdict.knots_s, row->reserve_p),
		};

	double predicted_s = run->model < verdict.candidates_count
				     ? verdict.candidates_s[run->model]
				     : NAN;

	return (struct easy_plan){ predicted_s, predicted_s };
}

static int plan(void *context, size_t job, double now_s, struct easy_plan *ret,
		struct sp_error *err UNUSED)
{
	struct whatif_run *run = context;
	const struct easy_job *j = &run->jobs[job];

	if (run->row->source == WHATIF_LIMIT)
		*ret = (struct easy_plan){ j->limit_s, j->limit_s };
	else if (run->row->source == WHATIF_ACTUAL)
		*ret = (struct easy_plan){ j->runtime_s, j->runtime_s };
	else
		*ret = plan_asking(run, job, now_s);
	if (run->row->slurm)
		ret->reserve_s = j->limit_s;
	if (run->row->most_h > 0 && !run->row->by_log)
		ret->order_s = fmin(ret->order_s, run->row->most_h * HOUR_S);
	run->plans[job] = *ret;
	return 0;
}

static int started(void *context, size_t job, double now_s,
		   struct sp_error *err UNUSED)
{
	struct whatif_run *run = context;

	ensemble_start(run->ensemble, ticket_of(job), now_s);
	return 0;
}

static int ended(void *context, size_t job, double started_s, double now_s,
		 struct sp_error *err)
{
	struct whatif_run *run = context;
	struct past_job past = run->world->jobs[job];

	past.subject.submitted_at_s = run->jobs[job].submitted_s;
	past.outcome.started_at_s = started_s;
	past.outcome.ended_at_s = now_s;
	return ensemble_end(run->ensemble, ticket_of(job), &past, err);
}

/* --- The world --------------------------------------------------------- */

static double runtime_in_log_s(const struct past_job *job)
{
	return fmax(0, job->outcome.ended_at_s - job->outcome.started_at_s);
}

static bool has_limit(const struct past_job *job)
{
	return isfinite(job->subject.limit_s) && job->subject.limit_s > 0;
}

/* Return the longest limit requested; if none was: the longest run. */
static double longest_limit_s(const struct whatif_world *world)
{
	double limit_s = 0, run_s = 1;

	for (size_t i = 0; i < world->count; i++) {
		if (has_limit(&world->jobs[i]))
			limit_s = fmax(limit_s, world->jobs[i].subject.limit_s);
		run_s = fmax(run_s, runtime_in_log_s(&world->jobs[i]));
	}
	return limit_s > 0 ? limit_s : run_s;
}

static void jobs_make(const struct whatif_world *world, struct easy_job *jobs)
{
	double longest_s = longest_limit_s(world);
	uint64_t state = world->seed;

	for (size_t i = 0; i < world->count; i++) {
		const struct past_job *past = &world->jobs[i];
		uint32_t cpus = past->subject.cpus;
		double limit_s =
			has_limit(past) ? past->subject.limit_s : longest_s;
		double late_s = world->jitter_s * splitmix_unit(&state);

		jobs[i] = (struct easy_job){
			.submitted_s = past->subject.submitted_at_s + late_s,
			.runtime_s = fmin(runtime_in_log_s(past), limit_s),
			.limit_s = limit_s,
			.cpus = cpus < 1             ? 1
				: cpus > world->cpus ? world->cpus
						     : cpus,
		};
	}
}

static int run_create(struct whatif_run *run, struct sp_error *err)
{
	const struct whatif_row *row = run->row;
	size_t count = run->world->count + 1;
	bool asks =
		row->source == WHATIF_MODEL || row->source == WHATIF_PREDICTED;

	run->jobs = calloc(count, sizeof(*run->jobs));
	run->plans = calloc(count, sizeof(*run->plans));
	run->started_s = calloc(count, sizeof(*run->started_s));
	run->ensemble = asks ? ensemble_create() : NULL;
	if (!run->jobs || !run->plans || !run->started_s ||
	    (asks && !run->ensemble))
		return sp_error_set(err, "out of memory");
	if (asks && run->world->start &&
	    ensemble_set_start(run->ensemble, run->world->start,
			       strlen(run->world->start), err))
		return -1;
	while (row->source == WHATIF_MODEL && models[run->model] &&
	       strcmp(models[run->model]->name, row->model) != 0)
		run->model++;
	jobs_make(run->world, run->jobs);
	return 0;
}

static void run_clear(struct whatif_run *run)
{
	free(run->jobs);
	free(run->plans);
	free(run->started_s);
	ensemble_destroy(run->ensemble);
}

static void run_measure(const struct whatif_run *run,
			struct whatif_measures *ret)
{
	size_t count = run->world->count;
	double first_s = HUGE_VAL, last_s = -HUGE_VAL, used_s = 0;
	double wait_s = 0, slowdown = 0, killed = 0, outlived = 0;
	double longest_s = 0, area_s = 0;

	for (size_t i = 0; i < count; i++) {
		const struct easy_job *j = &run->jobs[i];
		double waited_s = run->started_s[i] - j->submitted_s;

		wait_s += waited_s;
		longest_s = fmax(longest_s, waited_s);
		area_s += waited_s * j->runtime_s * j->cpus;
		slowdown += fmax(1, (waited_s + j->runtime_s) /
					    fmax(SHORTEST_S, j->runtime_s));
		killed += j->runtime_s >= j->limit_s;
		outlived += j->runtime_s > run->plans[i].reserve_s;
		used_s += j->runtime_s * j->cpus;
		first_s = fmin(first_s, j->submitted_s);
		last_s = fmax(last_s, run->started_s[i] + j->runtime_s);
	}

	double n = count > 0 ? (double)count : NAN;

	*ret = (struct whatif_measures){
		.wait_s = wait_s / n,
		.longest_s = longest_s,
		.area_s = used_s > 0 ? area_s / used_s : NAN,
		.slowdown = slowdown / n,
		.utilisation = last_s > first_s ? used_s / ((last_s - first_s) *
							    run->world->cpus)
						: NAN,
		.killed = killed / n,
		.outlived = outlived / n,
	};
}

int whatif_run(const struct whatif_world *world, const struct whatif_row *row,
	       struct whatif_measures *ret, struct sp_error *err)
{
	struct whatif_run run = { .world = world, .row = row };
	int rc = run_create(&run, err);

	if (!rc) {
		const struct easy_rules rules = {
			.cpus = world->cpus,
			.shortest_first = row->shortest_first,
			.aged = row->aged,
			.aged_most_s = row->by_log ? row->most_h * HOUR_S : 0,
			.slurm = row->slurm,
		};
		const struct easy_planner planner = {
			.context = &run,
			.submitted = plan,
			.started = run.ensemble ? started : NULL,
			.ended = run.ensemble ? ended : NULL,
		};

		rc = easy_simulate(&rules, run.jobs, world->count, &planner,
				   run.started_s, err);
	}
	if (!rc)
		run_measure(&run, ret);
	run_clear(&run);
	return rc;
}

struct whatif_odd whatif_odd_jobs(const struct past_job *jobs, size_t count,
				  uint32_t cpus)
{
	struct whatif_odd odd = { 0 };

	for (size_t i = 0; i < count; i++) {
		odd.wide += jobs[i].subject.cpus > cpus;
		odd.no_limit += !has_limit(&jobs[i]);
		odd.instant += runtime_in_log_s(&jobs[i]) <= 0;
	}
	return odd;
}

/* --- How large the machine was ----------------------------------------- */

struct cpu_change {
	double at_s;
	int64_t cpus;
};

COMPARE_BY_BOTH(compare_cpu_changes, struct cpu_change, at_s, cpus)

uint32_t whatif_peak_cpus(const struct past_job *jobs, size_t count)
{
	struct cpu_change *changes = calloc(2 * count + 1, sizeof(*changes));
	int64_t used = 0, peak = 0;

	if (!changes)
		return 0;
	for (size_t i = 0; i < count; i++) {
		int64_t cpus = jobs[i].subject.cpus;

		changes[2 * i] =
			(struct cpu_change){ jobs[i].outcome.started_at_s,
					     cpus };
		changes[2 * i + 1] =
			(struct cpu_change){ jobs[i].outcome.ended_at_s,
					     -cpus };
	}
	qsort(changes, 2 * count, sizeof(*changes), compare_cpu_changes);
	for (size_t i = 0; i < 2 * count; i++) {
		used += changes[i].cpus;
		peak = used > peak ? used : peak;
	}
	free(changes);
	return peak < UINT32_MAX ? (uint32_t)peak : UINT32_MAX;
}
