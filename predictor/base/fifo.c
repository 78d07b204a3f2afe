/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fifo.c - a queue of items that are linked through themselves */
#include "predictor/base/fifo.h"

void fifo_init(struct fifo *fifo)
{
	*fifo = (struct fifo){ .last_next = &fifo->first };
}

void fifo_put(struct fifo *fifo, struct fifo_link *item, size_t weight)
{
	*item = (struct fifo_link){ .weight = weight };
	*fifo->last_next = item;
	fifo->last_next = &item->next;
	fifo->count++;
	fifo->weight += weight;
}

void *fifo_take(struct fifo *fifo, size_t count_max, size_t weight_max)
{
	struct fifo_link *list = fifo->first, *item = list;
	struct fifo_link **end = &list;
	size_t count = 0, weight = 0;

	while (item && (!count || (count < count_max &&
				   weight + item->weight <= weight_max))) {
		count++;
		weight += item->weight;
		end = &item->next;
		item = item->next;
	}
	*end = NULL;
	fifo->first = item;
	if (!item)
		fifo->last_next = &fifo->first;
	fifo->count -= count;
	fifo->weight -= weight;
	return list;
}

void fifo_return(struct fifo *fifo, struct fifo_link *list)
{
	struct fifo_link *head = list, **end = &head;

	while (*end) {
		fifo->count++;
		fifo->weight += (*end)->weight;
		end = &(*end)->next;
	}
	if (end == &head)
		return;
	*end = fifo->first;
	if (!fifo->first)
		fifo->last_next = end;
	fifo->first = list;
}
