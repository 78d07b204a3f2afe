/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past.h - past jobs of a machine that never was, for tests of backtests */
#pragma once

#include <math.h>
#include <string.h>

#include "predictor/features/subject.h"
#include "tests/unit/random.h"

#define PAST_APPLICATIONS 5
#define PAST_USERS        7

/* Users who run the same few things again and again, in some disorder. */
static inline void past_make(struct random *r, struct past_job *jobs,
			     size_t count)
{
	static const char *const names[PAST_APPLICATIONS] = {
		"lmp", "heat -n N", "vasp_std", "python train.py", ""
	};
	static struct application applications[PAST_APPLICATIONS];
	double now_s = 1.7e9;

	for (int i = 0; i < PAST_APPLICATIONS; i++)
		strcpy(applications[i].name, names[i]);
	for (size_t i = 0; i < count; i++) {
		uint64_t user = random_below(r, PAST_USERS);
		uint64_t kind = (user + random_below(r, 2)) % PAST_APPLICATIONS;
		double usual_s = 20 * exp(1.3 * (double)kind);
		double runtime_s = floor(usual_s * exp(random_unit(r))) + 1;

		now_s += (double)random_below(r, 400);
		jobs[i] = (struct past_job){
			.subject = {
				.cluster = "past",
				.qos = "",
				.features = "",
				.gres = "",
				.traits = "",
				.account = "",
				.partition = user > 2 ? "long" : "short",
				.user_id = 100 + (uint32_t)user,
				.application = &applications[kind],
				.nodes = 1,
				.tasks = 1 + (uint32_t)kind,
				.cpus = 1 + 3 * (uint32_t)kind,
				.limit_s = random_below(r, 9) ? 7200 : NAN,
				.submitted_at_s = now_s,
			},
			.outcome = {
				.job_id = 1000 + (uint32_t)i,
				.end = random_below(r, 9) ? OUTCOME_COMPLETED
							  : OUTCOME_FAILED,
				.started_at_s =
					now_s + (double)random_below(r, 3000),
			},
		};
		jobs[i].outcome.ended_at_s =
			jobs[i].outcome.started_at_s + runtime_s;
	}
}
