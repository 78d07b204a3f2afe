/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_columns.h - jobs of the queue as a table or as JSON */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/describe.h"
#include "predictor/slurm/queue_record.h"

/* They fit into 80 characters where ids are short. */
#define QUEUE_COLUMNS_DEFAULT "id,name,user,state,expected,start,end,where"

/* A job and what predictd says of it; NAN: not known. */
struct queue_job {
	struct queue_record record;
	char cluster[RUN_NAME_SIZE];
	char basis[16]; /* of its prediction; empty: there is none */
	bool guess;     /* prediction_is_guess() */
	bool unbounded; /* of a prediction that is far outside of all runs */
	double median_s, quantile_s;
	double remaining_s, remaining_high_s;
	double overrun; /* probability that it reaches its limit */
	double start_s, start_low_s, start_high_s; /* of one that waits */
};

/* What predictd says, as it is sent. */
extern const struct field queue_times_fields[];

struct queue {
	uint32_t count, capacity;
	struct queue_job *jobs;
	double now_s; /* when squeue printed them */
	bool brief;   /* short times, and cells cut to the terminal's width */
};

struct queue_column; /* of a table with names */

#define QUEUE_COLUMNS_MAX 32

/* The columns of a list of names, ret ends with NULL. */
int queue_columns_parse(const char *list,
			const struct queue_column *ret[QUEUE_COLUMNS_MAX + 1],
			struct sp_error *err);

int queue_print_table(const struct queue *q,
		      const struct queue_column *const shown[],
		      struct sp_error *err);
/* Add the jobs to a reply and print it. */
void queue_print_json(const struct queue *q, struct json_object *reply);
