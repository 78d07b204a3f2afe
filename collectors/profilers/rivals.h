/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rivals.h - how much of a node's CPUs other processes left to a job
 *
 * From samples of the node's process list while the job runs.  Rivals are all
 * processes outside of the job, other jobs included; short ones that begin and
 * end between two samples are missed.
 */
#ifndef COLLECTORS_PROFILERS_RIVALS_H
#define COLLECTORS_PROFILERS_RIVALS_H

#include <stdint.h>

#include "predictor/base/error.h"

struct rivals;

/* NULL: out of memory. */
struct rivals *rivals_create(uint32_t job_id);
void rivals_destroy(struct rivals *rivals);

/* When the next sample is due (monotonic clock). */
double rivals_due_s(const struct rivals *rivals);

/* Sample the processes, and add the time since the last sample, in which the
 * job had `tasks` tasks; with none it is not counted. */
int rivals_sample(struct rivals *rivals, double now_s, int tasks,
		  struct sp_error *err);

/* Mean over time: what a task got of a CPU beside the job's other tasks and the
 * rivals, relative to what it would have got without these; 0 to 1, NAN: not
 * known. */
double rivals_cpu_left(const struct rivals *rivals);

#endif
