/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_reason.h - why a job waits: who is before it, and who blocks it */
#pragma once

#include "predictor/scheduler/start_times.h"

struct start_reason {
	uint32_t ahead; /* jobs that wait and are considered before it */
	uint32_t same;  /* of these, jobs that want the same resource */
	/* What it wants beside CPUs ("gpu:a100"); empty: nothing. */
	char gres[START_GRES_SIZE];
	/* When the first of the running jobs that have what it wants ends, in
	 * seconds from now; NAN: there is none. */
	double first_end_s;
};

/* Find the reason for each waiting job of jobs[count], which are in the order
 * of start_times(); ret[i] is of jobs[i], and left as it is for a
 * running one. */
void start_reasons_find(const struct start_job *jobs, size_t count,
			struct start_reason *ret);
