/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs_past.h - made-up past jobs, for tests of ensemble and replay */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "predictor/features/subject.h"
#include "tests/unit/random.h"

#define PAST_APPLICATIONS 40

/* Of 12 users with some applications each, whose run times go over three orders
 * of magnitude; some with a parameter that the run time grows with.  Freed by
 * free(). */
static inline struct past_job *past_make(size_t count, uint64_t seed)
{
	static struct application applications[PAST_APPLICATIONS][8];
	struct past_job *jobs = calloc(count, sizeof(*jobs));
	struct random r = { seed };
	double now_s = 1e9;

	for (int a = 0; a < PAST_APPLICATIONS; a++)
		for (int v = 0; v < 8; v++) {
			struct application *app = &applications[a][v];

			snprintf(app->name, sizeof(app->name), "app%d", a);
			app->parameters.count = 0;
			if (a % 3 == 0)
				parameters_set(&app->parameters, "n",
					       1000.0 * (1 + v), NULL);
		}
	for (size_t i = 0; jobs && i < count; i++) {
		struct past_job *job = &jobs[i];
		uint32_t user = (uint32_t)random_below(&r, 12);
		uint64_t a =
			(user * 7 + random_below(&r, 4)) % PAST_APPLICATIONS;
		uint64_t v = random_below(&r, 8);
		double runtime_s = 20 * exp2((double)(a % 9)) *
				   (a % 3 ? 1 : 0.2 * (double)(1 + v)) *
				   exp(0.4 * (random_unit(&r) - 0.5));

		now_s += floor(60 * random_unit(&r));
		job->subject = (struct subject){
			.cluster = "tiny",
			.qos = "",
			.features = "",
			.gres = "",
			.traits = "",
			.account = user % 2 ? "physics" : "",
			.partition = "main",
			.user_id = 1000 + user,
			.application = &applications[a][v],
			.nodes = 1,
			.tasks = 1 + (uint32_t)(v % 2),
			.cpus = 1 + (uint32_t)(v % 2),
			.limit_s = i % 5 ? 3600.0 * (double)(1 + a % 9) : NAN,
			.submitted_at_s = now_s,
		};
		job->outcome = (struct outcome){
			.job_id = (uint32_t)i + 1,
			.end = random_below(&r, 12) ? OUTCOME_COMPLETED
						    : OUTCOME_FAILED,
			.started_at_s =
				now_s + floor(900 * (random_unit(&r) - 0.3)),
		};
		if (job->outcome.started_at_s < now_s)
			job->outcome.started_at_s = now_s;
		job->outcome.ended_at_s =
			job->outcome.started_at_s +
			floor(job->outcome.end == OUTCOME_FAILED ? runtime_s / 9
								 : runtime_s);
		conditions_init(&job->before);
	}
	return jobs;
}
