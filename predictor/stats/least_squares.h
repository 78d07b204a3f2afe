/* SPDX-License-Identifier: GPL-2.0-or-later */
/* least_squares.h - linear least squares for columns that may not
 * be independent
 *
 * Small dense problems, solved over and over without allocation.  Columns are
 * scaled, and if they depend on each other, or nearly so, the solution is taken
 * from a truncated singular value decomposition (GSL), so that constant,
 * collinear or too many columns give the shortest of the best solutions instead
 * of nonsense.  Rows may be added after a solution, and solved again.
 *
 * Prior knowledge is a row, too: that a coefficient is m, with a standard
 * deviation of v times that of an observation, is 1/v in its column with the
 * value m/v.
 */
#pragma once

#include <stddef.h>

struct regression;

/* Return NULL if memory is exhausted.  Turns GSL's error handler off, for
 * the process. */
struct regression *regression_create(size_t rows_max, size_t columns_max);
void regression_destroy(struct regression *r); /* NULL is allowed */

/* Start over, with `columns` (1 to columns_max). */
void regression_begin(struct regression *r, size_t columns);

/* Add the observation `y` at `x[columns]`, all finite, with weight > 0.
 * Beyond rows_max it is left out. */
void regression_add(struct regression *r, const double x[], double y,
		    double weight);

/* Add many rows of weight 1 at once: write them to each column, and to y, from
 * these pointers on; then add them.  At most rows_max in all. */
double *regression_next(struct regression *r, size_t column);
double *regression_next_y(struct regression *r);
void regression_add_next(struct regression *r, size_t rows);

/* Return -1 if there are no rows, or no numerical solution; then there are
 * no results. */
int regression_solve(struct regression *r);

/* Rows less the rank of the columns; 0: s is not known. */
size_t regression_degrees(const struct regression *r);

/* Residual standard deviation of an observation of weight 1; 0 without degrees
 * of freedom. */
double regression_s(const struct regression *r);

double regression_coefficient(const struct regression *r, size_t column);

/* x' (X' W X)^-1 x.  If an observation of weight 1 at `x[columns]` has the
 * residual e in the fit, it is e / (1 - leverage) in the fit without it. */
double regression_leverage(const struct regression *r, const double x[]);

/* Return the value at `x[columns]`, and the standard deviation of its
 * difference from a new observation there: sqrt(x' C x + s^2), C the
 * coefficients' covariance. */
double regression_at(const struct regression *r, const double x[],
		     double *ret_deviation);
