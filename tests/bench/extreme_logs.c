/* SPDX-License-Identifier: GPL-2.0-or-later */
/* extreme_logs.c - job logs that no archive has, generated */
#include <math.h>
#include <stdio.h>

#include "tests/bench/extreme_logs.h"
#include "tests/unit/random.h"

#define JOBS  12000
#define USERS 20
#define BATCH 40

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

const struct extreme_log extreme_logs[] = {
	{ "no limits, heavy tail", heavy_tail },
	{ "limits that batches outlive", outlived_limits },
	{ NULL, NULL },
};
