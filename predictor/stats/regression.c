/* regression.c - linear least squares for columns that may not be independent
 *
 * [1] GNU Scientific Library, "Linear Least-Squares Fitting":
 *     gsl_multifit_wlinear_tsvd() scales the columns (bsvd) and drops singular
 *     values below a tolerance.
 */
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>

#include "predictor/stats/regression.h"

/* Singular values below this share of the largest are taken for rounding. */
#define TOLERANCE 1e-9

struct regression {
	size_t rows_max, columns_max;
	size_t rows, columns;
	size_t rank;
	double chi2; /* weighted sum of squared residuals */
	gsl_multifit_linear_workspace *work;
	double *X; /* rows_max * columns_max, rows of `columns` */
	double *y, *w;
	double *c;   /* coefficients */
	double *cov; /* of the coefficients, if s were 1 */
};

struct regression *regression_create(size_t rows_max, size_t columns_max)
{
	struct regression *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	/* GSL would abort the process on any error. */
	gsl_set_error_handler_off();
	r->rows_max = rows_max;
	r->columns_max = columns_max;
	r->work = gsl_multifit_linear_alloc(rows_max, columns_max);
	r->X = calloc(rows_max * columns_max, sizeof(double));
	r->y = calloc(rows_max, sizeof(double));
	r->w = calloc(rows_max, sizeof(double));
	r->c = calloc(columns_max, sizeof(double));
	r->cov = calloc(columns_max * columns_max, sizeof(double));
	if (r->work && r->X && r->y && r->w && r->c && r->cov)
		return r;
	regression_destroy(r);
	return NULL;
}

void regression_destroy(struct regression *r)
{
	if (!r)
		return;
	if (r->work)
		gsl_multifit_linear_free(r->work);
	free(r->X);
	free(r->y);
	free(r->w);
	free(r->c);
	free(r->cov);
	free(r);
}

void regression_begin(struct regression *r, size_t columns)
{
	r->columns = columns < r->columns_max ? columns : r->columns_max;
	r->rows = 0;
	r->rank = 0;
	r->chi2 = 0;
}

void regression_add(struct regression *r, const double x[], double y,
		    double weight)
{
	if (r->rows >= r->rows_max)
		return;
	for (size_t j = 0; j < r->columns; j++)
		r->X[r->rows * r->columns + j] = x[j];
	r->y[r->rows] = y;
	r->w[r->rows] = weight;
	r->rows++;
}

/* GSL wants no fewer rows than columns; rows of no weight change nothing. */
static size_t rows_padded(struct regression *r)
{
	size_t n = r->rows;

	for (; n < r->columns && n < r->rows_max; n++) {
		for (size_t j = 0; j < r->columns; j++)
			r->X[n * r->columns + j] = 0;
		r->y[n] = 0;
		r->w[n] = 0;
	}
	return n;
}

int regression_solve(struct regression *r)
{
	if (!r->rows || !r->columns)
		return -1;

	size_t n = rows_padded(r);

	if (n < r->columns)
		return -1;

	gsl_matrix_view X = gsl_matrix_view_array(r->X, n, r->columns);
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

double regression_at(const struct regression *r, const double x[],
		     double *ret_deviation)
{
	double value = 0;
	double variance = 1; /* in units of s^2 */

	for (size_t i = 0; i < r->columns; i++) {
		value += x[i] * r->c[i];
		for (size_t j = 0; j < r->columns; j++)
			variance += x[i] * r->cov[i * r->columns + j] * x[j];
	}
	if (ret_deviation)
		*ret_deviation = regression_s(r) * sqrt(variance);
	return value;
}
