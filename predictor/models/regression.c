/* SPDX-License-Identifier: GPL-2.0-or-later */
/* regression.c - run time by direct linear regression on the nearest runs
 *
 * [1] B.-D. Lee, J. M. Schopf: Run-Time Prediction of Parallel Applications
 *     on Shared Environments, IEEE Cluster 2003: direct prediction (DP) with
 *     the filter NP_PARM.  Independent variables are the parameters, and the
 *     CPU load of the nodes before the start (mean, and of the most loaded).
 *
 * Departures from [1], each measured on synthetic N-body runs (one, two and
 * four nodes of changing load, 200 seeds; error in % of the mean run time of
 * predictions from 26 runs, [1] as it stands 30.0, with parameter x load as a
 * further variable 16.9):
 * - Run time and variables are taken in logarithms (those variables that are
 *   positive), so that size and load multiply as they do in programs, and no
 *   run time comes out negative: 3.6.
 * - Each coefficient has a prior, added as a weak observation.  Few runs then
 *   suffice, and coefficients of columns that are constant or collinear stay at
 *   the prior, with a wide error: 3.0; from 12 runs 5.7 instead of 18.2.
 * - If few runs have the query's number of processors, all are taken, others
 *   of less weight, and the processors are a variable: from 12 runs 3.1.
 * - Load costs a program that waits for its slowest process at each step more
 *   on more nodes: that product is a variable.  320 and 318 MPI runs under
 *   wandering load: 21.7 become 21.4, 23.0 become 22.8; three campaigns of
 *   GROMACS, LAMMPS, heat and cg (46, 52 and 47 runs): 28.8, 16.2, 24.4 become
 *   27.0, 16.3, 25.2.
 *
 * Columns are differences from the query point, where all but the first are 0:
 * the coefficient of that one is the prediction.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/models/filter.h"
#include "predictor/models/model.h"
#include "predictor/models/prior.h"
#include "predictor/stats/least_squares.h"

/* With fewer runs of the query's size, others are used, too. */
#define SIZE_ENOUGH 8
/* Weight of a run of another size. */
#define OTHER_WEIGHT 0.3
/* Runs kept by the filter: at least, and for each column. */
#define KEPT_MIN        12
#define KEPT_PER_COLUMN 2
/* Runs with other parameters than the query's, at least. */
#define RUNS_MIN 3
/* Prior of the noise, with the weight of one run, in ln(run time). */
#define NOISE 0.05
/* A prediction is within this factor of the runs kept; outside the range of a
 * variable, by its power REACH_POWER more. */
#define REACH       4.0
#define REACH_POWER 3.0

/* A query counts as no farther out of a variable's range than this factor: a
 * number without meaning, such as a seed, may be anywhere.  It counts as it is
 * where the runs show its effect: up to this standard deviation of
 * ln(run time). */
#define FARTHEST  8.0
#define FAR_SIGMA 0.5

#define COLUMNS_MAX (1 + PARAMETERS_MAX + 4)
#define ROWS_MAX    (FILTER_KEPT_MAX + COLUMNS_MAX)

static const struct prior prior_of_processors = { -0.5, 10 };
static const struct prior prior_of_load_max = { 0.5, 10 };
static const struct prior prior_of_load_mean = { 0, 5 };
static const struct prior prior_of_load_of_size = { 0, 3 };

struct regression_model {
	struct filter filter;
	struct regression *regression;
	size_t columns;
	double x[FILTER_KEPT_MAX][COLUMNS_MAX];
	struct prior priors[COLUMNS_MAX];
	double outside; /* how far the query is out of range, summed up */
	double beyond[COLUMNS_MAX]; /* and out of FARTHEST, in logarithms */
};

static void regression_model_destroy(void *model)
{
	struct regression_model *m = model;

	if (!m)
		return;
	regression_destroy(m->regression);
	free(m);
}

static void *regression_model_create(void)
{
	struct regression_model *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->regression = regression_create(ROWS_MAX, COLUMNS_MAX);
	if (m->regression)
		return m;
	regression_model_destroy(m);
	return NULL;
}

struct value_range {
	double low, high;
};

static struct value_range range_of(const double d[], uint32_t n)
{
	struct value_range range = { d[0], d[0] };

	for (uint32_t i = 1; i < n; i++) {
		range.low = fmin(range.low, d[i]);
		range.high = fmax(range.high, d[i]);
	}
	return range;
}

/* Add the variable with the values d of the runs kept and q of the query, if it
 * varies among them. */
static void add_column(struct regression_model *m, const double d[], double q,
		       struct prior prior)
{
	uint32_t n = m->filter.kept_count;
	struct value_range seen = range_of(d, n);

	if (seen.low == seen.high && q == seen.low)
		return;

	bool logarithmic = seen.low > 0 && q > 0;
	double unit = fmax(seen.high, q) - fmin(seen.low, q);
	size_t j = m->columns++;

	m->beyond[j] = 0;
	if (logarithmic) {
		double near = fmin(fmax(q, seen.low / FARTHEST),
				   seen.high * FARTHEST);

		m->beyond[j] = log(q) - log(near);
		q = near;
	}
	for (uint32_t i = 0; i < n; i++)
		m->x[i][j] = logarithmic ? log(d[i]) - log(q)
					 : d[i] / unit - q / unit;
	m->priors[j] = prior;
	if (!logarithmic)
		m->priors[j].power = 0;
	if (q > seen.high)
		m->outside += logarithmic ? log(q) - log(seen.high) : 1;
	else if (q < seen.low)
		m->outside += logarithmic ? log(seen.low) - log(q) : 1;
}

/* Return a feature whose logarithm is that of the load times that of
 * the size. */
static double load_of_size(double cpu_load_max, uint32_t processors)
{
	return pow(1 + cpu_load_max, log(processors));
}

static void add_columns(struct regression_model *m, const struct query *q,
			bool with_conditions)
{
	const struct filter *f = &m->filter;
	double d[FILTER_KEPT_MAX];
	uint32_t n = f->kept_count;
	uint32_t processors = filter_processors(q->tasks, q->cpus);

	m->columns = 1;
	m->outside = 0;
	for (uint32_t i = 0; i < n; i++)
		m->x[i][0] = 1;
	for (int j = 0; j < q->parameters->count; j++) {
		for (uint32_t i = 0; i < n; i++)
			d[i] = f->kept[i].values[j];
		add_column(m, d, q->parameters->of[j].value,
			   prior_of_parameter);
	}
	for (uint32_t i = 0; i < n; i++)
		d[i] = f->kept[i].processors;
	add_column(m, d, processors, prior_of_processors);
	if (!with_conditions)
		return;
	for (uint32_t i = 0; i < n; i++)
		d[i] = 1 + (double)f->kept[i].run->cpu_load_max;
	add_column(m, d, 1 + q->conditions.cpu_load_max, prior_of_load_max);
	for (uint32_t i = 0; i < n; i++)
		d[i] = 1 + (double)f->kept[i].run->cpu_load;
	add_column(m, d, 1 + q->conditions.cpu_load, prior_of_load_mean);
	for (uint32_t i = 0; i < n; i++)
		d[i] = load_of_size((double)f->kept[i].run->cpu_load_max,
				    f->kept[i].processors);
	add_column(m, d, load_of_size(q->conditions.cpu_load_max, processors),
		   prior_of_load_of_size);
}

static bool conditions_known(const struct query *q)
{
	return q->conditions.cpu_load_max >= 0 && q->conditions.cpu_load >= 0 &&
	       isfinite(q->conditions.cpu_load_max) &&
	       isfinite(q->conditions.cpu_load);
}

/* Keep the nearest runs: of the query's size if there are enough. */
static void keep_nearest(struct filter *f, const struct history *h,
			 const struct query *q, bool with_conditions)
{
	uint32_t columns = 4 + (uint32_t)q->parameters->count;
	uint32_t k = KEPT_PER_COLUMN * columns;

	for (int like = 0; like < FILTER_PROCESSORS_COUNT; like++)
		if (filter_scan(f, h, q, (enum filter_processors)like,
				with_conditions) >= SIZE_ENOUGH)
			break;
	filter_keep(f, q, k > KEPT_MIN ? k : KEPT_MIN);
}

/* Two are enough if both had the query's parameters. */
static bool has_enough_runs(const struct filter *f)
{
	return f->kept_count >= RUNS_MIN ||
	       (f->kept_count == 2 && f->kept[0].distance == 0 &&
		f->kept[1].distance == 0);
}

static int solve_regression(struct regression_model *m, const struct query *q)
{
	const struct filter *f = &m->filter;
	uint32_t processors = filter_processors(q->tasks, q->cpus);
	double x[COLUMNS_MAX] = { 0 };

	regression_begin(m->regression, m->columns);
	for (uint32_t i = 0; i < f->kept_count; i++)
		regression_add(
			m->regression, m->x[i], log(f->kept[i].runtime_s),
			f->kept[i].processors == processors ? 1 : OTHER_WEIGHT);
	for (size_t j = 1; j < m->columns; j++) {
		double tightness = 1 / m->priors[j].looseness;

		x[j] = tightness;
		regression_add(m->regression, x, m->priors[j].power * tightness,
			       1);
		x[j] = 0;
	}
	regression_add(m->regression, x, NOISE, 1);
	return regression_solve(m->regression);
}

/* [min / REACH, max * REACH] of the runs kept, wider outside their range. */
static double limit_reach(const struct regression_model *m, double ln_t)
{
	const struct filter *f = &m->filter;
	double low = HUGE_VAL, high = 0;
	double reach = log(REACH) + REACH_POWER * m->outside;

	for (uint32_t i = 0; i < f->kept_count; i++) {
		low = fmin(low, f->kept[i].runtime_s);
		high = fmax(high, f->kept[i].runtime_s);
	}
	/* cppcheck-suppress invalidFunctionArg ; of one run at least */
	return fmin(fmax(ln_t, log(low) - reach), log(high) + reach);
}

/* At the query if its sigma is small enough, else at FARTHEST. */
static double extrapolate(struct regression_model *m, double *ret_sigma)
{
	static const double at_query[COLUMNS_MAX] = { 1 };
	double beyond = 0, ln_t;

	m->beyond[0] = 1;
	for (size_t j = 1; j < m->columns; j++)
		beyond += fabs(m->beyond[j]);
	if (beyond > 0) {
		ln_t = regression_at(m->regression, m->beyond, ret_sigma);
		if (*ret_sigma <= FAR_SIGMA) {
			m->outside += beyond;
			return ln_t;
		}
	}
	return regression_at(m->regression, at_query, ret_sigma);
}

static int regression_model_predict(void *model, const struct history *history,
				    const struct query *query,
				    struct model_result *ret,
				    struct sp_error *err)
{
	struct regression_model *m = model;
	struct filter *f = &m->filter;
	bool with_conditions = conditions_known(query);

	keep_nearest(f, history, query, with_conditions);
	if (with_conditions && !has_enough_runs(f)) {
		with_conditions = false;
		keep_nearest(f, history, query, with_conditions);
	}
	if (!has_enough_runs(f))
		return sp_error_set(err, "%u similar runs are too few",
				    f->kept_count);
	add_columns(m, query, with_conditions);
	if (solve_regression(m, query))
		return sp_error_set(err, "the regression has no solution");

	double sigma;
	double ln_t = limit_reach(m, extrapolate(m, &sigma));
	double median_s = exp(ln_t);

	if (!isfinite(median_s) || median_s <= 0 || !isfinite(sigma))
		return sp_error_set(err, "the regression is out of range");
	model_result_set(ret, median_s, f->kept_count, sigma,
			 (double)regression_degrees(m->regression));
	return 0;
}

const struct model model_regression = {
	.name = "regression",
	.help = "linear regression on the nearest runs of the application",
	.costly = true,
	.create = regression_model_create,
	.destroy = regression_model_destroy,
	.predict = regression_model_predict,
};
