/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resources.h - lists of nodes, links and their series
 *
 * What is forecast of nodes and links is read for a few of them at a time under
 * the engine's lock: predictions need not wait while thousands are listed.
 */
#pragma once

#include "predictor/engine/engine.h"
#include "predictor/conditions/speeds.h"

#define RESOURCES_HISTORY_MAX SERIES_SAMPLES_MAX

/* --- Nodes ---------------------------------------------------------------- */

struct engine_node {
	char cluster[RUN_NAME_SIZE];
	struct measurement last;
	bool fresh; /* young enough to be used */
	struct resource_forecast of[NODE_RESOURCES]; /* over the horizon */
	unsigned stuck, jumping; /* sensors; bit i: resource i */
	struct node_speed speed;
	enum node_resource history_of;
	int history_count;
	float history[RESOURCES_HISTORY_MAX]; /* the oldest first */
};

struct engine_nodes_query {
	const char *cluster; /* NULL or empty: all */
	double now_s, horizon_s;
	bool slow; /* only those that are */
	/* So many of the last samples of this. */
	int history;
	enum node_resource history_of;
	size_t offset, limit; /* in the order of cluster and name */
};

/* `ret` has room for query->limit.  -1: out of memory. */
int engine_list_nodes(struct engine *engine,
		      const struct engine_nodes_query *query,
		      struct engine_node *ret, size_t *ret_count,
		      size_t *ret_total, struct sp_error *err);

/* How many there are that count now, and how many that are slow. */
struct engine_resources {
	size_t nodes_fresh, nodes_slow, links_fresh;
	size_t nodes_spool_full; /* of the fresh ones */
	double spool_failed;     /* files, over the fresh nodes */
	double cpu_available;    /* likewise, the mean; NAN: not known */
};

int engine_count_resources(struct engine *engine, double now_s,
			   struct engine_resources *ret, struct sp_error *err);

/* --- Links ---------------------------------------------------------------- */

struct engine_link {
	char cluster[RUN_NAME_SIZE];
	char from[HOSTLIST_NAME_SIZE], to[HOSTLIST_NAME_SIZE];
	bool fresh;
	struct link_forecast forecast;
};

struct engine_links_query {
	const char *cluster, *node; /* NULL or empty: all; one of its ends */
	double now_s;
	size_t offset, limit; /* in the order of their first report */
};

void engine_list_links(struct engine *engine,
		       const struct engine_links_query *query,
		       struct engine_link *ret, size_t *ret_count,
		       size_t *ret_total);

/* --- Series --------------------------------------------------------------- */

#define RESOURCES_HORIZONS_MAX 8

struct engine_series_query {
	const char *cluster;  /* NULL or empty: the last to report */
	const char *resource; /* as in struct measurement or link_measurement */
	const char *node;     /* of a node's resource */
	const char *from, *to; /* of a link's */
	double now_s;
	int horizons_count;
	double horizons_s[RESOURCES_HORIZONS_MAX];
};

struct engine_series {
	char cluster[RUN_NAME_SIZE];
	bool fresh, sticks, jumps;
	double step_s;   /* usual time between samples; 0: not known */
	double expiry_s; /* how long a sample counts */
	int count;
	double times_s[SERIES_SAMPLES_MAX]; /* ascending */
	double values[SERIES_SAMPLES_MAX];
	struct resource_forecast forecasts[RESOURCES_HORIZONS_MAX];
};

/* Return -1 if there is no such series. */
int engine_series(struct engine *engine,
		  const struct engine_series_query *query,
		  struct engine_series *ret, struct sp_error *err);
