/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit_told.c - whether jobs reach their limits as often as was predicted */
#include <math.h>
#include <stdio.h>

#include "predictor/ensemble/limit_chance.h"
#include "tests/bench/limit_told.h"

#define NEAR 0.05

static const double bins[LIMIT_TOLD_BINS] = { 0.1, 0.3, 0.5 };

static void bins_add(struct limit_told *sum, double chance, bool reached)
{
	for (int i = 0; i < LIMIT_TOLD_BINS; i++) {
		if (fabs(chance - bins[i]) > NEAR)
			continue;
		sum->jobs[i]++;
		sum->told[i] += chance;
		sum->reached[i] += reached;
	}
}

void limit_told_add(const struct backtest *b, struct limit_told *sum)
{
	double jobs = 0, score = 0, share = 0;

	for (size_t i = 0; i < b->count; i++) {
		double chance = (double)b->limit_chance[i];
		bool reached = limit_is_reached(backtest_runtime_s(&b->jobs[i]),
						b->jobs[i].subject.limit_s);

		if (!b->measured[i] || isnan(chance))
			continue;
		bins_add(sum, chance, reached);
		jobs++;
		share += reached;
		score -= log(reached ? chance : 1 - chance);
	}
	share /= jobs;
	if (!(share > 0) || !(share < 1))
		return;
	sum->logs++;
	sum->score += score / jobs;
	sum->score_share -= share * log(share) + (1 - share) * log(1 - share);
}

void limit_told_print(const struct limit_told *sum)
{
	for (int i = 0; i < LIMIT_TOLD_BINS; i++)
		printf("bar limit_told_%.0f %.4f\n"
		       "bar limit_told_%.0f_mean %.4f\n",
		       100 * bins[i], sum->reached[i] / sum->jobs[i],
		       100 * bins[i], sum->told[i] / sum->jobs[i]);
	printf("bar limit_score_vs_share %.4f\n",
	       sum->score / sum->score_share);
}
