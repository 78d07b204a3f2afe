/* SPDX-License-Identifier: GPL-2.0-or-later */
/* competition.h - what the processes of a node want of its CPUs
 *
 * Seen between two looks at the processes: a process that ran for u of the time
 * and waited for a CPU for v of it would, were it alone, want u / (1 - v): it
 * sleeps as long as it did, but need not wait.  One that never sleeps thus
 * wants a whole CPU, however little it got.
 *
 * How long a process has waited the kernel tells, where it keeps schedstat.
 * Otherwise one that is runnable at the look is taken to have been so all the
 * time, unless the kernel's pressure stall information says that nobody waited.
 *
 * Children that lived and died between two looks are found in what their
 * parents have waited for.  CPU time that is still not explained (interrupts,
 * the kernel's threads, processes that nobody waits for) is shared out to
 * Slurm's jobs and the others in the proportion of what is known of them.
 */
#ifndef COLLECTORS_SENSORS_COMPETITION_H
#define COLLECTORS_SENSORS_COMPETITION_H

#include <stdbool.h>
#include <stddef.h>

#include "collectors/sensors/cpu_share.h"
#include "collectors/sensors/processes.h"

#define DEMANDS_MAX 256 /* what is beyond is put together */

struct competition {
	/* First those that are not of Slurm's jobs, then the jobs'. */
	struct cpu_demand demands[DEMANDS_MAX];
	size_t others, count;
	double load; /* of the others: how many ran or wanted to, in the mean */
	double stayers; /* of these, how many never slept */
	double ran;     /* CPUs that all that we see kept busy */
};

struct competition_span {
	double elapsed_s; /* between the looks, above 0 */
	double busy;      /* CPUs that were busy; NAN: not known */
	bool nobody_waited;
	pid_t self; /* which is not counted */
};

/* Fill in run_ns and wait_ns of those that were active since `before`. */
void competition_look(struct processes *now, const struct processes *before);

/* Needs competition_look() of both. */
void competition_find(const struct processes *before,
		      const struct processes *now,
		      const struct competition_span *span,
		      struct competition *ret);

#endif
