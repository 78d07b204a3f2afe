/* SPDX-License-Identifier: GPL-2.0-or-later */
/* roster.h - the nodes that take part in probes of links
 *
 * A collectord that polls the roster is added to it, and removed when it
 * has not polled for long.  A node that is down for a while keeps its
 * place: else the schedule of all others would change.  With the nodes
 * goes Slurm's topology, so that all collectors compute the same
 * schedule (collectors/probes).
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/probe_roster.h"

#define ROSTER_NODES_MAX 65536

struct roster;

/* `topology_path`: a topology.conf that is read again when it changes; NULL or
 * empty: none.  NULL: out of memory. */
struct roster *roster_create(const char *topology_path);
void roster_destroy(struct roster *roster);

/* Add or renew `node` (empty: neither), and give the roster of the cluster.
 * `now_s` is of the monotonic clock.  The caller frees ret->nodes and
 * ret->topology with probe_roster_clear(); they are NULL if `known` is the id
 * of the roster. */
int roster_poll(struct roster *roster, const char *cluster, const char *node,
		const char *known, double now_s, struct probe_roster *ret,
		struct sp_error *err);
