/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_records.h - the newest run of each job */
#pragma once

#include "predictor/engine/records.h"
#include "predictor/features/run.h"

/* Beyond these the oldest are dropped. */
#define JOBS_MAX       65536
#define JOBS_BYTES_MAX (48u << 20)

struct records *job_records_create(void); /* NULL: out of memory */

/* Keep a copy if `run` is newer than the run known: it started later, or it is
 * the same run and has ended.  -1: out of memory. */
int job_records_put(struct records *jobs, const struct run *run);

/* Return -1 if there is no run of that job. */
int job_records_get(const struct records *jobs, const char *cluster,
		    uint32_t job_id, struct run *ret);
