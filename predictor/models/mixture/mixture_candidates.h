/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_candidates.h - the finished runs that are most likely similar */
#pragma once

#include "predictor/models/mixture/mixture_point.h"

/* Slots of at most `max` different runs, newest end first. */
int mixture_candidates(struct mixture_runs *runs,
		       const struct mixture_point *point, int max,
		       uint32_t *ret);
