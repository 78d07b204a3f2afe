/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_facts.h - what Slurm's configuration says of the nodes of a cluster
 *
 * Most clusters have a few kinds of nodes, equal but for their names, so what
 * a job may have is decided once for each kind, not for each node.
 *
 * Filled once, by node_facts_add() and node_facts_arrange(); then it does not
 * change any more, and threads share it by references.
 */
#pragma once

#include <stdatomic.h>

#include "predictor/base/error.h"
#include "predictor/base/hostlist.h"
#include "predictor/base/index.h"
#include "predictor/features/constraint.h"
#include "predictor/features/gres.h"
#include "predictor/features/run.h"
#include "predictor/features/submission.h"

#define NODE_FACTS_MAX       65536 /* nodes */
#define NODES_MAX            40000 /* measured: 14 KB for each resource */
#define NODE_FACTS_TEXT_SIZE 4096
#define NODE_FACTS_NONE      UINT32_MAX

/* A node as Slurm describes it; empty texts: none. */
struct node_properties {
	char name[HOSTLIST_NAME_SIZE];
	uint32_t cpus;    /* that jobs may have; 0: not known */
	double memory_mb; /* likewise */
	uint32_t weight;  /* Slurm takes nodes of a lower weight first */
	bool closed;      /* down, drained or reserved: no job starts there */
	char features[NODE_FACTS_TEXT_SIZE];   /* active ones, "a,b" */
	char gres[NODE_FACTS_TEXT_SIZE];       /* "gpu:a100:4(S:0-1)" */
	char partitions[NODE_FACTS_TEXT_SIZE]; /* "main,debug" */
};

/* Nodes that are equal in all of this. */
struct node_kind {
	uint32_t count; /* of nodes */
	uint32_t cpus;
	double memory_mb;
	bool closed;
	const char *features, *gres, *partitions; /* in `texts` */
	struct gres_list gres_list;
	char *texts;
};

struct node_facts_node {
	char name[HOSTLIST_NAME_SIZE];
	uint32_t kind;
	uint32_t weight;
	uint32_t position; /* in slurmctld's table of nodes */
	uint32_t place; /* in the order in which Slurm takes nodes: by weight,
			   then as slurmctld has them */
};

struct node_facts {
	atomic_uint references;
	char cluster[RUN_NAME_SIZE];
	bool least_loaded; /* jobs get the nodes with the most idle CPUs, not
			      the first ones: CR_LLN */
	bool jobs_public;  /* users may see the jobs of others */
	bool nodes_hidden; /* users may not see the state of nodes */
	uint32_t reservations; /* jobs with a planned start; 0: all */
	bool memory_unadvised; /* they get no advice on memory */
	uint32_t count;
	struct node_facts_node *nodes; /* sorted by strcmp(), once arranged */
	uint32_t *by_place;            /* the node at each place */
	uint32_t kind_count;
	struct node_kind *kinds;

	/* For adding: */
	uint32_t capacity, kind_capacity;
	struct index kind_index;
};

/* One reference is the caller's.  NULL: out of memory. */
struct node_facts *node_facts_create(const char *cluster);

/* NULL is allowed; returns `facts`. */
struct node_facts *node_facts_get(struct node_facts *facts);
void node_facts_put(struct node_facts *facts);

/* Add the next node in slurmctld's order. */
int node_facts_add(struct node_facts *facts, const struct node_properties *node,
		   struct sp_error *err);

/* All have been added.  -1: a node was added twice, or out of memory. */
int node_facts_arrange(struct node_facts *facts, struct sp_error *err);

/* Return the position of a node in `nodes`, once arranged;
 * NODE_FACTS_NONE: none. */
uint32_t node_facts_find(const struct node_facts *facts, const char *name);

/* What a job requires of each of its nodes.  A node that lacks any of it cannot
 * be one of the job's nodes, whatever else runs there. */
struct node_demand {
	struct constraint constraint; /* on the node's features */
	struct gres_list gres;        /* at least */
	uint32_t cpus;                /* at least, never 0 */
	double memory_mb;             /* at least; 0: none requested */
	bool exclusive;               /* no other job on the node */
};

void node_demand_of(const struct submission *job, struct node_demand *ret);

/* Which kinds of nodes the job may have: those in one of its partitions
 * ("a,b"; NULL or empty: any), with the features, generic resources, CPUs and
 * memory that it demands of each node.  Those that are closed count only where
 * all of these are.  ret_allowed has kind_count elements.  What is not known of
 * a kind excludes it from nothing. */
void node_facts_allow(const struct node_facts *facts,
		      const struct node_demand *demand, const char *partition,
		      bool ret_allowed[]);

/* Return whether the nodes that the job may have, closed ones too, have room
 * for it when they are idle: if not, it can never start.  True if no node is in
 * its partition, which may be a new one. */
bool node_facts_hold(const struct node_facts *facts,
		     const struct node_demand *demand, const char *partition,
		     const struct job_size *size);

/* CPUs of a node of the most frequent kind that the job may have; 0: not
 * known. */
uint32_t node_facts_cpus_per_node(const struct node_facts *facts,
				  const struct node_demand *demand,
				  const char *partition);
