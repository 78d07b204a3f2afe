/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shares_file.h - what a job gets of the CPUs of its nodes, from collectord
 *
 * At a job's start the plugin makes SPOOL/shares/JOBID, empty; collectord
 * replaces it by what predictd forecasts, or removes it.  A task waits for that
 * no longer than SHARES_WAIT_S after the job's start, later ones do not wait.
 * Only its user may read it.  The form is described by its writer,
 * collectors/daemon/job_shares.h.  Knows nothing of Slurm.
 */
#pragma once

#include <stdint.h>

#include "predictor/base/error.h"

#define SHARES_TEXT_SIZE 16384
#define SHARES_WAIT_S    0.2

/* 0 also if there is no SPOOL/shares: then nobody would fill it. */
int shares_expect(const char *spool, uint32_t job_id, uint32_t user_id,
		  struct sp_error *err);
void shares_forget(const char *spool, uint32_t job_id);

struct job_shares {
	char text[SHARES_TEXT_SIZE];
	const char *shares;   /* "n1=0.49,n2=1.00"; NULL: not known */
	const char *slowdown; /* "2.04"; NULL: not known */
};

/* Read the file of the job; both texts are NULL if there is none that
 * is complete. */
void shares_read(const char *spool, uint32_t job_id, struct job_shares *ret);
