/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct_runs.h - for tests of sacct's logs: all runs of a text */
#pragma once

#include "tests/unit/predictor/logs/logs.h"
#include "tests/unit/suite.h"

static struct sp_error err;

static struct joblog_counts counts;

/* All runs of a text, at most `max`. */
static inline size_t read_all(const char *text, struct run runs[], size_t max)
{
	struct joblog *log = log_of(&joblog_sacct, text);
	size_t count = 0;
	struct run run;
	int rc;

	while ((rc = joblog_next(log, &run, &err)) > 0) {
		ck_assert_uint_lt(count, max);
		runs[count++] = run;
	}
	ck_assert_int_eq(rc, 0);
	counts = *joblog_counts(log);
	joblog_destroy(log);
	return count;
}

#define TIMES  "2026-01-05T10:00:00|2026-01-05T10:01:00|2026-01-05T10:31:00"
#define COMMON "JobID|JobName|Submit|Start|End|State"
