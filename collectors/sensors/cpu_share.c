/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_share.c - a model of the CPU share of a new process
 *
 * Competitors are of two classes, those that never sleep and those that come
 * and go; within a class all are given the mean weight.
 */
#include <math.h>

#include "collectors/sensors/cpu_share.h"

#define NICE_STEP     1.25 /* one nice level is a tenth of a CPU more or less */
#define DEMAND_ALWAYS 0.97 /* from here on it never sleeps */
#define DEMAND_LEAST  0.001
#define COMERS_MAX    64 /* that are there at the same time */
#define THREADS_MAX   512
#define SHARE_LEAST   1e-3 /* even the nicest gets on */

enum class { NEWCOMER, STAYERS, COMERS, CLASSES };

struct crowd {
	double stayers, stayers_weight; /* number, and mean weight */
	double comers, comers_weight;
	double sums[COMERS_MAX + 1]; /* [a]: of products of a of the rho_i */
};

double cpu_share_weight(int nice)
{
	return pow(NICE_STEP, -nice);
}

/* Elementary symmetric polynomials, grown by one variable. */
static void comer_add(struct crowd *crowd, double demand)
{
	double rho = demand / (1 - demand);

	for (int a = COMERS_MAX; a > 0; a--)
		crowd->sums[a] += rho * crowd->sums[a - 1];
	crowd->comers++;
}

/* Weights are means over the demand: rare competitors count little. */
static void crowd_make(const struct cpu_demand *demands, size_t count,
		       struct crowd *ret)
{
	double stay = 0, stay_weight = 0, come = 0, come_weight = 0;

	*ret = (struct crowd){ .sums[0] = 1 };
	for (size_t i = 0; i < count; i++) {
		double threads = fmin(ceil(demands[i].demand), THREADS_MAX);
		double each = threads > 0 ? demands[i].demand / threads : 0;

		if (!(each >= DEMAND_LEAST))
			continue;
		if (each >= DEMAND_ALWAYS) {
			ret->stayers += threads;
			stay += threads;
			stay_weight += threads * demands[i].weight;
			continue;
		}
		come += demands[i].demand;
		come_weight += demands[i].demand * demands[i].weight;
		for (int k = 0; k < (int)threads; k++)
			comer_add(ret, each);
	}
	ret->stayers_weight = stay > 0 ? stay_weight / stay : 1;
	ret->comers_weight = come > 0 ? come_weight / come : 1;
}

/* Fair shares of the CPUs for each member of a class; one that would get more
 * than a CPU gets one, and leaves the rest to the others. */
static void shares_divide(const struct cpu_room *room, const double *numbers,
			  const double *weights, double *ret_shares)
{
	double cpus = room->cpus, total = 0;
	int served[CLASSES] = { 0 };

	for (int c = 0; c < CLASSES; c++)
		ret_shares[c] = 1;
	for (int round = 0; round < CLASSES; round++) {
		double weight = 0, taken = 0;

		for (int c = 0; c < CLASSES; c++)
			if (!served[c])
				weight += numbers[c] * weights[c];
		if (!(weight > 0))
			break;
		for (int c = 0; c < CLASSES; c++) {
			if (served[c])
				continue;
			ret_shares[c] =
				fmax(SHARE_LEAST, cpus * weights[c] / weight);
			if (ret_shares[c] < 1)
				continue;
			ret_shares[c] = 1;
			served[c] = 1;
			taken += numbers[c];
		}
		if (!(taken > 0))
			break;
		cpus = fmax(0, cpus - taken);
	}
	for (int c = 0; c < CLASSES; c++)
		total += numbers[c] * ret_shares[c];
	if (total > room->quota)
		for (int c = 0; c < CLASSES; c++)
			ret_shares[c] *= room->quota / total;
}

/* Return the mean over the states, each with its weight, as a logarithm: the
 * weights of many competitors would not fit into a number. */
static double mean_share(const struct cpu_room *room, const struct crowd *crowd,
			 const double *weights)
{
	double numbers[CLASSES] = { 1, crowd->stayers, 0 };
	double log_weights[COMERS_MAX + 1], newcomer[COMERS_MAX + 1];
	double shares[CLASSES], log_product = 0, highest = 0;
	double sum = 0, weighed = 0;
	int most = (int)fmin(crowd->comers, COMERS_MAX);

	for (int a = 0; a <= most; a++) {
		numbers[COMERS] = a;
		shares_divide(room, numbers, weights, shares);
		if (a > 0)
			log_product += log(shares[COMERS]);
		log_weights[a] = log(crowd->sums[a]) - log_product;
		newcomer[a] = shares[NEWCOMER];
		highest = fmax(highest, log_weights[a]);
	}
	for (int a = 0; a <= most; a++) {
		double part = exp(log_weights[a] - highest);

		sum += part;
		weighed += part * newcomer[a];
	}
	return weighed / sum;
}

/* With `comers` at once, on the CPU with the most or the fewest of them: for a
 * while the load is not balanced. */
static double share_beside(const struct cpu_room *room,
			   const struct crowd *crowd, const double *weights,
			   double comers, double (*rounding)(double))
{
	double others = crowd->stayers + comers;
	double numbers[CLASSES] = { 1, crowd->stayers, comers };
	double mean_weight =
		(crowd->stayers * weights[STAYERS] + comers * weights[COMERS]) /
		fmax(1, others);
	double neighbours = rounding((others + 1) / room->cpus) - 1;
	double running = fmin(room->cpus, others + 1);
	double shares[CLASSES];

	shares_divide(room, numbers, weights, shares);
	if (others < room->cpus || !(neighbours >= 0))
		return shares[NEWCOMER];
	return weights[NEWCOMER] /
	       (weights[NEWCOMER] + neighbours * mean_weight) *
	       fmin(1, room->quota / running);
}

void cpu_share_find(const struct cpu_room *room,
		    const struct cpu_demand *demands, size_t count,
		    double weight, struct cpu_share *ret)
{
	struct crowd crowd;

	crowd_make(demands, count, &crowd);

	double weights[CLASSES] = { weight, crowd.stayers_weight,
				    crowd.comers_weight };

	ret->mean = mean_share(room, &crowd, weights);
	ret->least = fmin(ret->mean,
			  share_beside(room, &crowd, weights,
				       fmin(crowd.comers, COMERS_MAX), ceil));
	ret->most =
		fmax(ret->mean, share_beside(room, &crowd, weights, 0, floor));
}
