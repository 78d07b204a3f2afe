/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lee_schopf_fit.c - the filters and the two forms of regression of [1]
 *
 * Distances are computed by dimension, for all points at once; the k nearest
 * are kept by insertion.  A regression is prepared once for an origin, and may
 * be begun again with more rows and columns.  [1] is in lee_schopf_fit.h.
 */
#include <math.h>

#include "predictor/models/lee_schopf/lee_schopf_fit.h"

/* A prediction is within this factor of the rows: a straight line is arbitrary
 * beyond them, and soon negative below. */
#define REACH 4.0

/* Noise between equal runs, at least, in ln(run time). */
#define SIGMA_MIN 0.01

/* Rows for each column; with fewer it would fit noise. */
#define ROWS_PER_COLUMN 2

const struct settings settings_initial = {
	.factors = { [0 ... SLOTS - 1] = 1 },
	.weights = { [0 ... SLOTS - 1] = 1 },
	.columns =
		SLOTS_PARAMETERS | SLOT_BIT(SLOT_PROCESSORS) | SLOTS_RESOURCES,
};

/* --- Filters -------------------------------------------------------------- */

/* Table 1 of [1]; the number of processors must be equal in each. */
static const uint32_t filter_slots[FILTERS] = {
	[FILTER_NP_R] = SLOTS_RESOURCES,
	[FILTER_NP_PARM] = SLOTS_PARAMETERS,
	[FILTER_NP_R_PARM] = SLOTS_RESOURCES | SLOTS_PARAMETERS,
};

/* The dimensions of a distance, gathered once for many points. */
struct distance_measure {
	int count;
	int slots[SLOTS];
	double factors[SLOTS]; /* w_i / range_i, or w_i without range */
	bool ranged[SLOTS];
};

static struct distance_measure gather_dimensions(const struct points *p,
						 const double weights[],
						 uint32_t slots)
{
	struct distance_measure m = { 0 };

	for (int s = 0; s < SLOTS; s++) {
		if (!(slots & p->slots & SLOT_BIT(s)) || !(weights[s] > 0))
			continue;

		double factor = weights[s] / p->range[s];

		m.ranged[m.count] =
			p->range[s] > 0 && factor > 0 && isfinite(factor);
		m.factors[m.count] = m.ranged[m.count] ? factor : weights[s];
		m.slots[m.count++] = s;
	}
	return m;
}

static double dimension_distance(const struct distance_measure *m,
				 int dimension, double d, double q)
{
	if (m->ranged[dimension])
		return fabs(d - q) * m->factors[dimension];
	return d != q ? m->factors[dimension] : 0;
}

static void all_distances(const struct points *p,
			  const struct distance_measure *m, const double q[],
			  double ret[])
{
	for (uint32_t i = 0; i < p->count; i++)
		ret[i] = 0;
	for (int j = 0; j < m->count; j++) {
		const double *x = p->x[m->slots[j]];
		double to = q[m->slots[j]];

		for (uint32_t i = 0; i < p->count; i++)
			ret[i] += dimension_distance(m, j, x[i], to);
	}
}

/* From the end, after those of equal distance. */
static void nearest_insert(struct nearest *n, uint32_t point, double distance)
{
	uint32_t i = n->count++;

	for (; i && n->distance[i - 1] > distance; i--) {
		n->of[i] = n->of[i - 1];
		n->distance[i] = n->distance[i - 1];
	}
	n->of[i] = (uint16_t)point;
	n->distance[i] = distance;
}

void nearest_find(const struct points *p, enum form_filter filter,
		  const double weights[SLOTS], const double q[SLOTS],
		  uint32_t k, bool sorted, uint32_t except, struct nearest *ret)
{
	struct distance_measure m =
		gather_dimensions(p, weights, filter_slots[filter]);
	const double *processors = p->x[SLOT_PROCESSORS];
	double distances[POINTS_MAX];

	all_distances(p, &m, q, distances);
	ret->count = 0;
	sorted = sorted || k < p->count;
	for (uint32_t i = 0; i < p->count; i++) {
		double distance = distances[i];

		if (i == except || (filter != FILTER_NO &&
				    processors[i] != q[SLOT_PROCESSORS]))
			continue;
		if (!sorted) {
			ret->of[ret->count] = (uint16_t)i;
			ret->distance[ret->count++] = distance;
			continue;
		}
		if (ret->count == k) {
			if (!(distance < ret->distance[k - 1]))
				continue;
			ret->count--;
		}
		nearest_insert(ret, i, distance);
	}
}

/* --- Regressions ---------------------------------------------------------- */

/* Those of the slots that vary, in the order of their weights. */
static int choose_columns(const struct points *p, const struct settings *s,
			  uint32_t slots, int ret[SLOTS])
{
	int count = 0;

	for (int slot = 0; slot < SLOTS; slot++) {
		if (!(slots & s->columns & p->slots & SLOT_BIT(slot)) ||
		    !(p->range[slot] > 0) || !isfinite(1 / p->range[slot]) ||
		    !isfinite(p->range[slot]))
			continue;

		int j = count++;

		for (; j && s->weights[ret[j - 1]] < s->weights[slot]; j--)
			ret[j] = ret[j - 1];
		ret[j] = slot;
	}
	return count;
}

int fit_prepare(struct fit *f, struct regression *regression,
		const struct points *p, const struct settings *s,
		enum form form, enum form_filter filter, uint32_t origin)
{
	uint32_t slots = SLOTS_RESOURCES;

	if (form == FORM_IP && !s->has_unit)
		return -1;
	if (form == FORM_DP)
		slots |= SLOTS_PARAMETERS;
	if (filter == FILTER_NO)
		slots |= SLOT_BIT(SLOT_PROCESSORS);
	f->points = p;
	f->unit = form == FORM_IP ? &s->unit : NULL;
	f->regression = regression;
	f->origin = origin;
	f->columns_possible = choose_columns(p, s, slots, f->columns);
	f->origin_size = f->unit ? unit_size_of(f->unit, p, origin) : 1;
	if (f->unit && f->unit->startup)
		f->columns[f->columns_possible++] = COLUMN_STARTUP;
	f->columns_count = 0;
	f->rows = 0;
	return 0;
}

int fit_columns(const struct fit *f, uint32_t rows)
{
	int most = rows ? (int)(rows - 1) / ROWS_PER_COLUMN : 0;

	return most < f->columns_possible ? most : f->columns_possible;
}

void fit_begin(struct fit *f, uint32_t rows)
{
	f->columns_count = fit_columns(f, rows);
	f->low = HUGE_VAL;
	f->high = 0;
	f->rows = 0;
	regression_begin(f->regression, 1 + (size_t)f->columns_count);
}

/* Points with a usable S, and 1 / S of each; returns their number. */
static uint32_t add_responses(struct fit *f, const uint16_t of[],
			      uint32_t count, uint16_t ret_of[],
			      double ret_inverse_size[])
{
	const struct points *p = f->points;
	double *y = regression_next_y(f->regression);
	uint32_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		double size = f->unit ? unit_size_of(f->unit, p, of[i]) : 1;

		if (!unit_suits(size))
			continue;
		ret_of[n] = of[i];
		ret_inverse_size[n] = 1 / size;
		y[n] = p->runtime_s[of[i]] * ret_inverse_size[n];
		f->low = y[n] < f->low ? y[n] : f->low;
		f->high = y[n] > f->high ? y[n] : f->high;
		n++;
	}
	return n;
}

static void fill_column(const struct fit *f, int slot, const uint16_t of[],
			const double inverse_size[], uint32_t count,
			double ret[])
{
	if (slot == COLUMN_STARTUP) {
		for (uint32_t i = 0; i < count; i++)
			ret[i] = f->origin_size * inverse_size[i] - 1;
		return;
	}

	const double *x = f->points->x[slot];
	double origin = x[f->origin];
	double scale = 1 / f->points->range[slot];

	for (uint32_t i = 0; i < count; i++)
		ret[i] = (x[of[i]] - origin) * scale;
}

void fit_add(struct fit *f, const uint16_t of[], uint32_t count)
{
	uint16_t suited[POINTS_MAX];
	double inverse_size[POINTS_MAX];
	double *ones = regression_next(f->regression, 0);
	uint32_t n = add_responses(f, of, count, suited, inverse_size);

	for (uint32_t i = 0; i < n; i++)
		ones[i] = 1;
	for (int j = 0; j < f->columns_count; j++)
		fill_column(f, f->columns[j], suited, inverse_size, n,
			    regression_next(f->regression, 1 + (size_t)j));
	regression_add_next(f->regression, n);
	f->rows += n;
}

static void row_at(const struct fit *f, const double q[SLOTS], double size,
		   double ret[])
{
	const struct points *p = f->points;

	ret[0] = 1;
	for (int j = 0; j < f->columns_count; j++) {
		int slot = f->columns[j];

		ret[1 + j] = slot == COLUMN_STARTUP
				     ? f->origin_size / size - 1
				     : (q[slot] - p->x[slot][f->origin]) /
					       p->range[slot];
	}
}

int fit_at(struct fit *f, const double q[SLOTS], double *ret_runtime_s,
	   double *ret_sigma)
{
	double row[FIT_COLUMNS_MAX];
	double size = f->unit ? unit_size(f->unit, q) : 1;

	if (!f->rows || !unit_suits(size) || regression_solve(f->regression))
		return -1;
	row_at(f, q, size, row);

	double deviation = 0;
	double y = regression_at(f->regression, row,
				 ret_sigma ? &deviation : NULL);

	if (isnan(y))
		return -1;
	y = fmin(fmax(y, f->low / REACH), f->high * REACH);

	double runtime_s = y * size;

	if (!(runtime_s > 0) || !isfinite(runtime_s) || !(deviation >= 0) ||
	    !isfinite(deviation / y))
		return -1;
	*ret_runtime_s = runtime_s;
	if (ret_sigma)
		*ret_sigma = fmax(log1p(deviation / y), SIGMA_MIN);
	return 0;
}
