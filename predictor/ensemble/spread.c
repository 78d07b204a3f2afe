/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spread.c - the distribution of run times around a model's median
 *
 * From the last errors of the model on the application, each with its
 * opposite; while they are few, also from its errors on all applications, or
 * from its own standard deviation by Student's t.  The caller holds a lock,
 * if any.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/ensemble/last_errors.h"
#include "predictor/ensemble/spread.h"
#include "predictor/stats/quantile.h"

/* Errors that are remembered of a model on all applications. */
#define ERRORS_ALL 32
/* From this many errors on an application, those of others are left out. */
#define ERRORS_ENOUGH 8
/* The deviation of a model that has never been tried and gives none: one in
 * ten runs takes 1.9 times as long. */
#define SIGMA_UNKNOWN 0.5

/* Fewer errors have no standard deviation. */
#define SIGMA_ERRORS 4

/* Approximate a continuous distribution by atoms of equal weight. */
#define POINTS 15

struct errors_all {
	uint32_t count;
	float last[ERRORS_ALL];
};

struct spread {
	struct errors_all all[MODELS_MAX];
	struct last_errors here;
};

struct spread *spread_create(void)
{
	return calloc(1, sizeof(struct spread));
}

void spread_destroy(struct spread *s)
{
	if (!s)
		return;
	last_errors_clear(&s->here);
	free(s);
}

/* --- Noting --------------------------------------------------------------- */

void spread_note(struct spread *s, int model, uint64_t key, double median_s,
		 double runtime_s)
{
	float error = (float)(log(runtime_s) - log(median_s));
	struct errors_all *all = &s->all[model];
	struct errors *here = last_errors_get(&s->here, model, key);

	all->last[all->count++ % ERRORS_ALL] = error;
	if (here)
		here->last[here->count++ % LAST_ERRORS] = error;
}

/* --- Distributions -------------------------------------------------------- */

/* Insert, so that atoms ascend. */
static void atom_insert(struct distribution *d, double value, double weight)
{
	int i = d->count++;

	for (; i && d->atoms[i - 1].value > value; i--)
		d->atoms[i] = d->atoms[i - 1];
	d->atoms[i] = (struct distribution_atom){ value, weight };
}

/* Quantiles of the normal distribution at (i + 1/2) / POINTS. */
static const double normal[POINTS] = {
	-1.833915, -1.281552, -0.967422, -0.727913, -0.524401,
	-0.340695, -0.167894, 0,         0.167894,  0.340695,
	0.524401,  0.727913,  0.967422,  1.281552,  1.833915,
};

/* An error, and its opposite: of few errors it is chance on which side they
 * are, and a side without any would have no width.  Pinball loss at .9 of 320
 * and 318 MPI runs under wandering load: .099 and .096 of the mean run time
 * become .093 and .087, with narrower quantiles. */
static void atoms_add_error(struct distribution *d, double error, double weight)
{
	atom_insert(d, error, weight / 2);
	atom_insert(d, -error, weight / 2);
}

static void atoms_add_own(struct distribution *d,
			  const struct model_result *answer, double weight)
{
	bool known = isfinite(answer->sigma) && answer->degrees > 0;

	for (int i = 0; i < POINTS; i++)
		atom_insert(d,
			    known ? answer->sigma *
					    quantile_student(normal[i],
							     answer->degrees)
				  : SIGMA_UNKNOWN * normal[i],
			    weight / POINTS);
}

static uint32_t at_most(uint32_t count, uint32_t most)
{
	return count < most ? count : most;
}

void spread_around(const struct spread *s, int model, uint64_t key,
		   const struct model_result *answer, struct distribution *ret)
{
	const struct errors_all *all = &s->all[model];
	const struct errors *here = last_errors_find(&s->here, model, key);
	uint32_t n = here ? at_most(here->count, LAST_ERRORS) : 0;
	uint32_t others = at_most(all->count, ERRORS_ALL);
	double total = fmax(n, ERRORS_ENOUGH);
	double rest = total - n; /* of the weight, that errors here lack */
	double center = log(answer->median_s);

	ret->count = 0;
	for (uint32_t i = 0; i < n; i++)
		atoms_add_error(ret, (double)here->last[i], 1);
	if (rest > 0 && others >= ERRORS_ENOUGH && !isfinite(answer->sigma))
		for (uint32_t i = 0; i < others; i++)
			atoms_add_error(ret, (double)all->last[i],
					rest / others);
	else if (rest > 0)
		atoms_add_own(ret, answer, rest);
	for (int i = 0; i < ret->count; i++) {
		ret->atoms[i].value += center;
		ret->atoms[i].weight /= total;
	}
}

static double sum_of_squares(const float errors[], uint32_t count)
{
	double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += (double)errors[i] * (double)errors[i];
	return sum;
}

/* Those of all others count as the errors that are missing here.  Few errors
 * are taken for less than they are: the variance of Student's t. */
double spread_sigma(const struct spread *s, int model, uint64_t key)
{
	const struct errors_all *all = &s->all[model];
	const struct errors *here = last_errors_find(&s->here, model, key);
	uint32_t n = here ? at_most(here->count, LAST_ERRORS) : 0;
	uint32_t others = at_most(all->count, ERRORS_ALL);
	double total = fmax(n, ERRORS_ENOUGH);

	if (others < SIGMA_ERRORS)
		return NAN;
	return sqrt(((n ? sum_of_squares(here->last, n) : 0) +
		     (total - n) * sum_of_squares(all->last, others) / others) /
		    (total - 2));
}
