/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fifo.h - a queue of items that are linked through themselves
 *
 * The struct of an item begins with a struct fifo_link, so that an item is put
 * and taken without allocation.  Each has a weight (rows, bytes), which bounds
 * what is taken at once.  No lock: the owner has one.
 */
#pragma once

#include <stddef.h>

struct fifo_link {
	struct fifo_link *next; /* NULL: the last of its list */
	size_t weight;
};

struct fifo {
	struct fifo_link *first, **last_next;
	size_t count, weight; /* of all items */
};

void fifo_init(struct fifo *fifo); /* empty */

void fifo_put(struct fifo *fifo, struct fifo_link *item, size_t weight);

/* Take the oldest items as a list: at most `count_max`, and no more than weigh
 * `weight_max` together, but one in any case.  NULL: it is empty. */
void *fifo_take(struct fifo *fifo, size_t count_max, size_t weight_max);

/* Put a list that was taken back in front; NULL is allowed. */
void fifo_return(struct fifo *fifo, struct fifo_link *list);

/* Return what follows on an item in a list; NULL: nothing. */
static inline void *fifo_next(const struct fifo_link *item)
{
	return item->next;
}
