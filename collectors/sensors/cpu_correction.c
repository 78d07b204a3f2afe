/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_correction.c - when to probe the CPUs, and how the result corrects */
#include <math.h>

#include "collectors/sensors/cpu_correction.h"

#define FIRST_S       2.0  /* let those who started us finish */
#define TOLERANCE     0.12 /* of the bounds: a probe is short */
#define GAIN          0.7
#define SURPRISE      0.1  /* a ratio so far from the factor, */
#define VIEW_CHANGED  0.15 /* or a view, makes the next come sooner */
#define PERIODS_LEAST 4    /* of a quota, to see it */
#define FACTOR_LEAST  0.02
#define FACTOR_NEAR_1 0.01 /* is 1 */

void cpu_correction_init(struct cpu_correction *ret)
{
	*ret = (struct cpu_correction){
		.factor = 1,
		.ratio = 1,
		.again_s = PROBE_AGAIN_SOON_S,
		.at_s = NAN,
		.view = { NAN, NAN },
	};
	for (int i = 0; i < PROBE_SPEEDS; i++)
		ret->speeds[i] = NAN;
}

static bool view_has_changed(const struct cpu_view *now,
			     const struct cpu_view *before)
{
	return fabs(now->share - before->share) > VIEW_CHANGED ||
	       fabs(now->busy - before->busy) > VIEW_CHANGED;
}

bool cpu_correction_is_due(struct cpu_correction *c, double now_s,
			   const struct cpu_view *view)
{
	if (isnan(c->at_s)) {
		c->at_s = c->soonest_s = now_s + FIRST_S;
		c->view = *view;
	}
	if (now_s < c->soonest_s ||
	    (now_s < c->at_s && !view_has_changed(view, &c->view)))
		return false;
	c->view = *view;
	c->at_s = now_s + c->again_s;
	c->soonest_s = now_s + PROBE_AGAIN_SOON_S;
	return true;
}

/* 1, if they do not agree on the direction. */
static double ratio_confirmed(double a, double b)
{
	if (a < 1 && b < 1)
		return fmax(a, b);
	return a > 1 && b > 1 ? fmin(a, b) : 1;
}

void cpu_correction_learn(struct cpu_correction *c, double now_s,
			  const struct cpu_probe_result *result,
			  const struct cpu_share *expected, double period_s)
{
	double least = expected->least * (1 - TOLERANCE);
	double most = expected->most * (1 + TOLERANCE);
	double ratio = 1, confirmed;

	/* It may have run in what a long period had left. */
	if (period_s * PERIODS_LEAST > result->took_s)
		most = fmax(most, 1);
	if (result->share < least)
		ratio = result->share / expected->least;
	else if (result->share > most)
		ratio = result->share / expected->most;
	confirmed = ratio_confirmed(ratio, c->ratio);
	/* It comes soon again if it has something to confirm. */
	c->again_s = fabs(ratio - c->factor) > SURPRISE
			     ? PROBE_AGAIN_SOON_S
			     : fmin(2 * c->again_s, PROBE_AGAIN_MAX_S);
	c->ratio = ratio;
	c->factor += GAIN * (confirmed - c->factor);
	c->factor = fmax(FACTOR_LEAST, c->factor);
	if (fabs(c->factor - 1) < FACTOR_NEAR_1)
		c->factor = 1;
	c->at_s = now_s + c->again_s;
	c->soonest_s = now_s + result->cost_s / PROBE_COST_MAX;
	c->speeds[c->speed] = result->speed;
	c->speed = (c->speed + 1) % PROBE_SPEEDS;
}

double cpu_correction_speed(const struct cpu_correction *c)
{
	double best = NAN;

	for (int i = 0; i < PROBE_SPEEDS; i++)
		best = fmax(best, c->speeds[i]);
	return best;
}
