/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps.h - what the tasks of a job used on this node
 *
 * The SPANK plugin appends a line for each task that ends to SPOOL/steps/JOBID:
 *	TIME STEP_ID STEPD_PID WAIT_STATUS CPU_S PEAK_KB [CACHED_KB]
 * where CPU_S is the sum and PEAK_KB the largest process over all tasks of that
 * slurmstepd so far, with their children: of each slurmstepd the last line
 * counts.  CACHED_KB is the most memory of the whole job so far, with pages of
 * files; left out where it is not known.  At the job's end it renames the file
 * to JOBID-SECONDS, with the time of the event: a job that gets the same id has
 * another file.
 */
#pragma once

#include "predictor/features/run.h"

/* Add up the lines from `from_s` to `to_s` into cpu_s, task_memory_mb (of the
 * largest process), cached_memory_mb, exit_code, exit_signal and tasks of
 * *share; the first three are NAN if there are none.  Lines that are no such
 * lines are skipped.  *ret_script_ended_s is the end of the batch script; NAN:
 * it did not run here. */
void steps_sum(const char *text, double from_s, double to_s,
	       struct run_share *share, double *ret_script_ended_s);

/* The same of the file of a job that ended then, or of JOBID if there is none;
 * a missing one counts as empty. */
void steps_read(int steps_fd, uint32_t job_id, double from_s, double ended_at_s,
		struct run_share *share, double *ret_script_ended_s);

/* The lines have been used. */
void steps_remove(int steps_fd, uint32_t job_id, double ended_at_s);
