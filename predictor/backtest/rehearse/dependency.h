/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dependency.h - on which jobs of the log a job depends
 *
 * From the text of --dependency.  All jobs of a rehearsal end well, so that
 * those kinds which wait for an end are the same.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEPENDENCY_MAX     64
#define DEPENDENCY_NO_TASK UINT32_MAX

struct dependency_item {
	uint32_t log_id; /* of a job or an array */
	uint32_t task;   /* DEPENDENCY_NO_TASK: all of it */
	bool on_start;   /* minutes after it; else on the end */
	uint32_t minutes;
};

struct dependency {
	struct dependency_item of[DEPENDENCY_MAX];
	size_t count;
	bool any; /* one of them is enough */
	/* "singleton", "expand", what makes no sense, too many. */
	size_t left_out;
};

/* Any text is read. */
void dependency_read(const char *text, struct dependency *ret);
