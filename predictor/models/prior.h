/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prior.h - what is assumed of a coefficient before any run
 *
 * In a regression of logarithms a coefficient is a power.  Its prior is added
 * as a weak observation: few runs then suffice, and coefficients of columns
 * that are constant or collinear stay at it.
 */
#pragma once

struct prior {
	double power;
	double looseness; /* standard deviation, in units of the noise */
};

static const struct prior prior_of_parameter = { 0.5, 15 };
