/* lee_schopf_learn.h - what the filters of an application should be
 *
 * Weights, the unit of work, and for each form and filter how many runs to
 * keep: all chosen by leave-one-out error over the runs that are there.
 */
#ifndef PREDICTOR_MODELS_LEE_SCHOPF_LEE_SCHOPF_LEARN_H
#define PREDICTOR_MODELS_LEE_SCHOPF_LEE_SCHOPF_LEARN_H

#include "predictor/models/lee_schopf/lee_schopf_fit.h"

/* Fewer runs teach nothing. */
#define LEARN_RUNS_MIN 8
/* Of more, only the newest are looked at. */
#define LEARN_RUNS_MAX 128

/* The runs after which to learn again, if learned from `runs`: so that all
 * learning together costs some regressions per run. */
uint32_t learn_next(uint32_t runs);

/* Learn `settings` of at most LEARN_RUNS_MAX points; what they were before
 * counts as a proposal.  `given` is the slot of a parameter that tells the
 * work, -1 if there is none.  Returns the number of regressions that it took,
 * which is bounded. */
uint32_t learn_settings(const struct points *points, int given,
			struct regression *scratch, struct nearest *nearest,
			struct settings *settings);

#endif
