/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_orders.h - the order of ranks on the nodes of jobs that began here
 *
 * When a job starts, the collector of its first node asks predictd for an
 * order of its ranks.  One that is known comes at once; one that has to be
 * computed is asked for again, less and less often, for a minute.  What comes
 * is written to SPOOL/hosts/JOBID, for the SPANK plugin and for `srun -m
 * arbitrary`: # slurm-predict mode=act gain=1.25 n3 n1 Rank after rank, the
 * node; '#' begins a comment for srun, too.  Nothing waits for it, and without
 * one nothing is set.
 */
#pragma once

#include "collectors/daemon/sender.h"
#include "collectors/runs/events.h"
#include "predictor/wire/wire.h"

#define JOB_ORDERS_MAX       32 /* jobs that are asked for */
#define JOB_ORDERS_TEXT_SIZE 65536

struct job_orders;

/* Return NULL if memory is exhausted.  `folder` is lent. */
struct job_orders *job_orders_create(int folder);
void job_orders_destroy(struct job_orders *orders);

/* Ask for the first time, if the job began on this node and has several. */
void job_orders_started(struct job_orders *orders, struct sender *sender,
			const struct job_event *event, double now_s);
void job_orders_ended(struct job_orders *orders, uint32_t job_id);

/* When job_orders_run() has something to do (monotonic clock);
 * HUGE_VAL: never. */
double job_orders_at_s(const struct job_orders *orders);
void job_orders_run(struct job_orders *orders, struct sender *sender,
		    double now_s);

/* The file's text, from a reply that is ready: its length; 0: nobody may see
 * it, or it is not as it should be. */
size_t job_order_text(struct json_object *reply,
		      char ret[JOB_ORDERS_TEXT_SIZE]);
