/* SPDX-License-Identifier: GPL-2.0-or-later */
/* drift.c - how much longer runs take now than is predicted
 *
 * A weighted median of the last errors, m, is drawn to 0: m^3 / (m^2 + s^2), with
 * s^2 the variance that errors of this application leave in it, times CAUTION.
 *
 * Constants are from four sets of MPI runs under changing load, each predicted
 * from those before.  Errors without and with drift, in % of the run times: 318
 * runs on a quiet host 16.4 and 16.2, 320 on a busy one 15.6 and 15.2, of
 * GROMACS, LAMMPS, heat and cg 9.4 and 9.1, of the demo beside compilers 24.6 and
 * 18.5.  A mean instead of the median makes the first worse, 16.9.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/index.h"
#include "predictor/ensemble/drift.h"

/* Runs that are remembered of an application. */
#define RUNS 16
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

struct error {
	double ended_at_s;
	float ln; /* of run time / median */
	uint32_t nodes;
};

struct errors {
	uint64_t key;   /* of the application */
	uint32_t count; /* ever */
	struct error last[RUNS];
};

struct drift {
	uint32_t count, capacity;
	struct errors *of;
	struct index index;
};

struct drift *drift_create(void)
{
	return calloc(1, sizeof(struct drift));
}

void drift_destroy(struct drift *d)
{
	if (!d)
		return;
	free(d->of);
	index_clear(&d->index);
	free(d);
}

/* --- Noting ------------------------------------------------------------------- */

struct errors_key {
	const struct drift *d;
	uint64_t key;
};

static bool errors_match(const void *context, uint32_t position)
{
	const struct errors_key *key = context;

	return key->d->of[position].key == key->key;
}

static uint64_t hash_of(uint64_t key)
{
	return index_hash(0, &key, sizeof(key));
}

/* 0: competitors on the nodes of that job cannot be known. */
static uint64_t key_of(const struct query *query)
{
	return query->conditions.nodes_known && query->nodes
		       ? query_application(query)
		       : 0;
}

/* NULL: there are none. */
static struct errors *errors_find(const struct drift *d, uint64_t key)
{
	struct errors_key sought = { d, key };
	uint32_t at =
		key ? index_find(&d->index, hash_of(key), errors_match, &sought)
		    : INDEX_NONE;

	return at == INDEX_NONE ? NULL : &d->of[at];
}

static struct errors *errors_get(struct drift *d, uint64_t key)
{
	struct errors *errors = errors_find(d, key);

	if (errors || !key)
		return errors;
	if (index_reserve(&d->index) ||
	    index_grow(&d->of, &d->capacity, d->count, sizeof(d->of[0])))
		return NULL;
	index_add(&d->index, hash_of(key), d->count);
	errors = &d->of[d->count++];
	*errors = (struct errors){ .key = key };
	return errors;
}

void drift_note(struct drift *d, const struct query *query, double median_s,
		double runtime_s, double ended_at_s)
{
	struct errors *errors = errors_get(d, key_of(query));
	double ln = log(runtime_s / median_s);

	if (errors)
		errors->last[errors->count++ % RUNS] = (struct error){
			.ended_at_s = ended_at_s,
			.ln = (float)fmin(fmax(ln, -ERROR_MAX), ERROR_MAX),
			.nodes = query->nodes,
		};
}

/* --- Finding ------------------------------------------------------------------- */

struct weighed {
	double ln, weight;
};

/* The last errors by ascending value, the newest of most weight. */
static int errors_weigh(const struct errors *errors, const struct query *query,
			struct weighed ret[RUNS])
{
	double newer = 1;
	int n = 0;

	for (uint32_t i = 1; i <= errors->count && i <= RUNS; i++) {
		const struct error *error =
			&errors->last[(errors->count - i) % RUNS];
		double age_s = fmax(query->now_s - error->ended_at_s, 0);
		double doublings =
			fabs(log2((double)error->nodes / query->nodes));
		double ln = (double)error->ln;
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
	const struct errors *errors = errors_find(d, key_of(query));
	struct weighed of[RUNS];
	int n = errors ? errors_weigh(errors, query, of) : 0;
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
