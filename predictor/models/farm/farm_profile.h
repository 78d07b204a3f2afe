/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_profile.h - whether a profiled run was a farm */
#pragma once

#include "predictor/features/profile.h"

/* Set profile->farm of a run, from what its nodes saw and from the rest of the
 * profile.  Without memory, or where too little is known, it is no farm. */
void farm_profile_set(const struct run *run, const struct profile_share *shares,
		      size_t count, struct profile *profile);
