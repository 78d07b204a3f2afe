/* rung.h - forecasts of the mean of a series over its next so many values
 *
 * Many methods forecast; what each of them said is compared with what came,
 * and the better it did lately the more weight it has (exponential weights
 * [1]).  Of three ways of making one forecast of them, the weighted mean, the
 * weighted median and the method with the most weight, the one is taken that
 * has been right.
 *
 * What is forecast over h values is known h values later.  So only a few
 * forecasts are under way at a time, spread evenly, each with what the methods
 * said.
 *
 * [1] N. Cesa-Bianchi, G. Lugosi: Prediction, Learning, and Games, 2006, 2.
 */
#ifndef PREDICTOR_FORECAST_RUNG_H
#define PREDICTOR_FORECAST_RUNG_H

#include <stdbool.h>

#include "predictor/forecast/errors.h"

#define RUNG_METHODS_MAX 24
#define RUNG_SLOTS_MAX   4

enum rung_way { RUNG_LEADER, RUNG_MEDIAN, RUNG_MEAN, RUNG_WAYS };

struct rung_slot {
	int steps; /* seen of the forecast's; -1: free */
	double sum;
	float forecasts[RUNG_METHODS_MAX];
	float ways[RUNG_WAYS];
	float value, spread;
	float low, high; /* its interval, as errors; not of one step */
};

/* rung_init() first. */
struct rung {
	int steps; /* values ahead */
	int until_next;
	float losses[RUNG_METHODS_MAX]; /* absolute, old ones fade */
	float way_losses[RUNG_WAYS];
	float loss, weight; /* of the forecast itself */
	struct errors errors;
	struct rung_slot slots[RUNG_SLOTS_MAX];
};

struct rung_forecast {
	double value;
	double error; /* expected, absolute; NAN: none is known */
	int method;   /* the one with the most weight */
	double ways[RUNG_WAYS];
};

void rung_init(struct rung *rung, int steps);

/* Forget the forecasts under way: what comes is not what follows. */
void rung_interrupt(struct rung *rung);

/* What was forecast meets the next value. */
void rung_learn(struct rung *rung, double value, int methods);

/* The forecast, from what the methods say. */
void rung_forecast(const struct rung *rung, const float *forecasts, int methods,
		   struct rung_forecast *ret);

/* Whether it is time to remember a forecast, and remember it. */
bool rung_due(struct rung *rung);
void rung_remember(struct rung *rung, const float *forecasts, int methods,
		   const struct rung_forecast *made, double spread);

#endif
