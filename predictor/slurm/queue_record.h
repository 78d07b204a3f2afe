/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_record.h - the queue as squeue prints it, for people */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/run.h"
#include "predictor/slurm/squeue_record.h"

struct queue_record {
	uint32_t job_id; /* of this task or component alone */
	char id[64]; /* "12", "12_[3-9]" of an array, "12+1" of a component */
	char partition[RUN_NAME_SIZE], name[RUN_NAME_SIZE], user[64];
	char account[RUN_NAME_SIZE], qos[RUN_NAME_SIZE];
	char licenses[RUN_LICENSES_SIZE];
	char state[16];   /* "R", "PD" */
	double elapsed_s; /* NAN: it has not started */
	double limit_s;   /* NAN: not known, HUGE_VAL: none */
	double start_s; /* since the epoch, of a job that waits as the backfill
			     scheduler expects it; NAN: not known */
	char nodes[16]; /* how many */
	char reason[64];
	char node_list[RUN_NODES_SIZE]; /* empty: none yet, or too long */
	char prediction_id[PREDICTION_ID_SIZE]; /* empty: none */
};

/* What squeue shall print; NULL: all.  As squeue takes them. */
struct queue_filter {
	const char *users, *partitions, *jobs, *states, *cluster;
	const char *names, *accounts, *qos, *nodes;
	bool me;
};

struct queue_args {
	char format[SQUEUE_FORMAT_SIZE];
	const char *argv[30]; /* ends with NULL */
};

/* Make the command that prints it; the texts are lent to *ret. */
void queue_args_make(const struct queue_filter *filter, struct queue_args *ret);

/* Read the record at *record, in a text that ends at `end`, as
 * squeue_record_read(). */
int queue_record_read(const char **record, const char *end,
		      struct queue_record *ret, struct sp_error *err);
