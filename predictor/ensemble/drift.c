/* SPDX-License-Identifier: GPL-2.0-or-later */
/* drift.c - how much longer runs take now than is predicted
 *
 * A weighted median of the last errors, m, is drawn to 0: m^3 / (m^2 +
 * s^2), with s^2 the variance that errors of this application leave in it,
 * times CAUTION.
 *
 * Constants are from four sets of MPI runs under changing load, each predicted
 * from those before.  Errors without and with drift, in % of the run times: 318
 * runs on a quiet host 16.4 and 16.2, 320 on a busy one 15.6 and 15.2, of
 * GROMACS, LAMMPS, heat and cg 9.4 and 9.1, of the demo beside compilers 24.6
 * and 18.5.  A mean instead of the median makes the first worse, 16.9.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/ensemble/drift.h"
#include "predictor/ensemble/last_errors.h"

/* A run weighs less for each newer one, with its age, and for each doubling
 * between its number of nodes and the query's. */
#define NEWER   0.75
#define AGE_S   600.0
#define DOUBLED 0.5
/* Less evidence than that of half a run is that much weaker. */
#define WEIGHT_LEAST 0.5
/* Variance of errors before there are any, and the runs that it counts as. */
#define VARIANCE      0.04
#define VARIANCE_RUNS 4.0
#define CAUTION       4.0
/* No error counts as greater. */
#define ERROR_MAX 1.1

/* What else is known of the runs of an application, as of its last errors. */
struct drift_runs {
	double ended_at_s[LAST_ERRORS];
	uint32_t nodes[LAST_ERRORS];
};

struct drift {
	struct last_errors errors; /* of model 0: of predictions */
	uint32_t capacity;
	struct drift_runs *runs; /* by the position of the errors */
};

struct drift *drift_create(void)
{
	return calloc(1, sizeof(struct drift));
}

void drift_destroy(struct drift *d)
{
	if (!d)
		return;
	last_errors_clear(&d->errors);
	free(d->runs);
	free(d);
}

/* --- Noting --------------------------------------------------------------- */

/* 0: competitors on the nodes of that job cannot be known. */
static uint64_t key_of(const struct query *query)
{
	return query->conditions.nodes_known && query->nodes
		       ? query_application(query)
		       : 0;
}

void drift_note(struct drift *d, const struct query *query, double median_s,
		double runtime_s, double ended_at_s)
{
	double ln = log(runtime_s / median_s);
	struct errors *errors = NULL;

	/* A new application's runs go behind all others. */
	if (!index_grow(&d->runs, &d->capacity, d->errors.count,
			sizeof(d->runs[0])))
		errors = last_errors_get(&d->errors, 0, key_of(query));
	if (!errors)
		return;

	struct drift_runs *runs = &d->runs[errors - d->errors.of];
	uint32_t at = errors->count++ % LAST_ERRORS;

	errors->last[at] = (float)fmin(fmax(ln, -ERROR_MAX), ERROR_MAX);
	runs->ended_at_s[at] = ended_at_s;
	runs->nodes[at] = query->nodes;
}

/* --- Finding -------------------------------------------------------------- */

struct weighed {
	double ln, weight;
};

/* Find the last errors by ascending value, the newest of most weight. */
static int errors_weigh(const struct errors *errors,
			const struct drift_runs *runs,
			const struct query *query,
			struct weighed ret[LAST_ERRORS])
{
	double newer = 1;
	int n = 0;

	for (uint32_t i = 1; i <= errors->count && i <= LAST_ERRORS; i++) {
		uint32_t run = (errors->count - i) % LAST_ERRORS;
		double age_s = fmax(query->now_s - runs->ended_at_s[run], 0);
		double doublings =
			fabs(log2((double)runs->nodes[run] / query->nodes));
		double ln = (double)errors->last[run];
		int at = n++;

		for (; at && ret[at - 1].ln > ln; at--)
			ret[at] = ret[at - 1];
		ret[at] =
			(struct weighed){ ln, newer * exp(-age_s / AGE_S) *
						      pow(DOUBLED, doublings) };
		newer *= NEWER;
	}
	return n;
}

double drift_find(const struct drift *d, const struct query *query)
{
	const struct errors *errors =
		last_errors_find(&d->errors, 0, key_of(query));
	struct weighed of[LAST_ERRORS];
	int n = errors ? errors_weigh(errors, &d->runs[errors - d->errors.of],
				      query, of)
		       : 0;
	int middle = 0;
	double total = 0, squares = 0, variance = VARIANCE * VARIANCE_RUNS;

	for (int i = 0; i < n; i++) {
		total += of[i].weight;
		squares += of[i].weight * of[i].weight;
		variance += of[i].ln * of[i].ln;
	}
	if (n == 0 || !(total > 0))
		return 0;
	variance *= squares / (total * total) / (n + VARIANCE_RUNS);

	double below = of[0].weight;

	while (below < total / 2 && middle < n - 1)
		below += of[++middle].weight;

	double m = of[middle].ln * fmin(1, total / WEIGHT_LEAST);

	return m * m * m / (m * m + CAUTION * variance);
}
