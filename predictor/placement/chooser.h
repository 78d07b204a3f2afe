/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chooser.h - the nodes of a snapshot as candidates for a job, and the best set
 *
 * A chooser serves one request after another, from one thread at a time.  It
 * owns all memory that a ranking takes and keeps it for the next request: about
 * 150 bytes for each node, and 200 KB.  Nothing is allocated unless a snapshot
 * has more nodes than any before.
 *
 * A choice of a few nodes takes about 5 us with 64 nodes in the snapshot, 50 us
 * with 1,000 and 0.4 ms with 10,000; where links between leaf switches matter
 * up to 1 ms more (rank.h).
 */
#pragma once

#include "predictor/base/hostlist.h"
#include "predictor/features/node_facts.h"
#include "predictor/placement/rank.h"

/* The rest of a longer list of required nodes is ignored. */
#define CHOOSER_REQUIRED_MAX 4096

struct chooser;

struct chooser *chooser_create(void);    /* NULL: out of memory */
void chooser_destroy(struct chooser *c); /* NULL is allowed */

/* All that is pointed to is lent until the next request. */
struct chooser_request {
	struct snapshot *snapshot; /* with its `order`; NULL: no node is known.
				      A reference is kept */
	const struct placement_model *model;
	uint32_t nodes; /* to choose; at least those required are */
	uint32_t tasks_per_node;
	const struct hostlist *required; /* NULL: none */
	const struct hostlist *excluded; /* likewise */
	const bool *left_out; /* of each node of the snapshot; NULL: none */

	/* Slurm's facts of its nodes (NULL: not known): only those that the
	 * job may have are candidates, besides those required. */
	struct node_facts *facts;
	const struct node_demand *demand; /* NULL: none */
	const char *partition;            /* NULL or empty: any */

	bool known_only; /* a node without a fresh forecast is a candidate only
			    if it is required */
	bool or_fewer;   /* if candidates are fewer than nodes: all of them */
};

/* Begin with a request.  -1: out of memory; the chooser serves no request. */
int chooser_begin(struct chooser *c, const struct chooser_request *request);

/* Leave nodes out, or let them in again, whether excluded or not. */
void chooser_leave_out(struct chooser *c, const struct hostlist *list,
		       bool left_out);

/* Leave a node out by its position in the request's facts. */
void chooser_leave_out_fact(struct chooser *c, uint32_t fact);

/* Choose the best set; of equal ones the first in Slurm's order of nodes where
 * that is known, else in the order of names.  -1: there is none. */
int chooser_best(struct chooser *c, struct rank_set *ret);

/* Find the names of the set chosen last, those required first.  Lent until the
 * next choice. */
void chooser_names(struct chooser *c, struct hostlist *ret);

/* Leave out what was chosen last, but for required nodes.  False: all of it was
 * required, there is no other set. */
bool chooser_next(struct chooser *c);

/* Find what a given set is worth; its nodes are let in again.  -1: it is
 * empty, has a node twice or one that the snapshot does not know, or is larger
 * than CHOOSER_REQUIRED_MAX. */
int chooser_evaluate(struct chooser *c, const struct hostlist *set,
		     struct rank_set *ret);
