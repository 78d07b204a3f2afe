/* SPDX-License-Identifier: GPL-2.0-or-later */
/* analog.c - what followed values like the last ones
 *
 * Loads repeat themselves: an hourly job, a peak of three values.  The forecast
 * is the median of what followed the places in the past that are nearest to the
 * last `window` values [1].
 *
 * [1] E. N. Lorenz: Atmospheric Predictability as Revealed by Naturally
 *     Occurring Analogues, J. Atmos. Sci. 26 (1969) 636-646.
 */
#include <math.h>

#include "predictor/forecast/forecaster.h"

#define NEIGHBOURS 5 /* odd: the median is one of them */

struct neighbour {
	float distance, next;
};

/* Keep the nearest, in ascending order. */
static void neighbour_insert(struct neighbour *list, int *count,
			     const struct neighbour *new)
{
	int i = *count < NEIGHBOURS ? (*count)++ : NEIGHBOURS - 1;

	for (; i > 0 && list[i - 1].distance > new->distance; i--)
		list[i] = list[i - 1];
	list[i] = *new;
}

static float neighbour_median(struct neighbour *list)
{
	for (int i = 1; i < NEIGHBOURS; i++) {
		float next = list[i].next;
		int j = i;

		for (; j > 0 && list[j - 1].next > next; j--)
			list[j].next = list[j - 1].next;
		list[j].next = next;
	}
	return list[NEIGHBOURS / 2].next;
}

double analog_forecast(const struct forecaster *self, const void *state UNUSED,
		       const struct past *past)
{
	const float *values = past->values;
	int places = past->count - self->window;
	float distances[PAST_MAX] = { 0 };
	struct neighbour list[NEIGHBOURS];
	int count = 0;

	if (places < NEIGHBOURS)
		return (double)values[0];
	for (int u = 0; u < self->window; u++)
		for (int i = 0; i < places; i++)
			distances[i] += fabsf(values[u] - values[u + i + 1]);
	for (int i = 0; i < places; i++)
		if (count < NEIGHBOURS ||
		    distances[i] < list[NEIGHBOURS - 1].distance)
			neighbour_insert(
				list, &count,
				&(struct neighbour){ distances[i], values[i] });
	return (double)neighbour_median(list);
}
