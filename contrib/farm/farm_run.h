/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_run.h - the two sides of a farm, and what they share
 *
 * The master sends TAG_CHUNK, or TAG_END when all tasks of the iteration are
 * collected, and TAG_STOP after the last one; a worker replies to each chunk
 * with one TAG_RESULT.  Messages carry the iteration's number, so that late
 * results are not taken for new ones.
 */
#pragma once

#include "contrib/farm/farm_estimate.h"
#include "contrib/farm/farm_message.h"
#include "contrib/farm/predict_farm.h"
#include "predictor/farm/farm_policy.h"

enum { TAG_CHUNK = 1, TAG_END, TAG_STOP, TAG_RESULT };

/* A worker, as the master sees it. */
struct worker {
	struct message chunk; /* that it has, if busy */
	MPI_Request request;  /* of the send; MPI_REQUEST_NULL: none */
	double sent_s;        /* MPI_Wtime() */
	bool busy;            /* has to reply */
	bool silent;          /* has not, for longer than the patience */
	bool resting;         /* in this iteration */
	double l_s;           /* it computed for, in this iteration */
	int tasks;            /* it did */
};

struct predict_farm {
	MPI_Comm comm;
	int rank, workers_count;
	uint32_t iteration; /* from 1 */
	const struct farm_policy *policy;
	struct predict_farm_options options;

	struct message received;
	struct message reply; /* of a worker; has room for a head always */

	/* At the master. */
	struct worker *workers; /* [workers_count]; rank i + 1 */
	struct farm_estimate estimate;
	double factor; /* of fsc and dpf, for the next iteration */
	int worth;     /* workers, for the next iteration; 0: all */
	struct predict_farm_report report;
};

struct predict_farm_result {
	struct message *message;
};

/* 0; -1: tasks are lost. */
int farm_master(struct predict_farm *farm,
		const struct predict_farm_program *program, int tasks);

/* The partition factor of the next iteration, from what workers did in
 * this one. */
void farm_tune(struct predict_farm *farm, const struct farm *f,
	       const struct message_costs *costs,
	       const struct handout_rules *rules);

/* As predict_farm_run(). */
int farm_worker(struct predict_farm *farm,
		const struct predict_farm_program *program);

/* Wait for a message, from anybody with any tag, without keeping a CPU busy for
 * long: others may use it.  False: none came until `until_s` of MPI_Wtime(); 0:
 * for ever. */
bool farm_wait(MPI_Comm comm, double until_s, MPI_Message *ret_message,
	       MPI_Status *ret_status);

/* Receive it.  -1: out of memory; the message is lost. */
int farm_receive(MPI_Comm comm, MPI_Message *message, const MPI_Status *status,
		 struct message *ret);
