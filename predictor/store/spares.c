/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spares.c - a free list of prediction items */
#include <stdlib.h>

#include "predictor/store/queue.h"
#include "predictor/store/spares.h"

static void free_list(struct fifo_link *list)
{
	while (list) {
		struct fifo_link *item = list;

		list = item->next;
		free(item);
	}
}

void spares_init(struct spares *spares)
{
	*spares = (struct spares){ 0 };
	ordered_lock_init(&spares->lock, LOCK_SPARES);
}

void spares_fini(struct spares *spares)
{
	free_list(spares->first);
	ordered_lock_destroy(&spares->lock);
}

struct prediction_item *spares_take(struct spares *spares)
{
	ordered_lock_take(&spares->lock);
	struct fifo_link *item = spares->first;

	if (item) {
		spares->first = item->next;
		spares->count--;
	}
	ordered_lock_give(&spares->lock);
	return item ? (struct prediction_item *)item
		    : malloc(sizeof(struct prediction_item));
}

void spares_give(struct spares *spares, struct prediction_item *list)
{
	struct fifo_link *rest = list ? &list->link : NULL;

	ordered_lock_take(&spares->lock);
	while (rest && spares->count < SPARES_MAX) {
		struct fifo_link *item = rest;

		rest = item->next;
		item->next = spares->first;
		spares->first = item;
		spares->count++;
	}
	ordered_lock_give(&spares->lock);
	free_list(rest);
}
