/* SPDX-License-Identifier: GPL-2.0-or-later */
/* competitors.h - how much of a node's CPUs other processes left to a job
 *
 * From samples of the node's process list while the job runs.  Competitors are
 * all processes outside of the job, other jobs included; short ones that begin
 * and end between two samples are missed.
 */
#pragma once

#include <stdint.h>

#include "predictor/base/error.h"

struct competitors;

/* Return NULL if memory is exhausted. */
struct competitors *competitors_create(uint32_t job_id);
void competitors_destroy(struct competitors *competitors);

/* When competitors_run() has something to do next (monotonic clock). */
double competitors_due_s(const struct competitors *competitors);

/* Sample if one is due, unless all samples have cost too much for a job that
 * has used `used_s` of CPU time. */
int competitors_run(struct competitors *competitors, double now_s, int tasks,
		    double used_s, struct sp_error *err);

/* Sample the processes, and add the time since the last sample, in which the
 * job had `tasks` tasks; with none it is not counted. */
int competitors_sample(struct competitors *competitors, double now_s, int tasks,
		       struct sp_error *err);

/* CPU time of all samples so far. */
double competitors_cost_s(const struct competitors *competitors);

/* Return the mean over time: what a task got of a CPU beside the job's other
 * tasks and the competitors, relative to what it would have got without these;
 * 0 to 1, NAN: not known. */
double competitors_cpu_left(const struct competitors *competitors);
