/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past_jobs.h - many jobs that have ended, with their texts interned
 *
 * A history or a log as models see it, in little memory: each text and each
 * application is stored once, however many jobs have it.  A stored application
 * ends with the parameters that it has: read it in place, never copy the
 * struct.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/run.h"
#include "predictor/features/subject.h"

/* How a run's state counts. */
enum outcome_end outcome_end_of(enum run_state state);

/* Find a run that has ended as a past job, which lends the run's texts. */
void past_job_of_run(const struct run *run, struct past_job *ret);

struct past_jobs {
	struct past_job *of; /* in the order in which they were added */
	size_t count;
	uint32_t capacity; /* own, as what follows */
	struct past_jobs_texts *texts;
};

/* None; cannot fail. */
void past_jobs_init(struct past_jobs *ret);

/* Add a copy of `job`: nothing that it lends is needed afterwards.  Fails when
 * memory ran out. */
int past_jobs_add(struct past_jobs *jobs, const struct past_job *job,
		  struct sp_error *err);

void past_jobs_clear(struct past_jobs *jobs); /* frees; may be called twice */
