/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profiling.h - which jobs are profiled, and by which processes
 *
 * All nodes of a job must come to the same decision without asking each other:
 * it rests on what the user said, and on the job's id.
 */
#ifndef COLLECTORS_PROFILERS_PROFILING_H
#define COLLECTORS_PROFILERS_PROFILING_H

#include <stdbool.h>
#include <stddef.h>

#include "collectors/profilers/profiler.h"
#include "predictor/base/error.h"

#define PROFILING_JOBS_MAX 16 /* at a time, on one node */

enum profiling_wish {
	PROFILING_UNSAID,
	PROFILING_NO,
	PROFILING_PACKETS,
	PROFILING_MPI
};

/* "no", "packets" or "mpi"; anything else is not said. */
enum profiling_wish profiling_wish_parse(const char *text);

/* Whether a job is profiled, if one in `every` is (0: only those that ask). */
bool profiling_wanted(enum profiling_wish wish, uint32_t job_id,
		      uint32_t every);

struct profiling;

struct profiling *profiling_create(struct sp_error *err);

/* Ends all; what they have seen so far is lost. */
void profiling_destroy(struct profiling *profiling);

int profiling_start(struct profiling *profiling, const struct profiler_job *job,
		    struct sp_error *err);

/* The job has ended; nothing happens if it isn't profiled. */
void profiling_end(struct profiling *profiling, uint32_t job_id,
		   double ended_at_s);

/* Readable when profiling_take() has something to do. */
int profiling_fd(const struct profiling *profiling);

/* Give each share that is finished, as JSON, to `take`. */
void profiling_take(struct profiling *profiling,
		    void (*take)(void *context, const char *text, size_t size),
		    void *context);

#endif
