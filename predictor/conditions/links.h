/* SPDX-License-Identifier: GPL-2.0-or-later */
/* links.h - links between nodes, measured and forecast
 *
 * A link is one direction between two nodes, named by their positions in
 * struct nodes.  Where a pair was not measured, the other direction stands for
 * it, then, if the leaf switches of both are known, the link between these two
 * leaves that was measured last.
 */
#pragma once

#include <stdbool.h>

#include "predictor/base/error.h"
#include "predictor/features/link.h"
#include "predictor/forecast/level.h"

#define LINKS_MAX 500000 /* 0.9 KB each */

#define LINKS_NO_LEAF UINT32_MAX

struct links;

struct links *node_links_create(void); /* NULL: out of memory */
void node_links_destroy(struct links *links);

/* Add a measurement of the link between two positions.  What is not finite or
 * below zero was not measured.  Fails on a bad time and when there are too many
 * links. */
int links_measure(struct links *links, uint32_t from, uint32_t to,
		  const struct link_measurement *m, struct sp_error *err);

/* The leaf switch of a node: any number; LINKS_NO_LEAF, as it is at first: not
 * known. */
int links_set_leaf(struct links *links, uint32_t node, uint32_t leaf,
		   struct sp_error *err);

uint32_t links_leaf(const struct links *links, uint32_t node);

enum link_source {
	LINK_UNKNOWN,
	LINK_MEASURED,
	LINK_REVERSE,       /* the other direction was */
	LINK_REPRESENTATIVE /* another pair of the same leaves was */
};

struct link_forecast {
	enum link_source source;
	double bandwidth_bps, bandwidth_error; /* error: expected, absolute */
	double latency_s, latency_error;       /* NAN: not known */
	double utilisation;
	double time_s; /* of the newest measurement; -HUGE_VAL: none */
};

/* How the link will be, from what was measured up to time_s and has not
 * expired.  LINK_UNKNOWN: all but time_s is NAN. */
void links_forecast(const struct links *links, uint32_t from, uint32_t to,
		    double time_s, struct link_forecast *ret);

/* Means over all pairs of `count` nodes; of more than a few nodes over a part
 * of the pairs.  NAN: nothing is known.  Returns the number of known pairs. */
int links_between(const struct links *links, const uint32_t *nodes, int count,
		  double time_s, double *ret_bandwidth_bps,
		  double *ret_latency_s);

/* --- Lists ------------------------------------------------------------- */

struct links_link {
	uint32_t from, to;
	struct link_forecast forecast;
	bool fresh;
	const struct level *bandwidth, *latency; /* lent */
};

uint32_t links_count(const struct links *links);

/* Find the link at a position below links_count(), in the order of their
 * first measurements. */
void links_at(const struct links *links, uint32_t position, double time_s,
	      struct links_link *ret);

/* Return its position; UINT32_MAX: it was never measured. */
uint32_t links_find(const struct links *links, uint32_t from, uint32_t to);
