/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lee_schopf_learn.h - learn the settings of an application
 *
 * Weights, the unit of work, and the number of runs to keep for each form and
 * filter: all are chosen by leave-one-out error over the runs in the history.
 */
#pragma once

#include "predictor/models/lee_schopf/lee_schopf_fit.h"

/* Runs needed to learn. */
#define LEARN_RUNS_MIN 8
/* The newest are used. */
#define LEARN_RUNS_MAX 128

/* The number of runs at which to learn again after `runs`; on average that
 * costs some regressions per run. */
uint32_t learn_next(uint32_t runs);

/* Learn `settings` from at most LEARN_RUNS_MAX points, starting from the old
 * ones.  `given` is the slot of the parameter `work`, -1: there is none.
 * Returns the number of regressions solved, which is bounded. */
uint32_t learn_settings(const struct points *points, int given,
			struct regression *scratch, struct nearest *nearest,
			struct settings *settings);
