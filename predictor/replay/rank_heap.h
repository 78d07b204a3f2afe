/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_heap.h - small numbers, the one with the least key first
 *
 * A binary heap that knows where each number is, so that keys may change.
 * With equal keys the smaller number comes first.  Several heaps may share
 * `keys` and `positions` if no number is in two of them.  The caller owns
 * the arrays.
 */
#pragma once

struct rank_heap {
	int count;
	int *items;     /* [most at a time] */
	int *positions; /* [numbers]: of those in the heap */
	double *keys;   /* [numbers] */
};

/* The number is not in the heap. */
void rank_heap_add(struct rank_heap *heap, int item, double key);

/* The number is in the heap. */
void rank_heap_change(struct rank_heap *heap, int item, double key);
void rank_heap_remove(struct rank_heap *heap, int item);
