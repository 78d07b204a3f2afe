/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scheduler_probe.h - what the kernel does with a process that sleeps and wakes
 * up on a CPU that it shares
 *
 * Two threads on one CPU: one computes all the time, the other computes and
 * sleeps in turn, for phases of 5, 10 and 20 ms.  From the length of its cycles
 * follow the two numbers that the sharing model needs (NOTE.md in
 * predictor/models/sharing, sections 2 and 3).  Takes SCHEDULER_PROBE_CPU_S of
 * CPU time; on an idle node without a quota as many seconds.
 */
#pragma once

#include <stdbool.h>

#include "predictor/base/error.h"

#define SCHEDULER_PROBE_CPU_S 2.0

/* As in struct measurement; one of the two is 0, since only their difference
 * shows. */
struct scheduler_values {
	double turn_s, credit_s;
};

/* A process that is busy for `work_s` of CPU time after sleeps of `sleep_s`, in
 * cycles of `cycle_s`, all means. */
struct scheduler_cycle {
	double work_s, sleep_s, cycle_s;
};

/* Find what follows from cycles beside one competitor, where a process alone
 * gets the share `alone` of the CPU. */
void scheduler_values_find(const struct scheduler_cycle cycles[], int count,
			   double alone, struct scheduler_values *ret);

/* Find what kernels of a release ("6.1.0-18-amd64") do by default, on a
 * machine of `cpus`. */
void scheduler_values_default(const char *release, double cpus,
			      struct scheduler_values *ret);

struct scheduler_probe;

/* Make a probe that does not run yet; NULL: out of memory. */
struct scheduler_probe *scheduler_probe_create(void);

/* Stops one that runs; NULL is allowed. */
void scheduler_probe_destroy(struct scheduler_probe *probe);

/* There must be none running.  `alone`: the share of a CPU that a process gets
 * without competitors: below 1 where a quota allows less. */
int scheduler_probe_start(struct scheduler_probe *probe, double alone,
			  struct sp_error *err);

bool scheduler_probe_is_running(const struct scheduler_probe *probe);

/* End it within some 50 ms. */
void scheduler_probe_stop(struct scheduler_probe *probe);

/* 1: it has ended, here is the result.  0: it runs, or none was started.
 * -1: it ended without a result; see *err. */
int scheduler_probe_result(struct scheduler_probe *probe,
			   struct scheduler_values *ret, struct sp_error *err);
