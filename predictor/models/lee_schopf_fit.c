/* lee_schopf_fit.c - the filters and the two forms of regression of [1] */
#include <math.h>
#include <string.h>

#include "predictor/models/lee_schopf_fit.h"

/* A straight line leaves the runs that it was fitted to by no more than this
 * factor: beyond it is an artefact, below it soon negative. */
#define REACH 4.0

/* No run repeats another more exactly than this, in ln(run time). */
#define SIGMA_MIN 0.01

/* A column needs so many rows, or it fits to noise. */
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
struct measure {
	int count;
	int slots[SLOTS];
	double factors[SLOTS]; /* w_i / range_i, or w_i without range */
	bool ranged[SLOTS];
};

static struct measure measure_of(const struct points *p, const double weights[],
				 uint32_t slots)
{
	struct measure m = { 0 };

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

static double measured(const struct measure *m, const double d[],
		       const double q[])
{
	double sum = 0;

	for (int j = 0; j < m->count; j++) {
		int s = m->slots[j];

		if (m->ranged[j])
			sum += fabs(d[s] - q[s]) * m->factors[j];
		else if (d[s] != q[s])
			sum += m->factors[j];
	}
	return sum;
}

double nearest_distance(const struct points *p, const double weights[],
			uint32_t slots, const double d[], const double q[])
{
	struct measure m = measure_of(p, weights, slots);

	return measured(&m, d, q);
}

/* Insert from the end, behind those equally near. */
static void insert(struct nearest *n, uint32_t point, double distance)
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
	struct measure m = measure_of(p, weights, filter_slots[filter]);

	ret->count = 0;
	sorted = sorted || k < p->count;
	for (uint32_t i = 0; i < p->count; i++) {
		if (i == except ||
		    (filter != FILTER_NO &&
		     p->x[i][SLOT_PROCESSORS] != q[SLOT_PROCESSORS]))
			continue;

		double distance = measured(&m, p->x[i], q);

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
		insert(ret, i, distance);
	}
}

/* --- Regressions ---------------------------------------------------------- */

/* Of the form's slots that vary, in the order of their weights. */
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
	f->origin = p->x[origin];
	f->columns_possible = choose_columns(p, s, slots, f->columns);
	f->origin_size = f->unit ? unit_size(f->unit, f->origin) : 1;
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

static void row_of(const struct fit *f, const double x[SLOTS], double size,
		   double ret[])
{
	ret[0] = 1;
	for (int j = 0; j < f->columns_count; j++) {
		int slot = f->columns[j];

		ret[1 + j] = slot == COLUMN_STARTUP
				     ? f->origin_size / size - 1
				     : (x[slot] - f->origin[slot]) /
					       f->points->range[slot];
	}
}

void fit_add(struct fit *f, uint32_t point)
{
	const double *x = f->points->x[point];
	double size = f->unit ? unit_size(f->unit, x) : 1;
	double y = f->points->runtime_s[point] / size;
	double row[FIT_COLUMNS_MAX];

	if (!unit_suits(size))
		return;
	row_of(f, x, size, row);
	regression_add(f->regression, row, y, 1);
	f->low = fmin(f->low, y);
	f->high = fmax(f->high, y);
	f->rows++;
}

int fit_at(struct fit *f, const double q[SLOTS], double *ret_runtime_s,
	   double *ret_sigma)
{
	double row[FIT_COLUMNS_MAX];
	double size = f->unit ? unit_size(f->unit, q) : 1;

	if (!f->rows || !unit_suits(size) || regression_solve(f->regression))
		return -1;
	row_of(f, q, size, row);

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
