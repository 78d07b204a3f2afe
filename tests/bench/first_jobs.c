/* SPDX-License-Identifier: GPL-2.0-or-later */
/* first_jobs.c - what is predicted of a site's first jobs, beside simple rules
 */
#include <math.h>
#include <stdio.h>

#include "predictor/stats/quantile.h"
#include "tests/bench/first_jobs.h"

/* Return the error as predicted, over that of a row; NAN: it has no number.
 * Where nothing was predicted, the limit counts. */
static double compare(const struct backtest *b, size_t limit, size_t row)
{
	double predicted_sum_s = 0, row_sum_s = 0;

	for (size_t i = 0; i < b->count && i < FIRST_JOBS; i++) {
		double runtime_s = backtest_runtime_s(&b->jobs[i]);
		double row_s = (double)b->predicted_s[row][i];
		double predicted_s = (double)b->predicted_s[BACKTEST_CHOSEN][i];

		if (!isfinite(predicted_s))
			predicted_s = (double)b->predicted_s[limit][i];
		if (!isfinite(row_s) || !isfinite(predicted_s))
			continue;
		predicted_sum_s += fabs(runtime_s - predicted_s);
		row_sum_s += fabs(runtime_s - row_s);
	}
	return row_sum_s > 0 ? predicted_sum_s / row_sum_s : NAN;
}

void first_jobs_add(const struct backtest *b, size_t limit, size_t avg2,
		    struct first_jobs *sum)
{
	double vs_limit = limit < b->rows ? compare(b, limit, limit) : NAN;
	double vs_avg2 = avg2 < b->rows ? compare(b, limit, avg2) : NAN;
	double worse = fmax(vs_limit, vs_avg2);

	printf("%-34s first %d jobs: error to the limit's %.3f, to AVG2's "
	       "%.3f\n",
	       "", FIRST_JOBS, vs_limit, vs_avg2);
	if (isfinite(worse) && sum->logs < FIRST_JOBS_LOGS)
		sum->ratio[sum->logs++] = worse;
}

void first_jobs_print(struct first_jobs *sum)
{
	if (sum->logs)
		printf("bar first1000_vs_best_simple %.4f\n",
		       quantile_sample(sum->ratio, sum->logs, .5));
}
