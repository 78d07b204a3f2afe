/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tasks.h - CPU use of the processes that do a job's work
 *
 * A task is a process of the job without children: not the shell, not the
 * launcher. Helpers, which use little CPU time compared to the others, are not
 * in the results.  Only the first thread of a process is sampled.
 */
#pragma once

#include <sys/types.h>

#include "predictor/base/error.h"
#include "predictor/features/profile.h"

#define TASKS_MAX 256 /* on one node at a time; others are ignored */

struct tasks;

/* Return NULL if memory is exhausted. */
struct tasks *tasks_create(uint32_t job_id, double spin_rate);
void tasks_destroy(struct tasks *tasks);

/* Find new tasks of the job.  Reads all of /proc. */
int tasks_find(struct tasks *tasks, double now_s, struct sp_error *err);

/* Sample all tasks (monotonic clock). */
void tasks_sample(struct tasks *tasks, double now_s);

int tasks_alive(const struct tasks *tasks);

/* At most `max` pids of tasks that are alive. */
int tasks_pids(const struct tasks *tasks, pid_t ret[], int max);

/* Return whether the process is or was a task, and not a helper. */
bool tasks_has(const void *tasks, pid_t pid);

/* CPU time of all tasks since they were found. */
double tasks_used_s(const struct tasks *tasks);

/* Means over tasks, without helpers; of very many the last ones. */
void tasks_sum(const struct tasks *tasks, struct profile_node *ret);

/* At the job's end, after all else: whether the tasks were processes that some
 * program handed out (births.h). */
bool tasks_births(struct tasks *tasks, double now_s, struct profile_rank *ret);
