/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lee_schopf.h - the run-time predictors of Lee and Schopf
 *
 * Ten rows of models[]: direct and indirect prediction (DP, IP), each with no
 * filter and with NP, NP_R, NP_PARM, NP_R_PARM.  They are one family, whose
 * object reads the runs of a query once for all rows, and has the settings
 * learned for each application: w_i, the unit of work, the numbers of runs
 * kept.
 *
 * Settings are learned for applications that were queried, when a run ends,
 * after 8, 16, 24, 32, 48, 64, 96, ... runs, from the newest 128.  Until then
 * DP has equal weights, and IP no result.
 *
 * Measured on synthetic N-body runs as in [1], figure 2: 2,000 to 13,000 bodies
 * on 1 to 8 of 8 nodes, each with a load that is a random walk, also while the
 * job runs; normalized percentage error of runs 101 to 200,
 * and of runs 301 to 400, mean of many seeds (regression.c: 8.2, 7.8):
 *
 *            no filter      NP           NP_R         NP_PARM      NP_R_PARM
 *     DP     35.6  35.7     18.8  18.0   17.7  14.9   12.8  10.2   12.8   9.8
 *     IP      8.9   9.0      8.9   8.3    8.6   7.7    8.9   8.2    8.9   8.2
 *
 * A row takes 1 to 3 us to predict (without filter 6 to 16), reading the runs
 * for all ten 2 to 6 us, learning 12 to 34 us per run on average.
 *
 * [1] B.-D. Lee, J. M. Schopf: Run-Time Prediction of Parallel Applications
 *     on Shared Environments, IEEE Cluster 2003.
 */
#pragma once

#include "predictor/models/lee_schopf/lee_schopf_fit.h"
#include "predictor/models/model.h"

#define LEE_SCHOPF_ROWS (FORMS * FILTERS)

extern const struct model lee_schopf_rows[LEE_SCHOPF_ROWS];

/* Applications (with parameters of the same names) whose settings are kept; of
 * more, the least recently used are dropped. */
#define LEE_SCHOPF_APPLICATIONS 2048

/* Return the settings of the query's application; NULL: not learned yet.
 * `model` is an object that a row created. */
const struct settings *lee_schopf_settings(const void *model,
					   const struct query *query);

/* Regressions solved for learning so far. */
uint64_t lee_schopf_fits(const void *model);
