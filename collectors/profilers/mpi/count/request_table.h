/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request_table.h - calls of MPI that are under way, by their request
 *
 * MPI gives a request's handle to a new one as soon as the first is done, so an
 * entry goes when its request does.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PENDING_MAX 65536 /* at a time */

enum pending_call { PENDING_SEND, PENDING_RECEIVE, PENDING_ALL };

struct pending {
	uintptr_t request; /* 0: no entry */
	uint64_t bytes;    /* of PENDING_SEND */
	struct communicator *comm;
	int32_t peer; /* in comm; of PENDING_ALL the number in the trace */
	int32_t tag;
	enum pending_call call;
	bool any;        /* receives from any source */
	bool persistent; /* stays until it is freed */
	bool active;
};

/* All 0: empty. */
struct request_table {
	struct pending *entries;
	size_t size; /* a power of two, or 0 */
	size_t count;
};

/* An entry for a request that has none; -1: there are too many, or
 * no memory. */
int request_table_add(struct request_table *table, const struct pending *entry);

/* Return NULL if there is none.  Valid until the next call of the others. */
struct pending *request_table_find(const struct request_table *table,
				   uintptr_t request);

void request_table_remove(struct request_table *table, uintptr_t request);
void request_table_clear(struct request_table *table);
