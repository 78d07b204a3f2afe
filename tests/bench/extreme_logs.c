/* SPDX-License-Identifier: GPL-2.0-or-later */
/* extreme_logs.c - job logs that no archive has, generated */
#include <math.h>
#include <stdio.h>

#include "predictor/backtest/backtest.h"
#include "predictor/models/mixture/mixture_start.h"
#include "tests/bench/extreme_logs.h"
#include "tests/unit/random.h"

#define JOBS  12000
#define USERS 20
#define BATCH 40

/* Steady users, and one who submits many jobs at once. */
#define STEADY_USERS  30
#define BATCH_USER    0
#define BATCH_EVERY   1000 /* jobs of the others */
#define BATCH_OF_USER 1000

/* How run times are spread: Pareto's, of so small an exponent that their mean
 * does not exist. */
#define TAIL 0.8

/* One job of a user with one application, submitted and started then. */
static int job_add(struct past_jobs *jobs, uint32_t user, double at_s,
		   double runtime_s, double limit_s, struct sp_error *err)
{
	struct application application = { .name = "" };
	struct past_job job = {
		.subject = { .cluster = "extreme",
			     .account = "",
			     .partition = "",
			     .qos = "",
			     .features = "",
			     .gres = "",
			     .traits = "",
			     .user_id = user,
			     .application = &application,
			     .nodes = 1,
			     .tasks = 1,
			     .cpus = 1,
			     .limit_s = limit_s,
			     .submitted_at_s = at_s },
		.outcome = { .job_id = (uint32_t)jobs->count + 1,
			     .end = OUTCOME_COMPLETED,
			     .started_at_s = at_s,
			     .ended_at_s = at_s + runtime_s },
	};

	snprintf(application.name, sizeof(application.name), "app%u", user % 7);
	conditions_init(&job.before);
	return past_jobs_add(jobs, &job, err);
}

static int heavy_tail(struct past_jobs *ret, struct sp_error *err)
{
	struct random r = { 11 };
	double at_s = 1e9;

	past_jobs_init(ret);
	for (int i = 0; i < JOBS; i++) {
		double runtime_s =
			ceil(10 * pow(1 - random_unit(&r), -1 / TAIL));

		at_s += floor(60 * random_unit(&r));
		if (job_add(ret, (uint32_t)random_below(&r, USERS), at_s,
			    runtime_s, NAN, err)) {
			past_jobs_clear(ret);
			return -1;
		}
	}
	return 0;
}

static int outlived_limits(struct past_jobs *ret, struct sp_error *err)
{
	struct random r = { 12 };
	double at_s = 1e9;

	past_jobs_init(ret);
	for (int i = 0; i < JOBS / BATCH; i++) {
		uint32_t user = (uint32_t)random_below(&r, USERS);
		double limit_s = 600 * (1 + floor(6 * random_unit(&r)));
		double runtime_s = limit_s * exp(6 * random_unit(&r) - 3);

		at_s += floor(3600 * random_unit(&r));
		for (int k = 0; k < BATCH; k++)
			if (job_add(ret, user, at_s + k, runtime_s + k, limit_s,
				    err)) {
				past_jobs_clear(ret);
				return -1;
			}
	}
	return 0;
}

/* One steady user's next job: limits of 4 hours, run times around a quarter of
 * an hour to 2 hours, by user. */
static int steady_job(struct past_jobs *jobs, struct random *r, double at_s,
		      struct sp_error *err)
{
	uint32_t user = 1 + (uint32_t)random_below(r, STEADY_USERS);
	double spread = random_unit(r) + random_unit(r) - 1;

	return job_add(jobs, user, at_s,
		       ceil(900 * exp(2.0 * user / STEADY_USERS + spread)),
		       14400, err);
}

static int batches_beside(struct past_jobs *ret, bool batches,
			  struct sp_error *err)
{
	struct random r = { 13 };
	double at_s = 1e9;

	past_jobs_init(ret);
	for (int i = 0; i < JOBS; i++) {
		at_s += floor(240 * random_unit(&r));
		if (steady_job(ret, &r, at_s, err))
			goto failed;
		if (!batches || i % BATCH_EVERY != BATCH_EVERY / 2)
			continue;
		/* All take as long, unlike the batch before. */
		double runtime_s =
			ceil(300 * exp((i / BATCH_EVERY % 2 ? 4 : 1) +
				       0.5 * (i / BATCH_EVERY % 3)));

		for (int k = 0; k < BATCH_OF_USER; k++)
			if (job_add(ret, BATCH_USER, at_s + k / 100,
				    runtime_s + k % 60, NAN, err))
				goto failed;
	}
	return 0;
failed:
	past_jobs_clear(ret);
	return -1;
}

static int beside_batches(struct past_jobs *ret, struct sp_error *err)
{
	return batches_beside(ret, true, err);
}

static int without_batches(struct past_jobs *ret, struct sp_error *err)
{
	return batches_beside(ret, false, err);
}

const struct extreme_log extreme_logs[] = {
	{ "no limits, heavy tail", heavy_tail, NULL },
	{ "limits that batches outlive", outlived_limits, NULL },
	{ "one user's batches", beside_batches, without_batches },
	{ NULL, NULL, NULL },
};

/* --- How far one user widens the others ----------------------------------- */

/* Find the geometric mean of the 0.9-quantile over the median, of the measured
 * jobs of all users but 0. */
static int measure_width(int (*make)(struct past_jobs *, struct sp_error *),
			 size_t skip, double *ret, struct sp_error *err)
{
	const struct backtest_options options = {
		.skip = skip,
		.start = MIXTURE_START_BY_HAND,
	};
	struct past_jobs jobs;
	struct backtest b;
	double sum = 0, count = 0;
	int rc;

	if (make(&jobs, err))
		return -1;
	rc = backtest_run(jobs.of, jobs.count, &options, &b, err);
	for (size_t i = 0; !rc && i < b.count; i++) {
		double high_s = (double)b.high_s[i];
		double median_s = (double)b.predicted_s[BACKTEST_CHOSEN][i];

		if (!b.measured[i] || !b.jobs[i].subject.user_id ||
		    !(high_s > 0))
			continue;
		sum += log(high_s / median_s);
		count++;
	}
	if (!rc)
		backtest_clear(&b);
	past_jobs_clear(&jobs);
	*ret = exp(sum / count);
	return rc;
}

int extreme_log_widening(const struct extreme_log *log, size_t skip,
			 double *widest, struct sp_error *err)
{
	double beside, without;

	if (measure_width(log->make, skip, &beside, err) ||
	    measure_width(log->make_others, skip, &without, err))
		return -1;
	printf("%-34s others' p90 / p50 %.2f, without the batches %.2f\n",
	       log->name, beside, without);
	*widest = fmax(*widest, beside / without);
	return 0;
}
