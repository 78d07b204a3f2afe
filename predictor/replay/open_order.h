/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open_order.h - what a server did for each message, to be done in any order
 *
 * A block goes from a receive with a wildcard to the next one of the rank, a
 * collective or the end.  Blocks that follow each other are a section, inside
 * which those of different sources may change places.
 */
#pragma once

#include "predictor/trace/matched_trace.h"

struct open_section {
	int end; /* the event after its last block */
	int heads_count;
	int *heads; /* of each source the first block that is left */
};

struct open_order {
	int *section; /* [events]: of a receive with a wildcard, else -1 */
	int *next;    /* [events]: of a block, the next of its source; or -1 */
	int *heads;   /* of all sections */
	struct open_section *sections;
};

/* -1 without memory. */
int open_order_create(const struct matched_trace *trace,
		      struct open_order *ret);
void open_order_clear(struct open_order *order);

/* The block at position `head` of the section is begun. */
void open_order_take(struct open_order *order, int section, int head);
