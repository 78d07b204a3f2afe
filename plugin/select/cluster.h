/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster.h - slurmctld's nodes, their place in a snapshot, and what is free
 *
 * slurmctld numbers its nodes, a snapshot names them.  They are matched again
 * for each snapshot and when the table of nodes has changed; what jobs use is
 * counted again when one has started or ended.
 *
 * For one thread at a time, with slurmctld's locks on jobs and nodes held.
 */
#pragma once

#include "predictor/features/job_size.h"
#include "predictor/snapshot/snapshot.h"

/* What is known of the node at that place in slurmctld's table. */
struct cluster_node {
	uint32_t known; /* its number in the snapshot, or SNAPSHOT_NONE */
	uint32_t leaf;  /* its leaf switch, of Slurm or of the snapshot, as in
			   releases.h; SNAPSHOT_NONE: not known */
	uint32_t weight;
	uint16_t cpus; /* that jobs can get */
	bool there;    /* the table may have gaps */

	/* What jobs use. */
	uint16_t used_cpus;
	bool used_gres;
	uint64_t used_memory_mb;
};

struct cluster {
	uint32_t count; /* places in the table */
	uint32_t room;  /* that `nodes` and `order` have */
	struct cluster_node *nodes;
	uint32_t *order; /* of places: by weight, as Slurm takes them */
	uint32_t there;  /* nodes in `order` */

	/* The snapshot that `known` is of. */
	uint64_t epoch, version;

	double counted_s; /* when `used` was counted; 0: must be again */
};

/* All zero is a cluster of which nothing is known yet. */
void cluster_clear(struct cluster *cluster); /* frees; may be called twice */

/* Bring all of it up to date.  -1: out of memory, or there are no nodes. */
int cluster_update(struct cluster *cluster, const struct snapshot *snapshot);

/* A job began, ended or changed: what is used must be counted again. */
void cluster_jobs_changed(struct cluster *cluster);

/* Find what the node has free for jobs; nothing for one that must be `whole`
 * and is in use. */
void cluster_room(const struct cluster *cluster, uint32_t place, bool whole,
		  struct node_room *ret);

/* Return whether it is still the node by that name in the snapshot. */
bool cluster_is(const struct cluster *cluster, uint32_t place,
		const struct snapshot *snapshot);
