/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spares.h - a free list of prediction items
 *
 * One thread allocates them and another frees them.  malloc() would return such
 * blocks to the system each time: a system call and a page to clear for each
 * prediction.
 *
 * Private to queue.c.
 */
#pragma once

#include "predictor/base/fifo.h"
#include "predictor/base/ordered_lock.h"

#define SPARES_MAX 1000 /* kept; more are freed */

struct prediction_item;

struct spares {
	struct ordered_lock lock;
	size_t count;
	struct fifo_link *first; /* of a prediction_item */
};

void spares_init(struct spares *spares);
void spares_fini(struct spares *spares); /* frees them */

/* A kept item or a new one; its content is undefined.
 * NULL: out of memory. */
struct prediction_item *spares_take(struct spares *spares);

/* Keep a list of items. */
void spares_give(struct spares *spares, struct prediction_item *list);
