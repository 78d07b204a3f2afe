/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tasks.h - the processes of a job that do its work, watched
 *
 * A task is a process of the job without children of its own: not the shell,
 * not the launcher.  Those that hardly use a CPU beside the others don't count
 * in the end.  A process is what its first thread is.
 */
#ifndef COLLECTORS_PROFILERS_TASKS_H
#define COLLECTORS_PROFILERS_TASKS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "predictor/base/error.h"
#include "predictor/features/profile.h"

#define TASKS_MAX 256 /* on one node; others are not looked at */

struct tasks;

/* NULL: out of memory. */
struct tasks *tasks_create(uint32_t job_id, double spin_rate);
void tasks_destroy(struct tasks *tasks);

/* Find out which processes the job has: as costly as /proc is large. */
int tasks_find(struct tasks *tasks, double now_s, struct sp_error *err);

/* Look at all of them (monotonic clock). */
void tasks_look(struct tasks *tasks, double now_s);

int tasks_alive(const struct tasks *tasks);

/* At most `max` pids of those that are there. */
int tasks_pids(const struct tasks *tasks, pid_t ret[], int max);

/* Whether the process was one of those that count. */
bool tasks_has(const void *tasks, pid_t pid);

/* CPU time that all of them have used since they were found. */
double tasks_used_s(const struct tasks *tasks);

/* Means over the tasks that count. */
void tasks_sum(const struct tasks *tasks, struct profile_node *ret);

#endif
