/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_jobs.h - the jobs of a rehearsal, and what became of them
 *
 * Functions returning int give 0, or -1 with *err set.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/run.h"

/* What was submitted as one. */
enum rehearse_group { GROUP_NONE, GROUP_ARRAY, GROUP_HET };

struct rehearse_job {
	/* After the first job of the window, jittered; in results, of a job
	 * with dependencies: when these ended. */
	double submit_s, runtime_s;
	double limit_s; /* whole minutes, >= runtime_s */
	bool no_limit;  /* in the log; not kept in results */
	bool instant;   /* its run time in the log is 0; likewise */
	uint32_t cpus;
	uint32_t user;
	char partition[RUN_NAME_SIZE]; /* of the log; "-": none */
	/* Names of the log; empty: unknown.  Not kept in results. */
	char user_name[RUN_NAME_SIZE], account[RUN_NAME_SIZE];
	char qos[RUN_NAME_SIZE];
	/* Not kept in results: */
	uint32_t log_id;     /* its job id in the log */
	double logged_at_s;  /* its submission in the log */
	double began_s;      /* its start there */
	double predicted_s;  /* rehearse_predict.h; NAN: not known */
	uint32_t components; /* over 1: of a heterogeneous job; 0: Slurm
				refused it, and it is not kept */

	/* Equal tasks of an array, or components of the log's own
	 * heterogeneous job, follow each other in the list: */
	enum rehearse_group group;
	uint32_t group_log_id; /* of the array or heterogeneous job */
	uint32_t member;       /* task or component, in the log */
	uint32_t group_size;   /* of the first of them, or of a job alone 1;
				    0: it is submitted with another one */
	uint32_t array_most;   /* tasks at a time; 0: no bound */
	char dependency[RUN_DEPENDENCY_SIZE]; /* run.h */
	double think_s;

	/* By slurmctld; the same time axis.  NAN: it did not. */
	double start_s, end_s;
	bool completed; /* as Slurm says */
};

struct rehearse_jobs {
	struct rehearse_job *of; /* by submit_s */
	size_t count;
	uint32_t cpus;               /* of the machine; 0: unknown */
	uint64_t bad_lines, no_runs; /* of the whole log; joblog_counts */
	size_t twice; /* likewise: jobs that were there, in overlapping exports;
			 they count once */
	/* In the window: jobs of more CPUs than the machine, which are left
	 * out; jobs without a limit, and of run time 0. */
	size_t wide, no_limit, instant;
	bool several_qos, several_accounts; /* in a log that has them */
};

/* What is read of a log. */
struct rehearse_window {
	double from_s, length_s; /* after the log's first submission */
	double jitter_s;         /* each submission is up to this later */
	uint32_t seed;           /* of the jitter; 0: none */
	uint32_t cpus;           /* of the machine; 0: as the log says */
};

/* Read a log of `format` ("swf", "sacct").  A job that ran longer than its
 * limit is taken to end there, and one of run time 0 to run for a second; one
 * without a limit has the longest requested in the log. */
int rehearse_jobs_read(const char *format, const char *path,
		       const struct rehearse_window *window,
		       struct rehearse_jobs *ret, struct sp_error *err);

/* The file between the driver and the report: one line a job. */
int rehearse_jobs_save(const char *path, const struct rehearse_jobs *jobs,
		       struct sp_error *err);
int rehearse_jobs_load(const char *path, struct rehearse_jobs *ret,
		       struct sp_error *err);

void rehearse_jobs_clear(struct rehearse_jobs *jobs); /* frees */
