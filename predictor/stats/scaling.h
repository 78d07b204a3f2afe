/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scaling.h - run time over the number of nodes, from runs on some numbers
 *
 *	T(n) = c1 + c2 / n + c3 log2 n + c4 n,	all c >= 0:
 *
 * serial work, divided work, trees of messages, messages to all.  Pure; memory
 * comes from the caller.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/stats/least_squares.h"

enum scaling_term {
	SCALING_CONSTANT,
	SCALING_DIVIDED,
	SCALING_LOG,
	SCALING_LINEAR,
	SCALING_TERMS
};

#define SCALING_SETS      (1U << SCALING_TERMS) /* of terms, a bit for each */
#define SCALING_ALL_TERMS (SCALING_SETS - 1)

#define SCALING_RUNS_MAX   512
#define SCALING_COUNTS_MAX 32

struct scaling_run {
	int n;            /* nodes, >= 1 */
	double runtime_s; /* > 0 */
};

/* A mean of fits, each with a set of terms. */
struct scaling {
	double c[SCALING_SETS][SCALING_TERMS];
	double weights[SCALING_SETS]; /* sum: 1 */
	/* The covariance of the coefficients of a set, with run times of
	 * variance 1 in ln. */
	double covariance[SCALING_SETS][SCALING_TERMS][SCALING_TERMS];
	double noise;     /* standard deviation of ln(run time) on the same
			     number of nodes */
	int n_min, n_max; /* that were seen */
};

/* Fit runs[count], count <= SCALING_RUNS_MAX, with `terms` or fewer.
 * `workspace` has room for SCALING_RUNS_MAX rows of SCALING_TERMS columns.
 * Fails if all runs are on one number of nodes, or on more than
 * SCALING_COUNTS_MAX. */
int scaling_fit(const struct scaling_run runs[], int count, unsigned terms,
		struct regression *workspace, struct scaling *ret,
		struct sp_error *err);

/* Run time on n nodes in seconds: the mean, and the bound z standard deviations
 * above, of the runs, of the coefficients and of the fits around their mean. */
double scaling_time(const struct scaling *scaling, int n);
double scaling_bound(const struct scaling *scaling, int n, double z);

/* Return the mean's coefficient of a term, in seconds: scaling_time() is the
 * sum of all. */
double scaling_coefficient(const struct scaling *scaling,
			   enum scaling_term term);

/* Messages that the process with most of them sent and received, on n nodes. */
struct scaling_messages {
	int n;
	double messages;
};

/* Return the terms that agree with how messages grow: constant (neighbours),
 * as log n (trees) or as n (all to all).  All of them, if there are no messages
 * on two numbers of nodes from 2 on. */
unsigned scaling_terms(const struct scaling_messages messages[], int count);
