/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_record.c - how well predicted starts have held, and what follows */
#include <math.h>
#include <string.h>

#include "predictor/scheduler/start_prior.h"
#include "predictor/scheduler/start_record.h"
#include "predictor/stats/quantile.h"

#define COUNT_MIN 20 /* fewer say nothing about the ends of an interval */

/* A width is at least so long, and so much of the wait itself. */
#define WIDTH_MIN_S 30.0
#define WIDTH_SHARE 0.05

#define LEARNING 0.01 /* of more_high, more_low */
#define MORE_MAX 0.08 /* either way */

/* Slurm's times are whole seconds. */
#define CLOCK_S 1.0

static const double classes_to_s[START_CLASSES - 1] = { 300, 3600, 6 * 3600 };

static int class_of(const struct start_time *t)
{
	int class = 0;

	while (class < START_CLASSES - 1 && t->median_s >= classes_to_s[class])
		class ++;
	return class;
}

static double width(double from_s, double to_s, double median_s)
{
	return to_s - from_s + WIDTH_MIN_S + WIDTH_SHARE * median_s;
}

static double width_above(const struct start_time *t)
{
	return width(t->median_s, t->high_s, t->median_s);
}

static double width_below(const struct start_time *t)
{
	return width(t->low_s, t->median_s, t->median_s);
}

void start_record_init(struct start_record *record,
		       const struct start_prior *prior)
{
	const size_t size = START_PRIOR_LEVELS * sizeof(double);

	*record = (struct start_record){ .judged = 0 };
	prior = prior ? prior : &start_prior;
	for (int i = 0; i < START_CLASSES; i++) {
		struct start_misses *m = &record->classes[i];

		m->count = m->next = START_PRIOR_LEVELS;
		memcpy(m->high, prior->high[i], size);
		memcpy(m->low, prior->low[i], size);
	}
}

int start_record_miss(const struct start_time *simulated, double actual_s,
		      double *ret_high, double *ret_low)
{
	*ret_high = (actual_s - simulated->high_s) / width_above(simulated);
	*ret_low = (simulated->low_s - actual_s) / width_below(simulated);
	return class_of(simulated);
}

static void more_learn(double *more, bool missed)
{
	*more += LEARNING * (missed - (1 - START_INTERVAL) / 2);
	*more = fmax(-MORE_MAX, fmin(MORE_MAX, *more));
}

static void told_judge(struct start_record *record,
		       const struct start_time *told, double actual_s)
{
	bool late = actual_s > told->high_s + CLOCK_S;
	bool early = actual_s < told->low_s - CLOCK_S;

	more_learn(&record->more_high, late);
	more_learn(&record->more_low, early);
	record->judged++;
	record->within += !late && !early;
}

void start_record_add(struct start_record *record,
		      const struct start_time *simulated,
		      const struct start_time *told, double actual_s)
{
	double high, low;
	struct start_misses *m = &record->classes[start_record_miss(
		simulated, actual_s, &high, &low)];

	if (!isfinite(actual_s - simulated->median_s))
		return;
	told_judge(record, told, actual_s);
	m->high[m->next] = high;
	m->low[m->next] = low;
	m->next = (m->next + 1) % START_RECORD_SIZE;
	if (m->count < START_RECORD_SIZE)
		m->count++;
}

static double miss_quantile(const double *values, int count, double p)
{
	double sorted[START_RECORD_SIZE];

	memcpy(sorted, values, (size_t)count * sizeof(*sorted));
	return quantile_conformal(sorted, (size_t)count, p);
}

struct start_time start_record_apply(const struct start_record *record,
				     const struct start_time *simulated)
{
	const struct start_misses *m = &record->classes[class_of(simulated)];
	struct start_time told = *simulated;

	if (m->count < COUNT_MIN || !isfinite(simulated->median_s))
		return told;

	double above_s = width_above(simulated),
	       below_s = width_below(simulated);
	double end = (1 + START_INTERVAL) / 2;

	told.high_s += above_s * miss_quantile(m->high, m->count,
					       end + record->more_high);
	told.low_s -= below_s *
		      miss_quantile(m->low, m->count, end + record->more_low);
	told.low_s = fmax(0, told.low_s);
	told.high_s = fmax(told.low_s, told.high_s);
	told.median_s = fmax(told.low_s, fmin(told.high_s, told.median_s));
	return told;
}
