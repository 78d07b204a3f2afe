/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rejected_set.h - the best node set that a job did not get */
#pragma once

#include "predictor/engine/records.h"

/* Make the records of jobs that have started; NULL: out of memory. */
struct records *rejected_create(void);

/* The job of `p` has started, and was predicted again: find the best set that
 * it did not get, and note it in `p`, here and where it is kept.  Without the
 * engine's lock. */
void rejected_find(struct engine *engine, const struct run *run,
		   struct prediction *p);
