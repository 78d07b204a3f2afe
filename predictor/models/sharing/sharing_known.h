/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing_known.h - measurements that may be missing */
#pragma once

#include <math.h>

/* Return a measured value above 0, or `otherwise` for NAN and nonsense. */
static inline double sharing_known(double value, double otherwise)
{
	return isfinite(value) && value > 0 ? value : otherwise;
}
