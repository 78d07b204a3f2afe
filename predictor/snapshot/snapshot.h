/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.h - nodes, links and waiting jobs at one time, for a scheduler
 *
 * Read-only once it is made: readers need a reference, but no lock.  predictd
 * sends it as text (GET /v1/snapshot), first all of it and then deltas, of
 * which snapshot_read() makes the next snapshot.
 *
 * CPU forecasts are of what a new process would get if no job of Slurm were on
 * the node: what these take, Slurm knows better than any sensor, and at once
 * (rank.h: `used`).
 *
 * Links do not come pair by pair, which would be n^2.  Each node has an uplink
 * to its leaf switch, and two leaves may have a link between them; two nodes
 * get the least bandwidth and the sum of latencies of the links on their path.
 *
 * 10,000 nodes and 2,000 jobs take 1.4 MB.
 */
#pragma once

#include <stdatomic.h>

#include "predictor/base/error.h"
#include "predictor/base/hostlist.h"
#include "predictor/features/run.h"
#include "predictor/snapshot/placement_model.h"

#define SNAPSHOT_NODES_MAX  100000
#define SNAPSHOT_LEAVES_MAX 4096
#define SNAPSHOT_PAIRS_MAX  65536
#define SNAPSHOT_JOBS_MAX   65536

/* The newest version of the text: what a client reads, and says so. */
#define SNAPSHOT_FORMAT 4

/* The oldest that is read, and written for a client that names none.  It has no
 * weights. */
#define SNAPSHOT_FORMAT_OLDEST 3

#define SNAPSHOT_NONE UINT32_MAX /* no node, no leaf */

/* Forecasts are means over this many seconds from now. */
#define SNAPSHOT_HORIZONS 3
extern const double snapshot_horizons_s[SNAPSHOT_HORIZONS]; /* 60, ... */

/* Index of the nearest horizon. */
int snapshot_horizon(double seconds);

/* NAN: not known, or too old. */
struct snapshot_node {
	char name[HOSTLIST_NAME_SIZE];
	uint32_t leaf;                      /* SNAPSHOT_NONE: not known */
	float available[SNAPSHOT_HORIZONS]; /* 0 to 1 */
	float error; /* recent mean absolute error of the forecast */
	float load;  /* processes of others */
	float speed; /* relative to the site's reference */
	float memory_mb;
	float bandwidth_bps; /* of its uplink, for a new stream */
	float latency_s;     /* likewise, one way */
	float turn_s;        /* wait for its CPU, for each competitor on it */
};

/* The link between two leaves, a < b. */
struct snapshot_pair {
	uint32_t a, b;
	float bandwidth_bps; /* NAN: never the bottleneck */
	float latency_s;     /* NAN: negligible */
};

/* A waiting job that carries a prediction's id. */
struct snapshot_job {
	uint64_t id; /* as a number */
	struct placement_model model;
};

struct snapshot {
	atomic_uint references;
	uint64_t epoch;   /* of the predictd process that made it */
	uint64_t version; /* later ones are higher */
	double made_at_s; /* by predictd's clock */
	char cluster[RUN_NAME_SIZE];

	uint32_t node_count, pair_count, job_count;
	struct snapshot_node *nodes; /* in the order of strcmp() */
	struct snapshot_pair *pairs; /* in the order of a, then b */
	struct snapshot_job *jobs;   /* in the order of their ids */

	/* Positions in `nodes` in the natural order of names, n9 before n10.
	 * NULL where the snapshot was read from text: Slurm has its own. */
	uint32_t *order;

	/* Stands for nodes without measurements: medians over those with
	 * them; if there are none, 1 for CPUs, NAN for links. */
	struct snapshot_node typical;
	uint32_t fresh_count; /* nodes whose CPU is known */
	uint32_t leaf_count;  /* leaves are 0 to leaf_count - 1 */
};

/* References: a new snapshot has one.  NULL is allowed.  The last
 * snapshot_put() frees, which takes up to a millisecond: hold a reference in
 * another thread, so that it does not happen in a scheduling call. */
struct snapshot *snapshot_get(struct snapshot *s);
void snapshot_put(struct snapshot *s);

/* Return SNAPSHOT_NONE if it is not found. */
uint32_t snapshot_node(const struct snapshot *s, const char *name);

/* By the 16 hexadecimal digits of a prediction's id (need not be terminated
 * after them); NULL: not found. */
const struct placement_model *snapshot_job(const struct snapshot *s,
					   const char *id);

/* Size in memory. */
size_t snapshot_bytes(const struct snapshot *s);

/* --- As text ---------------------------------------------------------------
 *
 * The path to request from predictd: changes in `cluster` since `before` (NULL:
 * all).  `ret_path` has SNAPSHOT_PATH_SIZE bytes. */
#define SNAPSHOT_PATH_SIZE 192
void snapshot_path(const char *cluster, const struct snapshot *before,
		   char *ret_path);

/* Make the next snapshot from a reply; `before` (may be NULL) stays as it is.
 * *ret is a new reference, to `before` itself if nothing has changed (it is
 * current then, whatever made_at_s says).  Everything is checked; takes a few
 * milliseconds for 10,000 nodes.  -1: it is not a snapshot, or not a delta to
 * `before`: request all. */
int snapshot_read(const char *text, size_t size, struct snapshot *before,
		  struct snapshot **ret, struct sp_error *err);

/* The model of one job as it stands in its line, after the id, without weights;
 * `ret` has SNAPSHOT_MODEL_SIZE bytes, of which room for a blank and the
 * weights is left.  It is parsed with or without them. */
#define SNAPSHOT_MODEL_SIZE 320
void snapshot_model_print(const struct placement_model *model, char *ret);
int snapshot_model_parse(const char *text, struct placement_model *ret,
			 struct sp_error *err);

#define SNAPSHOT_TEXT_MAX (32u << 20) /* bytes; 10,000 nodes are 1 MB */
