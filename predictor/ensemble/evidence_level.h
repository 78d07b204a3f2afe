/* SPDX-License-Identifier: GPL-2.0-or-later */
/* evidence_level.h - whose runs a prediction rests on, and how many
 *
 * The one definition of evidence, for all that people read, and for
 * limits that are set: enum evidence_level, prediction_is_guess() and
 * evidence_words() in prediction.h carry it.
 */
#pragma once

#include "predictor/ensemble/ensemble.h"
#include "predictor/models/history.h"

/* Set evidence_level, evidence_runs and own_runs of `ret`, which `verdict` is
 * of. */
void evidence_find(const struct history *h, const struct subject *subject,
		   const struct verdict *verdict, struct prediction *ret);
