/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profiling.h - profiling processes of collectord, one for each job
 *
 * All nodes of a job must decide the same, without communication: by
 * --predict-profile, which the user or predictd has set, else by the job's id.
 */
#pragma once

#include "collectors/profilers/profiler.h"
#include "predictor/base/error.h"

#define PROFILING_JOBS_MAX 16 /* at a time, on one node */

enum profiling_option {
	PROFILING_DEFAULT,
	PROFILING_NO,
	PROFILING_PACKETS,
	PROFILING_MPI,
	PROFILING_TRACE /* and PROFILING_MPI */
};

/* Return the value of --predict-profile. */
enum profiling_option profiling_option_parse(const char *text);

/* Return whether a job is profiled; without the option one in `every` is,
 * 0: none. */
bool profiling_selects(enum profiling_option option, uint32_t job_id,
		       uint32_t every);

struct profiling;

struct profiling *profiling_create(struct sp_error *err);

/* Ends all processes; their profiles are lost. */
void profiling_destroy(struct profiling *profiling);

int profiling_start(struct profiling *profiling, const struct profiler_job *job,
		    struct sp_error *err);

/* The job has ended.  False: it is not profiled. */
bool profiling_end(struct profiling *profiling, uint32_t job_id,
		   double ended_at_s);

/* Readable when profiling_collect() has something to do. */
int profiling_fd(const struct profiling *profiling);

/* Call `store` with each finished share, as JSON. */
void profiling_collect(struct profiling *profiling,
		       void (*store)(void *context, const char *text,
				     size_t size),
		       void *context);
