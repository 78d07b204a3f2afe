/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waiting.h - jobs that were predicted and have not ended, for schedulers
 *
 * A running job stays in, since it may be requeued.  No message comes for a
 * job that Slurm rejects, or that is cancelled while it waits: it is dropped
 * when newer ones need its place, and schedulers have it for WAITING_S only.
 */
#pragma once

#include "predictor/engine/records.h"
#include "predictor/features/prediction.h"
#include "predictor/features/run.h"
#include "predictor/snapshot/snapshot.h"

#define WAITING_MAX       16384
#define WAITING_BYTES_MAX (2u << 20)

/* Longer than jobs wait for nodes at nearly all sites.  One that waits longer
 * is placed by conditions alone. */
#define WAITING_S (14 * 86400.0)

struct records *waiting_create(void); /* NULL: out of memory */

/* Who decides on the nodes of a job. */
struct waiting_placing {
	bool free;   /* the user names none */
	bool placed; /* our select plugin */
};

/* A prediction made at a submission.  Out of memory: left out, so that the job
 * is placed by conditions alone. */
void waiting_put(struct records *waiting, const struct prediction *p,
		 const struct placement_model *model,
		 const struct waiting_placing *placing);

/* The job has been predicted again: replace the model but for its curve. */
void waiting_renew(struct records *waiting, const char *prediction_id,
		   const struct placement_model *model);

/* Return -1 if it is not there. */
int waiting_find(const struct records *waiting, const char *prediction_id,
		 struct placement_model *ret);
int waiting_find_placing(const struct records *waiting,
			 const char *prediction_id,
			 struct waiting_placing *ret);

/* The run of a job has ended, and the job will not wait again.  Nothing happens
 * if the prediction that it names is not of its user and cluster. */
void waiting_end(struct records *waiting, const struct run *run);

/* List the jobs of a cluster that have not ended nor expired at `now_s`; `ret`
 * has room for WAITING_MAX.  Gives how many. */
uint32_t waiting_list(const struct records *waiting, const char *cluster,
		      double now_s, struct snapshot_job *ret);
