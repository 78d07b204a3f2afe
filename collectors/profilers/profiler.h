/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profiler.h - watches one job on this node, from its start to its end
 *
 * Runs in a process of its own, so that what goes wrong with one job's profile
 * harms neither the collector nor another job, and all memory is given back in
 * the end.  Below 1 % of the job's CPU time: tasks are looked at every 20 ms,
 * packets every 100 ms, /proc as a whole seldom.
 */
#ifndef COLLECTORS_PROFILERS_PROFILER_H
#define COLLECTORS_PROFILERS_PROFILER_H

#include <stdbool.h>
#include <stdint.h>

#include "predictor/features/profile.h"

#define PROFILER_PATH_SIZE 320

struct profiler_job {
	uint32_t job_id;
	char cluster[RUN_NAME_SIZE];
	char node[HOSTLIST_NAME_SIZE];
	char nodes[RUN_NODES_SIZE];
	double started_at_s;
	bool packets;                        /* watch them */
	char mpi_folder[PROFILER_PATH_SIZE]; /* empty: the library was not
						loaded */
};

/* Watch until the time of the end, a double since the epoch, can be read from
 * `control_fd`.  -1: there is nothing to tell: the other side of it was closed,
 * or no task was seen. */
int profiler_run(const struct profiler_job *job, int control_fd,
		 struct profile_share *ret);

#endif
