/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rung.h - forecast of the mean of a series over its next h values
 *
 * The forecasts of many methods are compared with the actual values; the less a
 * method's loss was lately, the more weight it has (exponential weights [1]).
 * They are combined in three ways: the method with the most weight, the
 * weighted median and the weighted mean; the one with the least loss is used.
 *
 * A forecast over h values can be judged h values later.  So only a few are
 * remembered at a time, spread evenly, each with those of all methods.
 *
 * [1] N. Cesa-Bianchi, G. Lugosi: Prediction, Learning, and Games, 2006, 2.
 */
#pragma once

#include <stdbool.h>

#include "predictor/forecast/errors.h"

#define RUNG_METHODS_MAX 24
#define RUNG_SLOTS_MAX   4

enum rung_combination {
	RUNG_LEADER,
	RUNG_MEDIAN,
	RUNG_MEAN,
	RUNG_COMBINATIONS
};

struct rung_slot {
	int steps; /* values of its horizon so far; -1: free */
	double sum;
	float forecasts[RUNG_METHODS_MAX];
	float combined[RUNG_COMBINATIONS];
	float value, spread;
	float low, high; /* its interval, as errors; not of one step */
};

/* rung_init() first. */
struct rung {
	int steps; /* values ahead */
	int until_next;
	float losses[RUNG_METHODS_MAX]; /* sums of absolute errors, fading */
	float combined_losses[RUNG_COMBINATIONS];
	float loss, weight; /* of the forecast itself */
	struct errors errors;
	struct rung_slot slots[RUNG_SLOTS_MAX];
};

struct rung_forecast {
	double value;
	double error; /* expected, absolute; NAN: not known */
	int method;   /* the one with the most weight */
	double combined[RUNG_COMBINATIONS];
};

void rung_init(struct rung *rung, int steps);

/* Drop the forecasts under way: there is a gap before the next value. */
void rung_interrupt(struct rung *rung);

/* Count the next value in all forecasts under way; judge those that end. */
void rung_learn(struct rung *rung, double value, int methods);

/* Find the combined forecast. */
void rung_forecast(const struct rung *rung, const float *forecasts, int methods,
		   struct rung_forecast *ret);

/* Return whether it is time to remember a forecast, and remember it. */
bool rung_due(struct rung *rung);
void rung_remember(struct rung *rung, const float *forecasts, int methods,
		   const struct rung_forecast *made, double spread);
