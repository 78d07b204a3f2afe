/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lee_schopf_unit.h - the unit of an application's work, for
 * indirect prediction
 *
 * [1] section 2.1 predicts the "time to compute the unit size of the problem on
 * a processor", and the run time as S times that.  What S is must be found: a
 * product of powers of parameters, divided by the processors or not.  The
 * candidates compete by the leave-one-out error of the run time; a parameter
 * of the name `work` is S itself.
 *
 * Departures from [1], measured as in lee_schopf.h, for IP without filter and
 * with NP_PARM: run time = start-up + S * base time, if that is better, since
 * the start-up of short runs would otherwise distort S (11.3 and 9.3 % without
 * it, 9.4 and 8.8 % with it); and the base time may depend on the number of
 * processors, too (8.9 and 8.9 %).
 *
 * [1] B.-D. Lee, J. M. Schopf: Run-Time Prediction of Parallel Applications
 *     on Shared Environments, IEEE Cluster 2003.
 */
#pragma once

#include "predictor/models/lee_schopf/lee_schopf_points.h"
#include "predictor/stats/least_squares.h"

#define UNIT_GIVEN "work"

/* Powers of up to two parameters and of the processors. */
struct unit {
	int8_t parameter[2]; /* slots; power 0: not used */
	int8_t power[2];
	int8_t processors; /* 0 or -1 */
	bool startup;      /* a time that does not grow with S, too */
};

/* S at some values, and of a point; and whether it is in a usable range. */
double unit_size(const struct unit *unit, const double x[SLOTS]);
double unit_size_of(const struct unit *unit, const struct points *points,
		    uint32_t point);
bool unit_suits(double size);

/* Find the unit for these points.  `variables` are the slots on which the base
 * time depends; of many parameters those with the largest `weights` (of
 * weights_learn()) are tried; `given` is the slot of the parameter `work`, -1:
 * there is none.  Adds the number of regressions to `fits`. */
void unit_learn(const struct points *points, uint32_t variables,
		const float weights[SLOTS], int given,
		struct regression *scratch, struct unit *ret, uint32_t *fits);
