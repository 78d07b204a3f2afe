/* SPDX-License-Identifier: GPL-2.0-or-later */
/* least_squares.c - linear least squares for columns that may not
 * be independent
 *
 * [1] GNU Scientific Library, "Linear Least-Squares Fitting":
 *     gsl_multifit_wlinear_tsvd() scales the columns (bsvd) and drops singular
 *     values below a tolerance.
 *
 * Most problems are well conditioned, and for them the normal equations with
 * Cholesky's factors are as exact and five times as fast.  To solve again after
 * more rows costs only their sums and the factors.  The factors show when
 * columns may depend on each other: then [1] solves it.
 *
 * The matrix is stored by columns, and summed up many rows at a time.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>

#include "predictor/stats/least_squares.h"

/* Singular values below this part of the largest are rounding errors. */
#define TOLERANCE 1e-9
/* If less than this part (of its square) of a column is independent of others,
 * the decomposition is used. */
#define OWN_SHARE 1e-6

/* Padding between columns: a stride of a power of 2 would map all of them to
 * the same cache lines. */
#define PADDING 8
/* Independent partial sums, for instruction-level parallelism. */
#define LANES 8

struct regression {
	size_t rows_max, columns_max, stride, rows, columns;
	size_t summed; /* of the rows, in G and b */
	size_t rank;
	double chi2; /* weighted sum of squared residuals */
	gsl_multifit_linear_workspace *work;
	double *X; /* columns, each in `stride` */
	double *y, *w;
	double *scratch; /* as long as a column */
	double *by_rows; /* X as GSL wants it */
	double *c;       /* coefficients */
	double *cov;     /* of the coefficients, if s were 1 */
	bool fast;       /* solved by the factors: `cov` is not set */
	double *G; /* X' W X, the lower triangle, in rows of columns_max */
	double *b; /* X' W y */
	double *L; /* Cholesky's factor of G, columns scaled to length 1 */
	double *inverse_length; /* of the columns; 0: they are 0 */
	double *inverse_own;    /* 1 / L[i][i] */
	double *z;              /* scratch, as wide as the columns */
	double numbers[];       /* what the pointers point to */
};

struct regression *regression_create(size_t rows_max, size_t columns_max)
{
	size_t stride = rows_max + PADDING, square = columns_max * columns_max;
	size_t numbers = (stride + rows_max + 5) * columns_max + 3 * rows_max +
			 3 * square;
	struct regression *r =
		calloc(1, sizeof(*r) + numbers * sizeof(r->numbers[0]));

	if (!r)
		return NULL;
	/* GSL would abort the process on any error. */
	gsl_set_error_handler_off();
	r->rows_max = rows_max;
	r->columns_max = columns_max;
	r->stride = stride;
	r->X = r->numbers;
	r->by_rows = r->X + stride * columns_max;
	r->y = r->by_rows + rows_max * columns_max;
	r->w = r->y + rows_max;
	r->scratch = r->w + rows_max;
	r->cov = r->scratch + rows_max;
	r->G = r->cov + square;
	r->L = r->G + square;
	r->c = r->L + square;
	r->b = r->c + columns_max;
	r->inverse_length = r->b + columns_max;
	r->inverse_own = r->inverse_length + columns_max;
	r->z = r->inverse_own + columns_max;
	r->work = gsl_multifit_linear_alloc(rows_max, columns_max);
	if (r->work)
		return r;
	free(r);
	return NULL;
}

void regression_destroy(struct regression *r)
{
	if (!r)
		return;
	gsl_multifit_linear_free(r->work);
	free(r);
}

void regression_begin(struct regression *r, size_t columns)
{
	r->columns = columns < r->columns_max ? columns : r->columns_max;
	r->rows = 0;
	r->summed = 0;
	r->rank = 0;
	r->chi2 = 0;
	for (size_t i = 0; i < r->columns; i++) {
		r->b[i] = 0;
		for (size_t j = 0; j <= i; j++)
			r->G[i * r->columns_max + j] = 0;
	}
}

/* --- Rows ----------------------------------------------------------------- */

static double *column_of(const struct regression *r, size_t column)
{
	return r->X + column * r->stride;
}

void regression_add(struct regression *r, const double x[], double y,
		    double weight)
{
	if (r->rows >= r->rows_max)
		return;
	for (size_t i = 0; i < r->columns; i++)
		column_of(r, i)[r->rows] = x[i];
	r->y[r->rows] = y;
	r->w[r->rows] = weight;
	r->rows++;
}

double *regression_next(struct regression *r, size_t column)
{
	return column_of(r, column) + r->rows;
}

double *regression_next_y(struct regression *r)
{
	return r->y + r->rows;
}

void regression_add_next(struct regression *r, size_t rows)
{
	for (size_t i = r->rows; i < r->rows + rows; i++)
		r->w[i] = 1;
	r->rows += rows;
}

/* --- Normal equations ----------------------------------------------------- */

static double dot(const double a[], const double b[], size_t n)
{
	double sums[LANES] = { 0 };
	double sum = 0;
	size_t i = 0;

	for (; i + LANES <= n; i += LANES)
		for (size_t lane = 0; lane < LANES; lane++)
			sums[lane] += a[i + lane] * b[i + lane];
	for (; i < n; i++)
		sum += a[i] * b[i];
	for (size_t lane = 0; lane < LANES; lane++)
		sum += sums[lane];
	return sum;
}

/* Add the rows since the last solution to G and b. */
static void sum_rows(struct regression *r)
{
	size_t first = r->summed;
	size_t n = r->rows - first;
	double *wx = r->scratch;

	for (size_t i = 0; i < r->columns; i++) {
		const double *x = column_of(r, i) + first;
		double *G = r->G + i * r->columns_max;

		for (size_t k = 0; k < n; k++)
			wx[k] = r->w[first + k] * x[k];
		for (size_t j = 0; j <= i; j++)
			G[j] += dot(wx, column_of(r, j) + first, n);
		r->b[i] += dot(wx, r->y + first, n);
	}
	r->summed = r->rows;
}

/* Return the weighted sum of squared residuals. */
static double sum_of_squares(struct regression *r)
{
	double *e = r->scratch;
	double sums[LANES] = { 0 };
	double sum = 0;

	for (size_t k = 0; k < r->rows; k++)
		e[k] = r->y[k];
	for (size_t i = 0; i < r->columns; i++) {
		const double *x = column_of(r, i);
		double c = r->c[i];

		for (size_t k = 0; k < r->rows; k++)
			e[k] -= x[k] * c;
	}
	for (size_t k = 0; k < r->rows; k++)
		sums[k % LANES] += r->w[k] * e[k] * e[k];
	for (size_t lane = 0; lane < LANES; lane++)
		sum += sums[lane];
	return sum;
}

/* Cholesky's factor of G; returns the rank, or 0 if columns may depend on each
 * other. */
static size_t find_factor(struct regression *r)
{
	size_t n = r->columns;
	size_t rank = 0;

	for (size_t i = 0; i < n; i++) {
		double square = r->G[i * r->columns_max + i];

		if (!isfinite(square))
			return 0;
		r->inverse_length[i] = square > 0 ? 1 / sqrt(square) : 0;
		rank += square > 0;
	}
	for (size_t i = 0; i < n; i++) {
		const double *G = r->G + i * r->columns_max;
		double *L = r->L + i * n;

		for (size_t j = 0; j < i; j++)
			L[j] = G[j] * r->inverse_length[i] *
			       r->inverse_length[j];
		L[i] = 1;
	}

	gsl_matrix_view L = gsl_matrix_view_array(r->L, n, n);

	if (rank > r->rows || gsl_linalg_cholesky_decomp1(&L.matrix))
		return 0;
	for (size_t i = 0; i < n; i++) {
		double own = r->L[i * n + i];

		if (!(own * own >= OWN_SHARE))
			return 0;
		r->inverse_own[i] = 1 / own;
	}
	return rank;
}

static int solve_fast(struct regression *r)
{
	size_t n = r->columns;

	sum_rows(r);

	size_t rank = find_factor(r);

	if (!rank)
		return -1;
	for (size_t i = 0; i < n; i++)
		r->c[i] = r->b[i] * r->inverse_length[i];

	gsl_matrix_view L = gsl_matrix_view_array(r->L, n, n);
	gsl_vector_view c = gsl_vector_view_array(r->c, n);

	if (gsl_linalg_cholesky_svx(&L.matrix, &c.vector))
		return -1;
	for (size_t i = 0; i < n; i++) {
		r->c[i] *= r->inverse_length[i];
		if (!isfinite(r->c[i]))
			return -1;
	}
	r->rank = rank;
	r->chi2 = sum_of_squares(r);
	return isfinite(r->chi2) ? 0 : -1;
}

/* --- Solutions ------------------------------------------------------------ */

/* GSL requires as many rows as columns; rows of weight 0 change nothing. */
static size_t make_by_rows(struct regression *r)
{
	size_t n = r->rows;

	for (size_t k = 0; k < n; k++)
		for (size_t j = 0; j < r->columns; j++)
			r->by_rows[k * r->columns + j] = column_of(r, j)[k];
	for (; n < r->columns && n < r->rows_max; n++) {
		for (size_t j = 0; j < r->columns; j++)
			r->by_rows[n * r->columns + j] = 0;
		r->y[n] = 0;
		r->w[n] = 0;
	}
	return n;
}

int regression_solve(struct regression *r)
{
	if (!r->rows || !r->columns)
		return -1;

	r->fast = solve_fast(r) == 0;
	if (r->fast)
		return 0;

	size_t n = make_by_rows(r);

	if (n < r->columns)
		return -1;

	gsl_matrix_view X = gsl_matrix_view_array(r->by_rows, n, r->columns);
	gsl_vector_view y = gsl_vector_view_array(r->y, n);
	gsl_vector_view w = gsl_vector_view_array(r->w, n);
	gsl_vector_view c = gsl_vector_view_array(r->c, r->columns);
	gsl_matrix_view cov =
		gsl_matrix_view_array(r->cov, r->columns, r->columns);

	if (gsl_multifit_wlinear_tsvd(&X.matrix, &w.vector, &y.vector,
				      TOLERANCE, &c.vector, &cov.matrix,
				      &r->chi2, &r->rank, r->work))
		return -1;
	for (size_t j = 0; j < r->columns; j++)
		if (!isfinite(r->c[j]))
			return -1;
	return isfinite(r->chi2) ? 0 : -1;
}

size_t regression_degrees(const struct regression *r)
{
	return r->rows > r->rank ? r->rows - r->rank : 0;
}

double regression_s(const struct regression *r)
{
	size_t degrees = regression_degrees(r);

	return degrees ? sqrt(r->chi2 / (double)degrees) : 0;
}

double regression_coefficient(const struct regression *r, size_t column)
{
	return r->c[column];
}

/* Return the square of L^-1 x, x scaled as the columns are. */
static double leverage_fast(const struct regression *r, const double x[])
{
	size_t n = r->columns;
	double sum = 0;
	double *z = r->z;

	for (size_t i = 0; i < n; i++) {
		const double *L = r->L + i * n;

		z[i] = x[i] * r->inverse_length[i];
		for (size_t j = 0; j < i; j++)
			z[i] -= L[j] * z[j];
		z[i] *= r->inverse_own[i];
		sum += z[i] * z[i];
	}
	return sum;
}

double regression_leverage(const struct regression *r, const double x[])
{
	if (r->fast)
		return leverage_fast(r, x);

	double sum = 0;

	for (size_t i = 0; i < r->columns; i++)
		for (size_t j = 0; j < r->columns; j++)
			sum += x[i] * r->cov[i * r->columns + j] * x[j];
	return sum;
}

double regression_at(const struct regression *r, const double x[],
		     double *ret_deviation)
{
	double value = 0;

	for (size_t i = 0; i < r->columns; i++)
		value += x[i] * r->c[i];
	if (ret_deviation)
		*ret_deviation =
			regression_s(r) * sqrt(1 + regression_leverage(r, x));
	return value;
}
