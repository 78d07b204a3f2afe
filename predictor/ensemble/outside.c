/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outside.c - how far a job is from all that its application has run
 *
 * Finding: the groups of the application span its sizes and parameters; the
 * newest runs tell which values its traits have had, and which run times.
 *
 * Widening: independent errors add up by their squares, in ln(run time):
 * - what the quantiles span already;
 * - the models' disagreement: they agree on what the runs show, and differ in
 *   what they make of it outside;
 * - a share of the way from the run times seen to the median: all models may go
 *   on too steeply.  A number without meaning, as a seed, leads nowhere;
 * - for each parameter, the error of the slope that the runs have shown, times
 *   the distance;
 * - what new values of a trait have done before.
 *
 * Constants were chosen on programs of bench_honesty_range with other seeds
 * than it has, of 5, 10 and 40 runs, of a narrow range, and of a single value.
 */
#include <math.h>
#include <stdio.h>

#include "predictor/ensemble/outside.h"

/* On the path of each prediction, so not all are visited. */
#define GROUPS_MAX 256
#define VISITS_MAX 256

/* A parameter is far beyond the runs at twice their greatest value; what is
 * less beyond than the second is not worth a word. */
#define FAR        2.0
#define NOTEWORTHY 1.1

/* Standard deviation of a slope that no run has shown, and of what is wrong
 * with all models, as a share of the way out of the run times. */
#define SLOPE_SIGMA 1.0
#define SHARE_SIGMA 0.2

/* The quantiles inside may be too narrow where runs are few. */
#define NOISE_MIN 0.03

/* Nothing bounds a run time beyond 16 times a range, or beyond 128 times where
 * the runs show the slopes; nor where the 90 % is this multiple of the median.
 * A number that leads nowhere may be anywhere. */
#define FARTHEST       16.0
#define FARTHEST_SHOWN 128.0
#define SHOWN_SIGMA    0.2 /* of ln(run time) */
#define NOWHERE        0.1 /* ln of the factor */
#define WIDTH_MAX      24.0

/* Different sets of traits that are read, the newest. */
#define SETS_MAX 64

#define KNOT_90 17

/* --- Sizes and parameters ------------------------------------------------- */

static bool is_far(double value, double least, double most)
{
	if (least > 0)
		return value > FAR * most || FAR * value < least;
	return value > most + (most - least) || value < least - (most - least);
}

/* What all runs with the names of the job's parameters span. */
struct span {
	uint32_t groups;
	struct history_range nodes, tasks, of[PARAMETERS_MAX];
};

static void range_add(struct history_range *range, bool first, double least,
		      double most)
{
	range->least = first ? least : fmin(range->least, least);
	range->most = first ? most : fmax(range->most, most);
}

static void span_add(struct span *span, const struct history_group *g,
		     int width)
{
	bool first = !span->groups++;

	range_add(&span->nodes, first, g->nodes, g->nodes);
	range_add(&span->tasks, first, g->tasks, g->tasks);
	for (int i = 0; i < width; i++)
		range_add(&span->of[i], first, g->ranges[i].least,
			  g->ranges[i].most);
}

static bool is_beyond(double value, const struct history_range *range)
{
	return value < range->least || value > range->most;
}

static bool is_outside(const struct span *span, const struct query *q)
{
	bool outside = is_beyond(q->nodes, &span->nodes) ||
		       is_beyond(q->tasks, &span->tasks);

	for (int i = 0; i < q->parameters->count; i++)
		outside |= is_far(q->parameters->of[i].value, span->of[i].least,
				  span->of[i].most);
	return outside;
}

/* The variable that is farthest out stands in the text.  Without logarithms the
 * span is the unit of the distance. */
static void variable_add(struct outside *ret, const char *name, double value,
			 const struct history_range *range)
{
	double least = range->least, most = range->most;
	double nearest = fmin(fmax(value, least), most);
	bool varied = most > least;
	struct outside_variable *v = &ret->of[ret->count];

	if (value == nearest)
		return;
	ret->count++;
	*v = (struct outside_variable){ fabs(value - nearest), varied };
	if (value > 0 && least > 0)
		*v = (struct outside_variable){ fabs(log(value / nearest)),
						log(most / least) };
	else if (varied)
		v->distance = fmin(v->distance / (most - least), FARTHEST);
	if (v->distance <= fmax(ret->farthest, log(NOTEWORTHY)))
		return;
	ret->farthest = v->distance;
	if (varied)
		snprintf(ret->text, sizeof(ret->text),
			 "%.20s %.6g, %.6g to %.6g seen", name, value, least,
			 most);
	else
		snprintf(ret->text, sizeof(ret->text), "%.20s %.6g, %.6g seen",
			 name, value, least);
}

/* --- Traits --------------------------------------------------------------- */

/* The sets of traits of the newest runs, each once. */
struct sets {
	int count;
	uint32_t runs; /* with any */
	uint32_t of[SETS_MAX];
};

/* Return whether the runs have had the trait, and never with that value.  With
 * more values than half of the runs, each run has its own, as the name of a
 * result, and a new one says nothing. */
static bool is_new(const struct history *h, const struct sets *sets,
		   const struct trait_key *key)
{
	uint32_t values[SETS_MAX];
	uint32_t count = 0;

	for (int i = 0; i < sets->count; i++) {
		const struct trait_key *had =
			history_trait(h, sets->of[i], key->name);
		uint32_t value = had ? had->value : 0;
		uint32_t at = 0;

		if (value == key->value)
			return false;
		while (at < count && values[at] != value)
			at++;
		if (value && at == count)
			values[count++] = value;
	}
	return count == 1 || (count && 2 * count <= sets->runs);
}

static void find_new_trait(const struct history *h, const struct sets *sets,
			   const struct subject *subject, const struct query *q,
			   struct outside *ret)
{
	const char *at = subject->traits;
	struct trait trait;

	for (int i = 0; i < q->traits.count && !ret->new_trait &&
			traits_next(&at, &trait);) {
		if (!trait.value_length)
			continue;
		if (is_new(h, sets, &q->traits.of[i])) {
			ret->new_trait = q->traits.of[i].name;
			snprintf(ret->text, sizeof(ret->text),
				 "none with %.*s=%.*s", (int)trait.name_length,
				 trait.name, (int)trait.value_length,
				 trait.value);
		}
		i++;
	}
}

/* --- Finding -------------------------------------------------------------- */

static void set_add(struct sets *sets, uint32_t traits)
{
	int at = 0;

	if (traits == INDEX_NONE || sets->count == SETS_MAX)
		return;
	sets->runs++;
	while (at < sets->count && sets->of[at] != traits)
		at++;
	if (at == sets->count)
		sets->of[sets->count++] = traits;
}

static void run_read(const struct history_run *run, struct sets *sets,
		     struct outside *ret)
{
	set_add(sets, run->traits);
	if (run->end != OUTCOME_COMPLETED)
		return;
	ret->shortest_s = fmin(ret->shortest_s, run->runtime_s);
	ret->longest_s = fmax(ret->longest_s, run->runtime_s);
}

/* The newest runs of each group with such parameters. */
static void runs_visit(const struct history *h, const struct query *q,
		       struct sets *sets, struct outside *ret)
{
	int steps = 0, visits = 0;

	ret->shortest_s = HUGE_VAL;
	for (uint32_t i = h->applications[q->application].groups;
	     i != INDEX_NONE && steps < GROUPS_MAX;
	     i = h->groups[i].next, steps++) {
		const struct history_group *g = &h->groups[i];

		for (uint32_t k = g->names == q->names ? g->count : 0;
		     k-- > 0 && visits < VISITS_MAX; visits++)
			run_read(&g->runs[k], sets, ret);
	}
}

void outside_find(const struct history *h, const struct subject *subject,
		  const struct query *q, struct outside *ret)
{
	const struct parameters *p = q->parameters;
	struct span span = { .groups = 0 };
	struct sets sets = { .count = 0 };
	bool size_seen = false;
	int steps = 0;

	*ret = (struct outside){ .extrapolated = false };
	if (q->application == INDEX_NONE)
		return;
	for (uint32_t i = h->applications[q->application].groups;
	     i != INDEX_NONE && steps < GROUPS_MAX;
	     i = h->groups[i].next, steps++) {
		const struct history_group *g = &h->groups[i];

		if (g->names != q->names || !g->count)
			continue;
		span_add(&span, g, p->count);
		size_seen |= g->nodes == q->nodes && g->tasks == q->tasks;
		ret->runs += g->count;
	}
	/* Else no run had parameters of these names. */
	ret->extrapolated = !span.groups || is_outside(&span, q);
	if (!span.groups)
		return;
	ret->new_size = !size_seen;
	for (int i = 0; i < p->count; i++)
		variable_add(ret, p->of[i].name, p->of[i].value, &span.of[i]);
	ret->parameters = ret->count;
	if (p->count)
		variable_add(ret, "tasks", q->tasks, &span.tasks);
	if (ret->count || *subject->traits)
		runs_visit(h, q, &sets, ret);
	if (*subject->traits)
		find_new_trait(h, &sets, subject, q, ret);
	ret->extrapolated |= ret->new_trait != 0;
}

void outside_forget_size(struct outside *o)
{
	o->count = o->parameters;
	o->farthest = 0;
	for (int i = 0; i < o->count; i++)
		o->farthest = fmax(o->farthest, o->of[i].distance);
}

/* --- Widening ------------------------------------------------------------- */

/* Quantiles of the normal distribution at prediction_knots[]. */
static const double normal[PREDICTION_KNOTS] = {
	-2.326, -2.054, -1.645, -1.282, -1.036, -0.842, -0.674,
	-0.524, -0.253, -0.126, 0,      0.126,  0.253,  0.524,
	0.674,  0.842,  1.036,  1.282,  1.645,  2.054,  2.326,
};

/* Variance of a slope after n runs spread evenly over the span, each with that
 * noise. */
static double slope_variance(double n, double span, double noise)
{
	return 1 / (1 / (SLOPE_SIGMA * SLOPE_SIGMA) +
		    n * span * span / (12 * noise * noise));
}

/* By how much the median is out of the run times seen, as a logarithm. */
static double way_out(const struct outside *o, double median_s)
{
	if (!(o->longest_s > 0))
		return 0;
	return fmax(0, fmax(log(median_s / o->longest_s),
			    log(o->shortest_s / median_s)));
}

/* By the errors of all slopes. */
static double slopes_variance(const struct outside *o, double noise)
{
	double variance = 0;

	for (int i = 0; i < o->count; i++)
		variance += o->of[i].distance * o->of[i].distance *
			    slope_variance(o->runs, o->of[i].span,
					   fmax(noise, NOISE_MIN));
	return variance;
}

static bool is_too_far(const struct outside *o, double way, double slopes)
{
	bool shown = slopes <= SHOWN_SIGMA * SHOWN_SIGMA;

	return o->farthest > log(shown ? FARTHEST_SHOWN : FARTHEST) &&
	       !(shown && way <= NOWHERE);
}

bool outside_widen(const struct outside *o, double least_s, double most_s,
		   double trait_sigma, double median_s,
		   double knots_s[PREDICTION_KNOTS])
{
	if (!o->count && !o->new_trait)
		return true;

	double way = way_out(o, median_s);
	double slopes = slopes_variance(o, log(knots_s[KNOT_90] / median_s) /
						   normal[KNOT_90]);
	double variance = slopes + SHARE_SIGMA * way * SHARE_SIGMA * way;

	if (o->new_trait && isfinite(trait_sigma))
		variance += trait_sigma * trait_sigma;

	double near = o->new_trait ? 1 : fmin(o->farthest / log(FAR), 1);
	double above = near * log(most_s / median_s) / normal[KNOT_90];
	double below = near * log(median_s / least_s) / normal[KNOT_90];

	for (int i = 0; i < PREDICTION_KNOTS; i++) {
		double z = normal[i];
		double differ = z > 0 ? above : below;
		double x = log(knots_s[i] / median_s);
		double width =
			sqrt(x * x + z * z * (variance + differ * differ));

		knots_s[i] = median_s * exp(copysign(z != 0 ? width : x, z));
	}

	return !o->extrapolated || (!(o->new_trait && isnan(trait_sigma)) &&
				    !is_too_far(o, way, slopes) &&
				    knots_s[KNOT_90] <= WIDTH_MAX * median_s);
}
