/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_state.h - the jobs that run and wait, as Slurm has them at one moment
 *
 * Plain data; NAN: not known.
 */
#pragma once

#include "predictor/features/run.h"

/* What stands in AdminComment before the limit that we set, in minutes. */
#define QUEUE_LIMIT_NOTE "predict_limit="

struct queue_entry {
	uint32_t job_id; /* of this task or component alone */
	uint32_t user_id;
	uint32_t nodes, cpus; /* in all; requested or allocated */
	uint32_t node_cpus;   /* requested of each node, at least */
	bool whole_nodes;     /* it has all CPUs of its nodes */
	bool running;
	/* It waits for something else than its turn: a user, another job, a
	 * limit, a license. */
	bool blocked;
	uint64_t priority; /* 0: held */
	int64_t nice;
	double elapsed_s;       /* of a running job */
	double limit_s;         /* HUGE_VAL: none */
	uint32_t limit_set_min; /* that we set at its submission; 0: none */
	double begin_s;         /* since the epoch: it can't start before */
	double accrued_s;       /* since the epoch: its age begins, for Slurm */
	char partition[RUN_NAME_SIZE];          /* the first of several */
	char partitions[RUN_NAME_SIZE];         /* "a,b", perhaps cut */
	char prediction_id[PREDICTION_ID_SIZE]; /* empty: none */
	/* As squeue shows them, for people; empty: none. */
	char id[32]; /* "12_3" of an array */
	char user[32], name[RUN_NAME_SIZE], state[8], reason[32];
};

struct queue_state {
	double now_s;
	size_t count;
	struct queue_entry *of;
};
