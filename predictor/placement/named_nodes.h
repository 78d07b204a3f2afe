/* SPDX-License-Identifier: GPL-2.0-or-later */
/* named_nodes.h - the nodes that a user requires or excludes, as flags
 *
 * A user may name tens of thousands, and looking them up takes milliseconds: it
 * is done before any lock that others wait for.
 */
#pragma once

#include "predictor/base/hostlist.h"
#include "predictor/features/node_facts.h"
#include "predictor/snapshot/snapshot.h"

struct named_nodes {
	bool *out; /* of each node of the snapshot: excluded; NULL: none is */
	/* For each node of the facts; NULL: none is. */
	bool *excluded, *required;
	uint32_t required_count;
	bool strange; /* one is required that Slurm did not describe */
};

/* `required` and `excluded`: NULL or empty: none; `snapshot`, `facts`: NULL:
 * not known.  -1: out of memory; to be cleared in any case. */
int named_nodes_find(const struct snapshot *snapshot,
		     const struct node_facts *facts,
		     const struct hostlist *required,
		     const struct hostlist *excluded, struct named_nodes *ret);
void named_nodes_clear(struct named_nodes *named);
