/* lee_schopf_points.h - the runs of an application as points, and the query
 *
 * What [1] section 2 records of each run: the input to the application, the
 * number of processors, CPU load, bandwidth and latency before the start, and
 * the run time.  A variable lies in the same slot in each point; slots that are
 * not in use hold nothing.  A condition that the query does not know, or hardly
 * any run, is not in use; runs that don't know one that is are left out.
 *
 * [1] B.-D. Lee, J. M. Schopf: Run-Time Prediction of Parallel Applications
 *     on Shared Environments, IEEE Cluster 2003.
 */
#ifndef PREDICTOR_MODELS_LEE_SCHOPF_LEE_SCHOPF_POINTS_H
#define PREDICTOR_MODELS_LEE_SCHOPF_LEE_SCHOPF_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "predictor/models/history.h"
#include "predictor/models/query.h"

enum slot {
	SLOT_PARAMETERS = 0,
	SLOT_PROCESSORS = PARAMETERS_MAX,
	SLOT_LOAD, /* the first of the resources */
	SLOT_LOAD_MAX,
	SLOT_AVAILABLE,
	SLOT_AVAILABLE_MIN,
	SLOT_BANDWIDTH,
	SLOT_LATENCY,
	SLOTS
};

/* Sets of slots. */
#define SLOT_BIT(slot)   (1u << (slot))
#define SLOTS_PARAMETERS (SLOT_BIT(PARAMETERS_MAX) - 1)
#define SLOTS_RESOURCES  (SLOT_BIT(SLOTS) - SLOT_BIT(SLOT_LOAD))

/* The newest runs of each group of equal size are looked at, those of the
 * query's number of processors first. */
#define POINTS_MAX 512
/* Columns of a power of 2 would compete for the same lines of the cache. */
#define POINTS_STRIDE (POINTS_MAX + 8)

struct points {
	uint32_t count;
	uint32_t alike; /* the first so many have the query's processors */
	uint32_t slots; /* in use */
	double query[SLOTS];
	double low[SLOTS];   /* of the points' values */
	double range[SLOTS]; /* [1]: max D_i - min D_i; 0: constant */
	double x[SLOTS][POINTS_STRIDE]; /* by slots: few are in use */
	double runtime_s[POINTS_MAX];
	uint32_t job_id[POINTS_MAX];
};

/* The number of processors that a run or job works with. */
uint32_t points_processors(uint32_t tasks, uint32_t cpus);

/* Whether there can be a point for this query: it has parameters or knows
 * conditions, and its application has run with such parameters. */
bool points_possible(const struct query *query);

/* Take the newest runs of the query's application that completed, with
 * parameters of the same names: `max` at most.  Newer before older among those
 * of one size. */
void points_read(struct points *points, const struct history *history,
		 const struct query *query, uint32_t max);

/* The values of one, in its slots. */
void points_get(const struct points *points, uint32_t point, double ret[SLOTS]);

#endif
