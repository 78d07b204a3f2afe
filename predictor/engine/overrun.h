/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overrun.h - will a running job reach its time limit? */
#pragma once

#include "predictor/features/prediction.h"

/* Return the probability that a job which has run for elapsed_s does not end
 * before it has run for limit_s.  NAN: the job has no limit, or it is not
 * known, as the prediction does not rest on runs of the job's application. */
double engine_overrun_probability(const struct prediction *p, double elapsed_s,
				  double limit_s);
