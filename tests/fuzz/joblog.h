/* SPDX-License-Identifier: GPL-2.0-or-later */
/* joblog.h - for the fuzzers of job logs: a log in memory, line by line */
#pragma once

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/logs/joblog.h"

/* What everybody relies on who gets a run. */
static inline void joblog_check_run(const struct run *run)
{
	assert(run->state > RUN_RUNNING && run->state < RUN_STATES);
	assert(run->nodes > 0 && run->tasks > 0 && run->cpus > 0);
	assert(run->memory_mb >= 0 && isfinite(run->memory_mb));
	assert(isnan(run->limit_s) || run->limit_s >= 0);
	assert(run->started_at_s <= run->ended_at_s &&
	       isfinite(run->ended_at_s));
	assert(run->submitted_at_s >= 0 && isfinite(run->submitted_at_s));
	assert(memchr(run->cluster, 0, sizeof(run->cluster)));
	assert(memchr(run->node_list, 0, sizeof(run->node_list)));
	assert(memchr(run->application.name, 0, APPLICATION_NAME_SIZE));
	assert(run->exit_code >= 0 && run->exit_code <= 255);
	assert(run->application.parameters.count >= 0 &&
	       run->application.parameters.count <= PARAMETERS_MAX);
}

/* As joblog_next() does it, over the lines of `data`. */
static inline void joblog_fuzz(const struct joblog_format *format,
			       const uint8_t *data, size_t size)
{
	const struct joblog_config config = { .cluster = "c" };
	void *state = format->create(&config);
	const uint8_t *end = data + size;
	size_t calls = 0;
	struct run run;
	struct sp_error err;
	enum joblog_rc rc;

	assert(state);
	while (data < end) {
		const uint8_t *newline =
			memchr(data, '\n', (size_t)(end - data));
		size_t length = (size_t)((newline ? newline : end) - data);
		char *line = malloc(length + 1);
		bool taken;

		memcpy(line, data, length);
		line[length] = '\0';
		do {
			taken = true;
			rc = format->read_line(state, line, &taken, &run, &err);
			if (rc == JOBLOG_RUN)
				joblog_check_run(&run);
			assert(++calls <= 4 * size + 4);
		} while (!taken);
		free(line);
		if (rc == JOBLOG_STOP) {
			format->destroy(state);
			return;
		}
		data += length + 1;
	}
	do {
		bool taken = true;

		rc = format->read_line(state, NULL, &taken, &run, &err);
		if (rc == JOBLOG_RUN)
			joblog_check_run(&run);
		assert(++calls <= 4 * size + 4);
	} while (rc != JOBLOG_NOTHING && rc != JOBLOG_STOP);
	format->destroy(state);
}
