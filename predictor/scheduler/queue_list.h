/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_list.h - the queue as it was read last, with starts, for readers
 *
 * Plain data that does not change any more.  Several threads may read it, each
 * with a reference of its own.
 */
#pragma once

#include <stdatomic.h>

#include "predictor/features/queue_state.h"
#include "predictor/scheduler/start_times.h"

struct queue_row {
	struct queue_entry entry;
	struct start_time start; /* since the epoch; NAN: not known */
};

struct queue_list {
	atomic_uint references;
	double now_s; /* when squeue printed it */
	char cluster[RUN_NAME_SIZE];
	size_t count;
	struct queue_row rows[]; /* in the order of queue_state */
};

/* Make a list without starts; NULL: out of memory. */
struct queue_list *queue_list_create(const struct queue_state *queue,
				     const char *cluster);

struct queue_list *queue_list_get(struct queue_list *list); /* or NULL */
void queue_list_put(struct queue_list *list);
