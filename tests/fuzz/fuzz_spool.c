/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_spool.c - what collectord reads from its spool: events, steps, records
 *
 * Files are written by our plugin and ourselves, but a disk may return
 * anything, and the spool of a careless site may be writable by others.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/runs/events.h"
#include "collectors/runs/steps.h"
#include "collectors/sensors/cpu_group.h"
#include "collectors/sensors/cpu_times.h"
#include "collectors/sensors/processes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct job_event event;
	struct run_share share;
	struct process process;
	double busy_s, steal_s, script_ended_s;
	struct sp_error err;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	steps_sum(text, 0, 1e10, &share, &script_ended_s);
	cpu_group_parse_max(text);
	cpu_group_count(text);
	cpu_times_parse(text, 100, &busy_s, &steal_s);
	cpu_times_parse_pressure(text);
	process_parse(text, &process);
	if (job_event_parse(text, size, &event, &err) == 0 && !event.job_id)
		abort();
	free(text);
	return 0;
}
