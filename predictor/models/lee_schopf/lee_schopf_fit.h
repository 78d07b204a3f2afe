/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lee_schopf_fit.h - the filters and the two forms of regression of [1]
 *
 * nearest_find() is the filter of section 2.2, fit_*() the regressions of
 * section 2.1: direct (DP), the run time on all variables, and indirect (IP),
 * the base time (run time over S) on the resources, and S times that.
 *
 * Only variables that matter (weights.h) are columns, in the order of their
 * weights, and only as many as there are runs for.
 *
 * [1] B.-D. Lee, J. M. Schopf: Run-Time Prediction of Parallel Applications
 *     on Shared Environments, IEEE Cluster 2003.
 */
#pragma once

#include "predictor/models/lee_schopf/lee_schopf_points.h"
#include "predictor/models/lee_schopf/lee_schopf_unit.h"
#include "predictor/stats/least_squares.h"

enum form { FORM_DP, FORM_IP, FORMS };

enum form_filter {
	FILTER_NO,
	FILTER_NP,        /* the same number of processors */
	FILTER_NP_R,      /* and near by resources */
	FILTER_NP_PARM,   /* and near by parameters */
	FILTER_NP_R_PARM, /* and near by both */
	FILTERS
};

#define KEPT_TRIED 10 /* numbers of runs kept that are tried */

/* Learned for each application. */
struct settings {
	float importance[SLOTS]; /* as weights_learn() finds it */
	float factors[SLOTS];    /* found by trials */
	double weights[SLOTS];   /* w_i of [1], their product */
	uint32_t changes;        /* of factors, tried so far */
	uint32_t columns;        /* slots that the regression uses */
	bool has_unit;
	struct unit unit;
	uint16_t kept[FORMS][FILTERS]; /* runs kept; 0: not known */
	/* Relative error with each number tried. */
	float errors[FORMS][FILTERS][KEPT_TRIED];
};

/* Before anything is learned: all variables, with equal weights. */
extern const struct settings settings_initial;

/* --- Filters -------------------------------------------------------------- */

struct nearest {
	uint32_t count;
	uint16_t of[POINTS_MAX]; /* points */
	double distance[POINTS_MAX];
};

/* Find the `k` points nearest to q by a filter, nearest first, newer before
 * older if equally near; if there are no more than k, in any order unless
 * `sorted`.  `except` is left out.  The distance is that of [1] section 2.2:
 * the sum of w_i |d_i - q_i| / range_i over the filter's slots; in a dimension
 * without range a different value counts w_i. */
void nearest_find(const struct points *points, enum form_filter filter,
		  const double weights[SLOTS], const double q[SLOTS],
		  uint32_t k, bool sorted, uint32_t except,
		  struct nearest *ret);

/* --- Regressions ---------------------------------------------------------- */

struct fit {
	const struct points *points;
	const struct unit *unit; /* NULL: direct */
	struct regression *regression;
	uint32_t origin;    /* columns are differences from this point */
	double origin_size; /* its S */
	int columns_possible;
	int columns_count; /* in use, the first of: */
	int columns[SLOTS + 1];
	double low, high; /* of the response */
	uint32_t rows;
};

/* Among the slots that are columns: the start-up of a unit that has one. */
#define COLUMN_STARTUP SLOTS

#define FIT_COLUMNS_MAX (1 + SLOTS + 1)

/* Prepare a regression with point `origin` (the nearest).  -1: not possible in
 * this form. */
int fit_prepare(struct fit *fit, struct regression *regression,
		const struct points *points, const struct settings *settings,
		enum form form, enum form_filter filter, uint32_t origin);

/* The number of columns, besides the constant, for this many rows. */
int fit_columns(const struct fit *fit, uint32_t rows);

/* Begin it for `rows` rows, with fit_columns() columns, those of most weight.
 */
void fit_begin(struct fit *fit, uint32_t rows);

/* Add points; no more than POINTS_MAX in all. */
void fit_add(struct fit *fit, const uint16_t of[], uint32_t count);

/* Find the run time at q, > 0 and finite, from the rows so far; and the
 * standard deviation of ln(run time / it) if `ret_sigma`.  It is within some
 * factor of the rows' values.  -1: there is no solution. */
int fit_at(struct fit *fit, const double q[SLOTS], double *ret_runtime_s,
	   double *ret_sigma);
