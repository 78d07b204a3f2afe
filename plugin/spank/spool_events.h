/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spool_events.h - records of jobs and steps for collectord, as files
 *
 * A job's start and its end on this node are each a file in SPOOL/events, on
 * disk before the call returns; the ends of tasks are lines appended to
 * SPOOL/steps/JOBID.  Nothing is lost while collectord is down, and Slurm
 * never waits for it.  The forms are described by their reader,
 * collectors/runs/events.h and steps.h.  Knows nothing of Slurm.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "predictor/base/error.h"

#define EVENTS_WAITING_MAX     20000 /* files; beyond, new ones are refused */
#define EVENTS_STEPS_MAX_BYTES (1 << 20) /* of lines for one job */

/* Create SPOOL/users/mpi/JOBID, and users/traces/JOBID if it is `traced`, for
 * files of the job's own processes, owned by its user; 0 also where there is no
 * SPOOL/users, or it is closed (mode 0700) as the disk is full. */
int event_make_folders(const char *spool, bool traced, uint32_t job_id,
		       uint32_t user_id, struct sp_error *err);

/* The job has ended: take these from its user and name them JOBID.ended and
 * JOBID-UID-SECONDS, for collectord to read and remove, and SPOOL/steps/JOBID
 * to JOBID-SECONDS, so that it is not that of a later job of this id. */
void event_close_folders(const char *spool, uint32_t job_id, uint32_t user_id,
			 double time_s);

/* A job starts: a steps file is of another one, whose end was missed. */
void event_forget_steps(const char *spool, uint32_t job_id);

struct event {
	const char *kind; /* "start" or "end" */
	uint32_t job_id;
	uint32_t user_id;
	double time_s;
	/* From the environment of prologs and epilogs; NULL: not set. */
	const char *cluster;
	const char *node;
	const char *nodes; /* hostlist of the job */
	const char *partition;
	const char *restarts;
	const char *exit;       /* "CODE:SIGNAL" */
	const char *profile;    /* of --predict-profile */
	const char *parameters; /* of --predict-param, "a=1 b=2" */
	const char *arguments;  /* script and arguments, if it was missed */
	const char *prediction; /* its id */
};

/* 0 also if there is no SPOOL/events: then records are not wanted.  What could
 * not be written, here or below, is counted in SPOOL/lost. */
int event_write(const char *spool, const struct event *event,
		struct sp_error *err);

/* The end of a task, with what all tasks of its slurmstepd have used so far. */
struct task_end {
	uint32_t job_id;
	uint32_t step_id;
	int stepd_pid;
	double time_s;
	int wait_status;  /* of wait(2) */
	double cpu_s;     /* user and system, children included */
	double peak_kb;   /* the largest process */
	double cached_mb; /* most of the job, with files; NAN: not known */
};

int event_append_task(const char *spool, const struct task_end *end,
		      struct sp_error *err);
