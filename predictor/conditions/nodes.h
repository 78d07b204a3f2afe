/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.h - measurements and forecasts of all nodes
 *
 * A node is known by its cluster and name, and by its position, which stays.
 * Conditions are forecast from what was measured up to a given time, as
 * the mean over a horizon from there; later measurements and expired ones do
 * not count.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/base/hostlist.h"
#include "predictor/conditions/links.h"
#include "predictor/conditions/resource.h"
#include "predictor/features/subject.h"
#include "predictor/features/link.h"
#include "predictor/features/node_facts.h"

#define NODES_NONE UINT32_MAX

enum node_resource {
	NODE_CPU_LOAD,
	NODE_CPU_AVAILABLE,
	NODE_CPU_AVAILABLE_NOW,
	NODE_CPU_SPEED,
	NODE_MEMORY,
	NODE_HOST_NODES,
	NODE_RESOURCES
};

struct node_resource_kind {
	const char *name;    /* as in struct measurement */
	size_t offset;       /* of the double there */
	double high;         /* values are 0 to this */
	double expiry_min_s; /* values expire after this, or later */
};

extern const struct node_resource_kind node_resources[NODE_RESOURCES];

struct nodes;
struct leaves; /* leaves.h */

struct nodes *nodes_create(void); /* NULL: out of memory */
void nodes_destroy(struct nodes *nodes);

/* --- Measurements --------------------------------------------------------- */

/* Add a measurement; a node is made for a new name.  Values that are NAN were
 * not measured; others must be finite and not below zero.  Fails on a bad
 * measurement and when there are too many nodes. */
int nodes_measure(struct nodes *nodes, const char *cluster,
		  const struct measurement *m, struct sp_error *err);

/* The same for a link; nodes are made for new names. */
int nodes_measure_link(struct nodes *nodes, const char *cluster,
		       const struct link_measurement *m, struct sp_error *err);

/* Between these two the past is reloaded by nodes_reload() in the order of
 * times.  New measurements wait meanwhile: for two minutes at most, then the
 * past is ignored. */
void nodes_reload_begin(struct nodes *nodes);
void nodes_reload_end(struct nodes *nodes);

/* What was measured before; left out where something newer is known. */
int nodes_reload(struct nodes *nodes, const char *cluster,
		 const struct measurement *m, struct sp_error *err);
int nodes_reload_speed(struct nodes *nodes, const char *cluster,
		       const char *name, double time_s, double speed,
		       struct sp_error *err); /* of its CPUs, once */
int nodes_reload_link(struct nodes *nodes, const char *cluster,
		      const struct link_measurement *m, struct sp_error *err);

/* --- Each node ----------------------------------------------------------- */

uint32_t nodes_count(const struct nodes *nodes);

/* Return NODES_NONE if it is not known. */
uint32_t nodes_find(const struct nodes *nodes, const char *cluster,
		    const char *name);

struct node_view {
	const char *cluster, *name; /* lent */
	double time_s; /* of the newest measurement; -HUGE_VAL: none */
	bool fresh;    /* something measured has not expired */
	struct resource_forecast of[NODE_RESOURCES]; /* NAN: not known */
};

/* How the node at a position below nodes_count() will be over horizon_s from
 * time_s on. */
void nodes_view(const struct nodes *nodes, uint32_t position, double time_s,
		double horizon_s, struct node_view *ret);

/* One resource of it; 20 ns while nothing new was measured, else 2 us. */
void nodes_forecast(const struct nodes *nodes, uint32_t position,
		    enum node_resource resource, double time_s,
		    double horizon_s, struct resource_forecast *ret);

/* Samples of one resource, NULL: it was never measured.  Lent until the next
 * change. */
const struct resource *nodes_resource(const struct nodes *nodes,
				      uint32_t position,
				      enum node_resource resource);

/* The leaf switches of nodes, of later ones too; owned by `nodes` from then on.
 * NULL: not known.  A node for which memory is missing is on no leaf. */
void nodes_set_leaves(struct nodes *nodes, struct leaves *leaves);

/* Return the links between them, by positions. */
struct links *nodes_links(const struct nodes *nodes);

/* What the kernel does with a process that sleeps and wakes up on a CPU that it
 * shares.  Measured when collectord starts, and after a new kernel: the newest
 * value holds until there is another.  NAN: never measured. */
struct node_scheduler {
	double turn_s, credit_s; /* as in struct measurement */
};

struct node_scheduler nodes_scheduler(const struct nodes *nodes,
				      uint32_t position);

/* Return the median over nodes of a cluster, of many nodes over some of them;
 * NAN: none of these was measured.  A few microseconds. */
struct node_scheduler nodes_scheduler_median(const struct nodes *nodes,
					     const char *cluster);

/* --- Node sets ----------------------------------------------------------- */

/* Assumed for a job whose run time is not known. */
#define NODES_HORIZON_S 300.0

/* Conditions over the nodes of `list` (NULL: none), and the links between them,
 * over horizon_s from time_s on.  Nodes without a fresh measurement do not
 * count.  `work`: what each node of the list has to do, as a share of the most;
 * NULL: all the same.  The least available node is the one that gives least
 * for it. */
void nodes_conditions(const struct nodes *nodes, const char *cluster,
		      const struct hostlist *list, const double *work,
		      double time_s, double horizon_s, struct conditions *ret);

/* The same node by node and link by link.  ret->of points into *ret, and to
 * `nodes`, which must not change meanwhile. */
struct nodes_job_view {
	struct job_nodes of;
	const struct nodes *nodes;
	double time_s;
	uint32_t at[PROFILE_NODES_MAX]; /* positions; NODES_NONE: not known */
};

/* Return -1 if the list has no node, or more than PROFILE_NODES_MAX, or no
 * node has a fresh measurement. */
int nodes_view_job(const struct nodes *nodes, const char *cluster,
		   const struct hostlist *list, double time_s, double horizon_s,
		   struct nodes_job_view *ret);

/* --- Lists ------------------------------------------------------------- */

struct node_name {
	const char *cluster, *name; /* lent */
};

struct node_name nodes_name(const struct nodes *nodes, uint32_t position);

struct nodes_node {
	uint32_t position;
	const char *cluster;
	struct measurement last; /* the newest values, each NAN if never
				    measured */
	bool fresh;
};

/* Find the newest of one node. */
void nodes_newest(const struct nodes *nodes, uint32_t position, double time_s,
		  struct nodes_node *ret);

/* All nodes in the order of cluster and name. */
void nodes_visit(const struct nodes *nodes, double time_s,
		 void (*visit)(void *context, const struct nodes_node *node),
		 void *context);
