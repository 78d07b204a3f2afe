/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profiler.h - profile of one job on this node
 *
 * Runs in a process of its own, so that a failure harms neither the collector
 * nor another job, and all memory is freed in the end.  Costs less than 1 % of
 * the job's CPU time: tasks are sampled every 20 ms, packets read every 200 ms,
 * and all of /proc seldom.
 */
#pragma once

#include "predictor/features/profile.h"

#define PROFILER_PATH_SIZE 320

struct profiler_job {
	uint32_t job_id;
	char cluster[RUN_NAME_SIZE], node[HOSTLIST_NAME_SIZE];
	char nodes[RUN_NODES_SIZE];
	double started_at_s;
	bool packets;                        /* capture them */
	char mpi_folder[PROFILER_PATH_SIZE]; /* empty: the library was not
						loaded */
};

/* Profile until the time of the job's end, a double since the epoch, can be
 * read from `control_fd`.  -1: no profile, as no task was seen or the other end
 * of control_fd was closed. */
int profiler_run(const struct profiler_job *job, int control_fd,
		 struct profile_share *ret);
