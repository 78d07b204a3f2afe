/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_endpoints.c - sends, receives and collectives in the order of MPI */
#include <stdlib.h>

#include "predictor/trace/trace_endpoints.h"

int trace_endpoint_compare(const struct trace_endpoint *a,
			   const struct trace_endpoint *b)
{
	for (int i = 0; i < 4; i++)
		if (a->key[i] != b->key[i])
			return a->key[i] < b->key[i] ? -1 : 1;
	return 0;
}

static int compare_in_order(const void *a, const void *b)
{
	const struct trace_endpoint *x = a;
	const struct trace_endpoint *y = b;
	int keys = trace_endpoint_compare(x, y);

	return keys ? keys : (x->index > y->index) - (x->index < y->index);
}

/* Return false if the event is of another sort. */
static bool endpoint_of(const struct trace_event *e, int rank,
			enum trace_endpoints sort, struct trace_endpoint *ret)
{
	int32_t key[4] = { rank, e->peer, e->comm, e->tag };

	switch (sort) {
	case TRACE_SENDS:
		if (e->call > CALL_ISEND)
			return false;
		break;
	case TRACE_RECEIVES:
		if (e->call != CALL_RECEIVE)
			return false;
		key[0] = e->peer;
		key[1] = rank;
		break;
	case TRACE_COLLECTIVES:
		if (e->call != CALL_ALL && e->call != CALL_IALL)
			return false;
		key[0] = e->comm;
		key[1] = rank;
		key[2] = key[3] = 0;
		break;
	}
	for (int i = 0; i < 4; i++)
		ret->key[i] = key[i];
	return true;
}

int trace_endpoints_list(const struct trace_event events[], const int first[],
			 int ranks, enum trace_endpoints sort,
			 struct trace_endpoint list[])
{
	int n = 0;

	for (int r = 0; r < ranks; r++)
		for (int g = first[r]; g < first[r + 1]; g++) {
			list[n].index = g;
			n += endpoint_of(&events[g], r, sort, &list[n]);
		}
	qsort(list, n, sizeof(*list), compare_in_order);
	return n;
}
