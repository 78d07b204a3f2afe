/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known_or.h - measurements that may be missing */
#pragma once

#include <math.h>

/* Return a measured value above 0, or `other` for NAN and nonsense. */
static inline double known_or(double value, double other)
{
	return isfinite(value) && value > 0 ? value : other;
}
