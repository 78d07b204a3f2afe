/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stock_sets.h - the nodes that stock select/cons_tres takes
 *
 * As 22.05 has it (_eval_nodes_consec(), _eval_nodes_lln(); newer releases do
 * the same): nodes of the least weight first; of these the smallest run of
 * neighbouring nodes that is enough, else the largest, then the next; within a
 * run the first nodes.  Not taken into account: topology plugins, generic
 * resources in use, reservations.
 *
 * Pure; a few passes over all nodes.
 */
#pragma once

#include "predictor/features/node_facts.h"

struct stock_request {
	const struct node_facts *facts; /* arranged */
	const bool *open; /* of each node: the job may have it, it has room */
	const uint32_t *idle; /* CPUs of each node */
	bool *taken;          /* likewise, scratch; at first the required nodes
				 are true, the others false */
	uint32_t nodes;       /* in all; at least the required ones */
	uint32_t cpus;        /* over all nodes */
};

/* Each fills `ret` with positions in facts->nodes, request->nodes at most, and
 * returns how many: fewer if fewer are open.  `taken` is true for
 * these then. */
uint32_t stock_first(const struct stock_request *request, uint32_t *ret);
uint32_t stock_least_loaded(const struct stock_request *request, uint32_t *ret);

/* Open nodes one after the other, with this share of the others before them (0:
 * the first, 1: the last). */
uint32_t stock_at(const struct stock_request *request, double share,
		  uint32_t *ret);
