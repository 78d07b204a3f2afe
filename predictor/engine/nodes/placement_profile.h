/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement_profile.h - a few numbers instead of a profile */
#pragma once

#include "predictor/features/profile.h"
#include "predictor/snapshot/placement_model.h"

/* `credit_s`: CPU seconds of a sleep that nodes give back at most, as in struct
 * measurement.  -1: the profile has too little; *ret is unchanged. */
int placement_model_from_profile(const struct profile *profile, double credit_s,
				 struct placement_model *ret);
