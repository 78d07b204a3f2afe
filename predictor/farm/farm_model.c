/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_model.c - time of a farm's iteration over the number of workers
 *
 * Equation numbers are those of [1] (farm.h).  Tt is S + C + R + lm (3): the
 * master sends, the last worker computes, its result comes back.  The shares
 * are even, v_i^m = alpha V / n, v_i^w = (1 - alpha) V / n and l_i = Tc / n,
 * which makes (7) of (4), (8) of (5) and (9) of (6).
 *
 * mo and k are those of the message's class, so that requests and replies may
 * differ; with one class the expressions are those printed.
 */
#include <math.h>

#include "predictor/farm/farm_model.h"

const struct message_class *message_class_of(const struct message_costs *costs,
					     double bytes)
{
	const struct message_class *c = costs->classes;

	for (int i = 1; i < costs->count && bytes > c->bytes_max; i++)
		c++;
	return c;
}

double farm_work(const struct farm *farm)
{
	return farm->M * farm->mu;
}

/* Return the time until the last of n workers has its message. */
static double sending_time(const struct farm *farm,
			   const struct message_costs *costs, int n)
{
	double v = farm->alpha * farm->V / n;
	const struct message_class *c = message_class_of(costs, v);
	double mo = c->mo, kv = c->k * v;

	if (farm->synchronous)
		return n * (mo + kv); /* of (6) */
	if (mo >= kv)
		return n * mo + kv; /* of (4) */
	return mo + n * kv;         /* of (5) */
}

static double reply_time(const struct farm *farm,
			 const struct message_costs *costs, int n)
{
	double v = (1 - farm->alpha) * farm->V / n;
	const struct message_class *c = message_class_of(costs, v);

	return c->mo + c->k * v;
}

double farm_time(const struct farm *farm, const struct message_costs *costs,
		 int n)
{
	return sending_time(farm, costs, n) + farm_work(farm) / n +
	       reply_time(farm, costs, n) + farm->lm; /* (3), (7), (8), (9) */
}

double farm_workers_fed(const struct farm *farm, const struct message_class *c)
{
	double mo = c->mo, kV = c->k * farm->V;
	double Tc = farm_work(farm), kaV = farm->alpha * kV;
	double n = HUGE_VAL;

	if (mo > 0)
		n = floor(sqrt(mo * mo + mo * (kV - kaV + Tc)) / mo) +
		    1; /* (10) */
	if (mo * n >= kaV)
		return n;                     /* mo >= k v holds there */
	return floor((kV + Tc) / (kaV - mo)); /* (11) */
}

double farm_index(double Tc, int n, double Tt)
{
	return n * Tt * Tt / Tc; /* (13) */
}

int farm_workers_worth(const struct farm *farm,
		       const struct message_costs *costs, int n_max)
{
	double Tc = farm_work(farm), least = HUGE_VAL;
	int best = 1;

	for (int n = 1; n <= n_max; n++) {
		double Pi = farm_index(Tc, n, farm_time(farm, costs, n));

		if (Pi < least) {
			least = Pi;
			best = n;
		}
	}
	return best;
}
