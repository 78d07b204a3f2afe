/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_memory.c - memory of running jobs, from the list of processes */
#include <unistd.h>

#include "collectors/sensors/job_memory.h"

#define JOBS_AT_ONCE 256 /* reported at most */

void job_memory_report(const struct processes *processes,
		       sensors_job_fn *report, void *context)
{
	double page_mb = (double)sysconf(_SC_PAGESIZE) / (1 << 20);
	struct {
		uint32_t job_id;
		double mb;
	} jobs[JOBS_AT_ONCE];
	size_t count = 0, at;

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->of[i];

		if (!process->job_id || process->step_daemon)
			continue;
		for (at = 0; at < count; at++)
			if (jobs[at].job_id == process->job_id)
				break;
		if (at == JOBS_AT_ONCE)
			continue;
		if (at == count) {
			jobs[count].job_id = process->job_id;
			jobs[count++].mb = 0;
		}
		jobs[at].mb += (double)process->resident_pages * page_mb;
	}
	for (at = 0; at < count; at++)
		report(context, jobs[at].job_id, jobs[at].mb);
}
