/* SPDX-License-Identifier: GPL-2.0-or-later */
/* competition.h - CPU demand of the processes on a node
 *
 * Between two readings of the processes: a process that ran for u of the time
 * and waited for a CPU for v of it has, alone, a demand of u / (1 - v): it
 * sleeps as long as before, but need not wait.  One that never sleeps has a
 * demand of a whole CPU, however little it got.
 *
 * The time that a process waited is in the kernel's schedstat, where that is
 * enabled.  Otherwise one that is runnable at the reading is taken to have
 * been so all the time, unless pressure stall information shows that no
 * process waited.
 *
 * Children that lived and died between two readings are found in what their
 * parents have waited for.  CPU time that is still not explained (interrupts,
 * the kernel's threads, processes whose parents do not wait for them) is
 * shared out to Slurm's jobs and the others in the proportion of what is known
 * of them.
 */
#pragma once

#include "collectors/sensors/cpu_share.h"
#include "collectors/sensors/processes.h"

#define DEMANDS_MAX 256 /* what is beyond is put together */

struct competition {
	/* First those that are not of Slurm's jobs, then the jobs'. */
	struct cpu_demand demands[DEMANDS_MAX];
	size_t others, count;
	double load;    /* of the others: mean number of runnable processes */
	double stayers; /* of these, how many never slept */
	double ran;     /* CPUs that all that we see kept busy */
};

struct competition_span {
	double elapsed_s; /* between the readings, above 0 */
	double busy;      /* CPUs that were busy; NAN: not known */
	bool no_process_waited;
	pid_t self; /* which is not counted */
};

/* Fill in run_ns and wait_ns of those that were active since `before`. */
void competition_read_times(struct processes *now,
			    const struct processes *before);

/* Needs competition_read_times() of both. */
void competition_find(const struct processes *before,
		      const struct processes *now,
		      const struct competition_span *span,
		      struct competition *ret);
