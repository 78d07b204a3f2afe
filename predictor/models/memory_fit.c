/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory_fit.c - how the peaks of memory of runs follow their parameters
 *
 * ln(peak) by linear regression on logarithms of the parameters: on ln x, for
 * memory that grows as a power of x, and on ln(x + middle), for memory with a
 * constant part.  Each coefficient has a prior, as in regression.c, here 0.
 * Few runs fit to many numbers by chance: the fit counts if the squared errors
 * of the runs, each in the fit without it, are a part GAIN of those of the
 * mean, or less.
 *
 * Constants were chosen on powers, products and constant parts with noise and
 * a seed: of 8 and 20 runs with 2 % of noise 1.35 and 1.25 times the need is
 * advised, with 20 % twice, and 97 to 99 % of the jobs are covered.  Fewer runs
 * than RUNS_MIN follow by chance too often.
 *
 * Where the job is outside of the range of the runs and the fit falls out
 * there, the fit at the end of the range counts.
 */
#include <math.h>
#include <string.h>

#include "predictor/models/memory_fit.h"
#include "predictor/stats/least_squares.h"
#include "predictor/stats/quantile.h"

#define RUNS_MIN   8
#define GAIN       0.25
#define LOOSENESS  10.0 /* of the prior, as in prior.h */
#define TAIL_Z     2.05 /* 98 % of a normal distribution are below */
#define MARGIN_MIN 1.15
#define MARGIN_MAX 3

/* ln of the factor by which peaks are the same within and outside of the range:
 * a number without meaning, as a seed, may be anywhere. */
#define NOWHERE 0.1

/* A smaller range of logarithms tells nothing. */
#define VARIES_MIN 1e-3

/* The runs, the job brought into their range, and the job. */
#define ROWS_MAX    (MEMORY_FIT_RUNS + 2)
#define COLUMNS_MAX (1 + 2 * PARAMETERS_MAX)

struct fit {
	struct regression *regression;
	size_t rows, columns;
	const struct parameters *of[ROWS_MAX];
	double ln_peak[ROWS_MAX]; /* NAN: it is no sample */
	double x[ROWS_MAX][COLUMNS_MAX];
	struct parameters near; /* of the row before the last */
	bool varies[PARAMETERS_MAX];
};

static void add_parameter(struct fit *f, int j)
{
	double low = HUGE_VAL, high = -HUGE_VAL, least = HUGE_VAL;

	for (size_t i = 0; i < f->rows; i++) {
		double value = f->of[i]->of[j].value;

		least = fmin(least, value);
		if (isnan(f->ln_peak[i]))
			continue;
		low = fmin(low, value);
		high = fmax(high, value);
	}
	f->varies[j] = low < high;
	f->near.of[j].value = fmin(fmax(f->near.of[j].value, low), high);
	for (int shifted = 0; shifted <= 1; shifted++) {
		double middle = low > 0 ? sqrt(low) * sqrt(high) : high / 2;
		double shift = shifted ? middle : 0;

		if (!(least + shift > 0) ||
		    !(log((high + shift) / (low + shift)) > VARIES_MIN))
			continue;
		for (size_t i = 0; i < f->rows; i++)
			f->x[i][f->columns] =
				log(f->of[i]->of[j].value / 2 + shift / 2);
		f->columns++;
	}
}

/* Return the error of a sample in the fit without it; 0: it is none. */
static double find_error(const struct fit *f, size_t i)
{
	return isnan(f->ln_peak[i])
		       ? 0
		       : (f->ln_peak[i] -
			  regression_at(f->regression, f->x[i], NULL)) /
				 (1 -
				  regression_leverage(f->regression, f->x[i]));
}

/* Fit to the first columns.  Return the sum of the squared errors; HUGE_VAL:
 * there is no fit. */
static double solve(struct fit *f, size_t columns)
{
	double prior[COLUMNS_MAX] = { 0 }, squares = 0;

	regression_begin(f->regression, columns);
	for (size_t i = 0; i < f->rows; i++)
		if (!isnan(f->ln_peak[i]))
			regression_add(f->regression, f->x[i], f->ln_peak[i],
				       1);
	for (size_t k = 1; k < columns; k++) {
		prior[k] = 1 / LOOSENESS;
		regression_add(f->regression, prior, 0, 1);
		prior[k] = 0;
	}
	if (regression_solve(f->regression))
		return HUGE_VAL;
	for (size_t i = 0; i < f->rows; i++)
		squares += find_error(f, i) * find_error(f, i);
	return squares;
}

/* Find scales and margin; false, with nothing set: the fit is too wide.
 * *ret_moves: the job needs other memory than one in the range. */
static bool find_scales(const struct fit *f, struct memory_fit *ret,
			bool *ret_moves)
{
	double ln[ROWS_MAX] = { 0 }, deviation = 0, most = 0;
	size_t near = f->rows - 2, job = f->rows - 1;

	for (size_t i = 0; i < f->rows; i++) {
		ln[i] = regression_at(f->regression, f->x[i], &deviation);
		if (isnan(f->ln_peak[i]))
			continue;
		ln[i] = f->ln_peak[i] - find_error(f, i);
		most = fmax(most, find_error(f, i));
	}

	double degrees = (double)regression_degrees(f->regression);
	double tail = deviation * quantile_student(TAIL_Z, degrees);

	if (!(exp(fmax(tail, most)) <= MARGIN_MAX))
		return false;
	for (size_t i = 0; i < near; i++)
		ret->scales[i] = exp(fmax(ln[job], ln[near]) - ln[i]);
	ret->margin = fmax(MARGIN_MIN, exp(tail - most));
	*ret_moves = fabs(ln[job] - ln[near]) > NOWHERE;
	return true;
}

/* Return by how much the job is out of the range.  Nobody knows the effect of
 * what has never varied. */
static double find_beyond(const struct fit *f, const struct parameters *job,
			  bool follows, bool moves)
{
	double beyond = 1;

	for (int j = 0; j < job->count; j++) {
		double value = job->of[j].value, end = f->near.of[j].value;
		double low = fmin(value, end), high = fmax(value, end);
		bool fitted = follows && f->varies[j];

		if (value == end || (fitted ? !moves : value < end))
			continue;
		beyond = fmax(beyond, low > 0 && fitted == follows ? high / low
								   : HUGE_VAL);
	}
	return beyond;
}

void memory_fit_find(const struct parameters *job,
		     const struct memory_fit_run runs[], size_t count,
		     struct memory_fit *ret)
{
	struct fit f = { .regression = regression_create(ROWS_MAX + COLUMNS_MAX,
							 COLUMNS_MAX),
			 .rows = count + 2,
			 .columns = 1,
			 .near = *job };
	bool follows = false, moves = false;
	int samples = 0;

	*ret = (struct memory_fit){ .margin = NAN };
	for (size_t i = 0; i < f.rows; i++) {
		f.of[i] = i < count    ? runs[i].parameters
			  : i == count ? &f.near
				       : job;
		f.ln_peak[i] = i < count ? log(runs[i].peak_mb) : NAN;
		f.x[i][0] = 1;
		samples += !isnan(f.ln_peak[i]);
	}
	for (int j = 0; j < job->count; j++)
		add_parameter(&f, j);
	if (f.regression && f.columns > 1 && samples >= RUNS_MIN) {
		double of_mean = solve(&f, 1);

		follows = of_mean > VARIES_MIN * VARIES_MIN &&
			  solve(&f, f.columns) <= GAIN * of_mean &&
			  find_scales(&f, ret, &moves);
	}
	regression_destroy(f.regression);
	ret->beyond = find_beyond(&f, job, follows, moves);
}
