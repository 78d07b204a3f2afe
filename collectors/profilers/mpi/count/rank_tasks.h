/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_tasks.h - CPU times of what another process gave this one to do
 *
 * A task begins with the first message that comes from the other process, and
 * ends with the next one to it.  Times are of the CPU, without what MPI takes,
 * so that a shared CPU makes no task longer.  What has a collective operation
 * in it is no task: processes work together there.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct rank_tasks {
	bool is_open;
	uint32_t collectives; /* when it began */
	uint32_t count;
	double since_s;
	double sum_s, sum_s2; /* seconds, and seconds squared */
};

/* A message came when this process had worked for work_s, and taken part in
 * `collectives` collective operations. */
static inline void rank_tasks_begin(struct rank_tasks *tasks, double work_s,
				    uint32_t collectives)
{
	if (tasks->is_open && tasks->collectives == collectives)
		return;
	tasks->is_open = true;
	tasks->collectives = collectives;
	tasks->since_s = work_s;
}

/* A message is sent. */
static inline void rank_tasks_end(struct rank_tasks *tasks, double work_s,
				  uint32_t collectives)
{
	double task_s = work_s - tasks->since_s;
	bool is_task = tasks->is_open && tasks->collectives == collectives;

	tasks->is_open = false;
	if (!is_task)
		return;
	tasks->count++;
	tasks->sum_s += task_s;
	tasks->sum_s2 += task_s * task_s;
}
