/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overrun.c - will a running job reach its time limit? */
#include <math.h>

#include "predictor/engine/overrun.h"
#include "predictor/ensemble/ensemble.h"

/* Quantiles end at the limit, where Slurm ends the job. */
#define AT_LIMIT (1 - 1e-4)

double engine_overrun_probability(const struct prediction *p, double elapsed_s,
				  double limit_s)
{
	/* Runs that reached such a limit tell of it, though none completed. */
	if (p->basis != BASIS_HISTORY ||
	    (prediction_is_guess(p->basis, p->evidence_level) &&
	     !p->over_limit) ||
	    !(p->knots_s[0] > 0) || !isfinite(limit_s) || !(elapsed_s >= 0))
		return NAN;
	if (elapsed_s >= limit_s * AT_LIMIT)
		return 1;

	double ended = verdict_probability(p->knots_s, elapsed_s);
	double ends = verdict_probability(p->knots_s, limit_s * AT_LIMIT);

	return ended < 1 ? (1 - ends) / (1 - ended) : NAN;
}
