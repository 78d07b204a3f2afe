/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replayed_jobs.h - submits the jobs of a log, follows them, and ends them
 *
 * Times are those of the rehearsal: seconds after the first job of the window.
 * Functions returning int give -1 with *err set, if they fail.
 */
#pragma once

#include <time.h>

#include "predictor/backtest/rehearse/driver_options.h"
#include "predictor/backtest/rehearse/job_order.h"
#include "predictor/backtest/rehearse/log_index.h"
#include "predictor/backtest/rehearse/rehearse_jobs.h"

enum phase {
	PHASE_FUTURE,
	PHASE_PENDING,
	PHASE_RUNNING, /* or suspended */
	PHASE_ENDING,
	PHASE_DONE
};

struct replayed {
	enum phase phase;
	uint32_t slurm_id;     /* its own */
	uint32_t submitted_id; /* of the group that it was submitted with */
	double expected_s;     /* start by squeue --start; NAN: it says none */
	double due_s;          /* its end, while it runs; HUGE_VAL: suspended */
	uint32_t ended, seen_ended; /* components: how many, and which */
	size_t after; /* of one that is held (job_order.h): whose end counts */
	bool cut;     /* its limit became shorter */
	bool dependent; /* Slurm knows of a dependency */
	bool suspended; /* ever */
	uint32_t requeues;
};

struct replayed_jobs {
	const struct driver_options *options;
	double epoch_s; /* Slurm's time of 0 */
	struct rehearse_jobs jobs;
	struct replayed *of; /* beside jobs.of */
	struct job_order order;
	struct log_index index;
	size_t oldest; /* all before it in the order are done */
	size_t pending, running, ending, done;
	size_t refused;                       /* of those done */
	size_t dependent, thinking, left_out; /* jobs, terms of dependencies */
	size_t *by_slurm_id; /* the first job's position + 1; 0: none */
	size_t id_size;
	time_t updated;
};

/* Read the log of `options`, which is lent. */
int replayed_jobs_create(const struct driver_options *options,
			 struct replayed_jobs *ret, struct sp_error *err);
void replayed_jobs_destroy(struct replayed_jobs *r);

/* End and submit what is due.  Returns how many. */
int replayed_jobs_do(struct replayed_jobs *r, double now_s,
		     struct sp_error *err);

/* See what Slurm did.  1: something started or ended; 0: nothing. */
int replayed_jobs_see(struct replayed_jobs *r, struct sp_error *err);

/* Return the next end or submission; HUGE_VAL: none is known. */
double replayed_jobs_next_s(const struct replayed_jobs *r);
