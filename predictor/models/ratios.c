/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ratios.c - how far run times by a profile were off in past runs */
#include <math.h>

#include "predictor/models/ratios.h"

#define SEARCHED_MAX 256  /* among at most this many of the newest runs */
#define SPREAD_MIN   3    /* ratios needed for an interval */
#define NOISE        0.02 /* between equal runs, in ln(run time) */

static bool values_are_equal(const double values[], const struct parameters *p)
{
	for (int j = 0; j < p->count; j++)
		if (values[j] != p->of[j].value)
			return false;
	return true;
}

static void ratio_insert(struct ratios *r, struct ratio ratio)
{
	int at = r->count++;

	for (; at > 0 && r->of[at - 1].ln > ratio.ln; at--)
		r->of[at] = r->of[at - 1];
	r->of[at] = ratio;
}

void ratios_find(struct ratios *ret, const struct history *h,
		 const struct query *q, ratios_runtime *runtime, void *model)
{
	uint32_t at = INDEX_NONE;

	ret->count = 0;
	if (q->application != INDEX_NONE && q->names != INDEX_NONE)
		at = history_group(h, q->application, q->names, q->nodes,
				   q->tasks, q->cpus);
	if (at == INDEX_NONE)
		return;

	const struct history_group *g = &h->groups[at];
	uint32_t width = (uint32_t)q->parameters->count;
	uint32_t end = g->count > SEARCHED_MAX ? g->count - SEARCHED_MAX : 0;

	for (uint32_t i = g->count; i-- > end && ret->count < RATIOS_MAX;) {
		const struct history_run *run = &g->runs[i];

		if (run->end != OUTCOME_COMPLETED ||
		    !values_are_equal(g->values + (size_t)i * width,
				      q->parameters))
			continue;

		double s = runtime(model, q, run);

		if (isfinite(s) && s > 0)
			ratio_insert(ret,
				     (struct ratio){ log(run->runtime_s / s),
						     run->job_id,
						     (float)run->runtime_s });
	}
}

void ratios_add_own(struct ratios *r)
{
	ratio_insert(r, (struct ratio){ 0, 0, 0 });
}

static double median(const struct ratios *r)
{
	return (r->of[(r->count - 1) / 2].ln + r->of[r->count / 2].ln) / 2;
}

double ratios_correct(const struct ratios *r, double runtime_s)
{
	return runtime_s * exp(median(r));
}

void ratios_spread(const struct ratios *r, struct model_result *ret)
{
	double middle = median(r), sum = NOISE * NOISE;

	if (r->count < SPREAD_MIN)
		return;
	for (int i = 0; i < r->count; i++)
		sum += (r->of[i].ln - middle) * (r->of[i].ln - middle);
	/* The median itself is uncertain, too. */
	ret->sigma = sqrt(sum / (r->count - 1) * (1 + 1. / r->count));
	ret->degrees = r->count - 1;
}
