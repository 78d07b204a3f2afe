/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_heap.c - small numbers, the one with the least key first */
#include <stdbool.h>

#include "predictor/replay/rank_heap.h"

static bool is_before(const struct rank_heap *h, int a, int b)
{
	return h->keys[a] < h->keys[b] || (a < b && h->keys[a] == h->keys[b]);
}

static void put(struct rank_heap *h, int position, int item)
{
	h->items[position] = item;
	h->positions[item] = position;
}

/* The item belongs at the position or nearer to the first. */
static void sift_up(struct rank_heap *h, int position, int item)
{
	while (position > 0) {
		int above = (position - 1) / 2;

		if (!is_before(h, item, h->items[above]))
			break;
		put(h, position, h->items[above]);
		position = above;
	}
	put(h, position, item);
}

static void sift_down(struct rank_heap *h, int position, int item)
{
	for (;;) {
		int below = 2 * position + 1;

		if (below >= h->count)
			break;
		if (below + 1 < h->count &&
		    is_before(h, h->items[below + 1], h->items[below]))
			below++;
		if (!is_before(h, h->items[below], item))
			break;
		put(h, position, h->items[below]);
		position = below;
	}
	put(h, position, item);
}

void rank_heap_add(struct rank_heap *heap, int item, double key)
{
	heap->keys[item] = key;
	sift_up(heap, heap->count++, item);
}

void rank_heap_change(struct rank_heap *heap, int item, double key)
{
	double before = heap->keys[item];

	heap->keys[item] = key;
	if (key < before)
		sift_up(heap, heap->positions[item], item);
	else
		sift_down(heap, heap->positions[item], item);
}

void rank_heap_remove(struct rank_heap *heap, int item)
{
	int position = heap->positions[item];
	int last = heap->items[--heap->count];

	if (last == item)
		return;
	if (is_before(heap, last, item))
		sift_up(heap, position, last);
	else
		sift_down(heap, position, last);
}
