/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open_job.h - what is known of a job that is not recorded yet, kept on disk
 *
 * One file in SPOOL/jobs for each attempt to run a job, rewritten whenever
 * more is known, so that a collector that was killed, or whose node lost its
 * power, goes on where it was.
 */
#pragma once

#include "collectors/runs/events.h"
#include "predictor/base/error.h"
#include "predictor/base/job_memory.h"
#include "predictor/features/run.h"
#include "predictor/slurm/slurm_job.h"

/* Who reports the run as a whole: the head does, the deputy does it again a
 * while later, in case the head died. */
enum position {
	POSITION_UNKNOWN,
	POSITION_HEAD,
	POSITION_DEPUTY,
	POSITION_OTHER
};

struct open_job {
	uint32_t job_id, user_id;
	enum position position;
	char node[HOSTLIST_NAME_SIZE]; /* this one, as Slurm calls it */
	char nodes[RUN_NODES_SIZE];    /* of the job; empty: not known */
	char cluster[RUN_NAME_SIZE];
	char partition[RUN_NAME_SIZE];
	char prediction_id[PREDICTION_ID_SIZE]; /* as the prolog has it; empty:
						   not known */
	int restarts;             /* when it started; -1: not known */
	double node_started_s;    /* by this node's clock; NAN: not seen */
	double node_ended_s;      /* NAN: not seen (yet) */
	double script_ended_s;    /* NAN: no batch script ended here */
	int exit_code;            /* as the epilog got it; -1: not known */
	uint32_t tasks;           /* whose end was seen */
	int signal;               /* by which tasks were ended; 0: none */
	bool announced;           /* sent as RUNNING */
	bool superseded;          /* another attempt has begun */
	struct job_memory memory; /* greatest of the samples */
	bool has_run; /* `run` is slurmctld's record of this attempt */
	struct run run;

	/* Not on disk: */
	char name[64];   /* of the file; empty: not written yet */
	double ask_at_s; /* by the monotonic clock */
	int asked;       /* times since the last change */
	int not_taken;   /* times that the spool refused the run */
	struct job_event_submission submission; /* from the prolog */
	struct slurm_job *missed; /* owned: predictd missed its submission, its
				     script is to be asked for; NULL: no */
	bool script_seen;
	struct application application; /* from it; empty: not known */
};

void open_job_init(struct open_job *ret);

/* Return where `node` stands in the hostlist `nodes`. */
enum position position_find(const char *nodes, const char *node);

int open_job_save(struct open_job *job, int jobs_fd, struct sp_error *err);
int open_job_load(const char *name, int jobs_fd, struct open_job *ret,
		  struct sp_error *err);
void open_job_remove(struct open_job *job, int jobs_fd);
