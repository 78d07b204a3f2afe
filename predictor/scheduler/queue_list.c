/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_list.c - the queue as it was read last, with starts, for readers */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/scheduler/queue_list.h"

struct queue_list *queue_list_create(const struct queue_state *queue,
				     const char *cluster)
{
	struct queue_list *list =
		calloc(1, sizeof(*list) + queue->count * sizeof(list->rows[0]));

	if (!list)
		return NULL;
	atomic_init(&list->references, 1);
	list->now_s = queue->now_s;
	list->count = queue->count;
	memccpy(list->cluster, cluster, '\0', sizeof(list->cluster) - 1);
	for (size_t i = 0; i < queue->count; i++)
		list->rows[i] =
			(struct queue_row){ queue->of[i], { NAN, NAN, NAN } };
	return list;
}

struct queue_list *queue_list_get(struct queue_list *list)
{
	if (list)
		atomic_fetch_add(&list->references, 1);
	return list;
}

void queue_list_put(struct queue_list *list)
{
	if (list && atomic_fetch_sub(&list->references, 1) == 1)
		free(list);
}
