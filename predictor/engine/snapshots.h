/* snapshots.h - the state of things, for schedulers and for what-if
 *
 * A thread makes the next snapshot while somebody asks for them, from the
 * engine's memory, whose lock it takes for a few nodes at a time: predictions
 * do not wait for it.
 */
#ifndef PREDICTOR_ENGINE_SNAPSHOTS_H
#define PREDICTOR_ENGINE_SNAPSHOTS_H

#include "predictor/engine/engine.h"
#include "predictor/placement/rank.h"

struct snapshots;

/* Of an engine that is there as long as this.  NULL: out of memory. */
struct snapshots *snapshots_create(struct engine *engine);
void snapshots_destroy(struct snapshots *snapshots); /* NULL is allowed */

/* The text of snapshot.h for who knows the one of that epoch and version (0 and
 * 0: none).  `cluster` NULL or empty: the one last heard of.  NULL: there is
 * none yet, ask again in a moment; or memory ran out.  The caller frees. */
char *engine_snapshot_text(struct engine *engine, const char *cluster,
			   uint64_t epoch, uint64_t version, size_t *ret_size);

/* What the next snapshot will tell of the job with that prediction.  -1: nothing. */
int engine_placement(struct engine *engine, const char *prediction_id,
		     struct placement_model *ret);

/* --- Node sets ---------------------------------------------------------------- */

#define ENGINE_SETS_MAX 8

/* A node set for a job, and what the job would take on it. */
struct engine_set {
	char nodes[RUN_NODES_SIZE]; /* hostlist */
	double median_s;            /* NAN: nothing is known of the job */
	double ratio;         /* to the run time on the first set; NAN: not
				 known, as the next two, if it was rejected
				 before a restart */
	double cpu_available; /* of its worst node */
	double bandwidth_bps; /* of its worst link; NAN: not known */
	double latency_s;
	uint32_t stale; /* nodes of which nothing fresh is known */
};

/* The best sets for the job of a prediction just made, one without the nodes
 * of the others.  `required` and `excluded` are hostlists, NULL or empty: none.
 * Gives how many; -1: there is no snapshot yet, ask again in a moment. */
int engine_best_sets(struct engine *engine, const struct prediction *p,
		     const char *required, const char *excluded, int max,
		     struct engine_set ret[]);

/* What was the best set that a job, predicted again at its start, did not get;
 * `id` of its prediction.  -1: not known (any more). */
int engine_rejected_set(struct engine *engine, const char *id,
			struct engine_set *ret);

#endif
