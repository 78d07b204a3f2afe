/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rung.c - forecast of the mean of a series over its next h values
 *
 * Slots hold forecasts under way, with the sum of the values so far.  When a
 * slot's horizon ends, losses of the methods, of the combinations and of the
 * forecast itself are updated, and its error goes to errors.c.
 */
#include <math.h>
#include <string.h>

#include "predictor/forecast/rung.h"

/* By each forecast: a hundred forecasts later an error counts 1/e; fifty, over
 * longer horizons. */
#define FADING      0.99F
#define FADING_LONG 0.98F
#define LONG_STEPS  10

/* The rounding error of a mean of equal values. */
#define ROUNDING 1e-6F

/* A method whose loss is one percent above that of the best has exp(-0.2) of
 * its weight; over longer horizons there are fewer errors, and weights are
 * closer. */
#define SHARPNESS      20.0F
#define SHARPNESS_LONG 10.0F
#define SHARP_STEPS    4

void rung_init(struct rung *rung, int steps)
{
	*rung = (struct rung){ .steps = steps };
	rung_interrupt(rung);
}

void rung_interrupt(struct rung *rung)
{
	for (int i = 0; i < RUNG_SLOTS_MAX; i++)
		rung->slots[i].steps = -1;
	rung->until_next = 0;
}

/* Compare a forecast with the actual mean. */
static void slot_judge(struct rung *rung, struct rung_slot *slot, int methods)
{
	float actual = (float)(slot->sum / rung->steps);
	float fading = rung->steps < LONG_STEPS ? FADING : FADING_LONG;
	float error = actual - slot->value;

	for (int i = 0; i < methods; i++)
		rung->losses[i] = fading * rung->losses[i] +
				  fabsf(actual - slot->forecasts[i]);
	for (int i = 0; i < RUNG_COMBINATIONS; i++)
		rung->combined_losses[i] = fading * rung->combined_losses[i] +
					   fabsf(actual - slot->combined[i]);
	rung->loss = fading * rung->loss + fabsf(error);
	rung->weight = fading * rung->weight + 1;
	if (rung->steps == 1) {
		errors_add(&rung->errors, (double)error, (double)slot->spread);
		return;
	}

	/* At an end, within rounding, is neither inside nor outside. */
	float rounding = ROUNDING * fabsf(slot->value);
	int below =
		(error < slot->low - rounding) - (error > slot->low + rounding);
	int above = (error > slot->high + rounding) -
		    (error < slot->high - rounding);

	errors_add_judged(&rung->errors, (double)error, below, above);
}

void rung_learn(struct rung *rung, double value, int methods)
{
	for (int i = 0; i < RUNG_SLOTS_MAX; i++) {
		struct rung_slot *slot = &rung->slots[i];

		if (slot->steps < 0)
			continue;
		slot->sum += value;
		if (++slot->steps < rung->steps)
			continue;
		slot_judge(rung, slot, methods);
		slot->steps = -1;
	}
	if (rung->until_next > 0)
		rung->until_next--;
}

/* Weights that sum to one; returns the method with the most. */
static int weigh_methods(const struct rung *rung, int methods, float *ret)
{
	float sharpness =
		rung->steps < SHARP_STEPS ? SHARPNESS : SHARPNESS_LONG;
	float sum = 0;
	int best = 0;

	for (int i = 1; i < methods; i++)
		if (rung->losses[i] < rung->losses[best])
			best = i;

	float least = rung->losses[best];
	float unit = rung->loss;

	for (int i = 0; i < methods; i++) {
		float behind = rung->losses[i] - least;

		ret[i] = behind > 0 ? expf(-sharpness * behind /
					   fmaxf(unit, 1e-30F))
				    : 1;
		sum += ret[i];
	}
	for (int i = 0; i < methods; i++)
		ret[i] /= sum;
	return best;
}

static double weighted_median(const float *forecasts, const float *weights,
			      int methods)
{
	int order[RUNG_METHODS_MAX] = { 0 };
	float sum = 0;

	for (int i = 0; i < methods; i++) {
		int j = i;

		for (; j > 0 && forecasts[order[j - 1]] > forecasts[i]; j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
	for (int i = 0; i < methods; i++) {
		sum += weights[order[i]];
		if (sum >= 0.5F)
			return (double)forecasts[order[i]];
	}
	return (double)forecasts[order[methods - 1]];
}

void rung_forecast(const struct rung *rung, const float *forecasts, int methods,
		   struct rung_forecast *ret)
{
	float weights[RUNG_METHODS_MAX];
	double mean = 0;
	int how = rung->steps < SHARP_STEPS ? RUNG_LEADER : RUNG_MEDIAN;

	ret->method = weigh_methods(rung, methods, weights);
	for (int i = 0; i < methods; i++)
		mean += (double)weights[i] * (double)forecasts[i];
	ret->combined[RUNG_MEAN] = mean;
	ret->combined[RUNG_MEDIAN] =
		weighted_median(forecasts, weights, methods);
	ret->combined[RUNG_LEADER] = (double)forecasts[ret->method];
	for (int i = 0; i < RUNG_COMBINATIONS; i++)
		if (rung->combined_losses[i] < rung->combined_losses[how])
			how = i;
	ret->value = ret->combined[how];
	ret->error =
		rung->weight > 0 ? (double)(rung->loss / rung->weight) : NAN;
}

bool rung_due(struct rung *rung)
{
	int slots = rung->steps < RUNG_SLOTS_MAX ? rung->steps : RUNG_SLOTS_MAX;

	if (rung->until_next > 0)
		return false;
	for (int i = 0; i < slots; i++)
		if (rung->slots[i].steps < 0)
			return true;
	return false;
}

void rung_remember(struct rung *rung, const float *forecasts, int methods,
		   const struct rung_forecast *made, double spread)
{
	struct rung_slot *slot = rung->slots;

	while (slot->steps >= 0)
		slot++;
	*slot = (struct rung_slot){
		.value = (float)made->value,
		.spread = (float)spread,
	};
	memcpy(slot->forecasts, forecasts,
	       (size_t)methods * sizeof(*forecasts));
	for (int i = 0; i < RUNG_COMBINATIONS; i++)
		slot->combined[i] = (float)made->combined[i];
	rung->until_next = rung->steps / RUNG_SLOTS_MAX;
	if (rung->steps == 1)
		return;

	double low, high;

	errors_interval(&rung->errors, ERRORS_LEVEL, spread, &low, &high);
	slot->low = (float)low;
	slot->high = (float)high;
}
