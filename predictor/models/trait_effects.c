/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trait_effects.c - by how much traits change the run time of an application
 *
 * A regression of logarithms over the newest runs, as in correction.c, first on
 * parameters, processors and conditions alone.  Then, again and again: each
 * trait is tried on what is left (find_best()), the best joins the regression
 * as columns (a value each, or the number in it), and all is solved again.  The
 * coefficients of these columns are the effects.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/models/lee_schopf/lee_schopf_points.h"
#include "predictor/models/prior.h"
#include "predictor/models/trait_effects.h"
#include "predictor/models/weights.h"

/* Runs that are read, the newest, and how many there must be. */
#define RUNS_MAX 128
#define RUNS_MIN 6
/* Names of traits that are tried. */
#define NAMES_MAX 16

/* A trait must lower the leave-one-out error (of squares) by this part, and by
 * this many runs' share more: of a few runs some words agree with the run times
 * by chance.  With 5 percent alone, four useless texts raised the errors of
 * `make bench-features` by more than they do now. */
#define GAIN      0.05
#define GAIN_RUNS 3.0
/* The mean of a value's runs counts as if one more run had no effect. */
#define SHRINK 1.0
/* Part of the runs that must have a number. */
#define NUMBERS_SHARE 0.75
/* Standard deviation of an effect before any run, in units of the noise. */
#define LOOSENESS 15.0
/* No run is converted by more than a factor of 1,000. */
#define LN_MAX 6.9

#define LEVEL_OTHER TRAIT_LEVELS_MAX
#define COLUMNS_MAX (1 + SLOTS + TRAIT_EFFECTS_MAX * TRAIT_LEVELS_MAX)

/* A trait of the runs or the query. */
struct tried {
	uint32_t name;
	int levels;
	uint32_t value[TRAIT_LEVELS_MAX]; /* newest first */
	uint8_t level[RUNS_MAX];
	uint8_t query_level;
	uint32_t numbers; /* runs with one */
	float ln_number[RUNS_MAX];
	float ln_query; /* NAN: no number, as above */
	float ln_mean;
};

/* One that was taken, in the order of the effects. */
struct taken {
	int tried;
	bool by_number;
	size_t first; /* column */
};

struct trait_learner {
	struct regression *regression;
	struct points points;
	double y[RUNS_MAX], residual[RUNS_MAX];
	size_t columns;
	double x[RUNS_MAX][COLUMNS_MAX];
	double tightness[COLUMNS_MAX], power[COLUMNS_MAX]; /* priors */
	int tried_count, taken_count;
	struct tried tried[NAMES_MAX];
	struct taken taken[TRAIT_EFFECTS_MAX];
	struct trait_effects effects;
};

struct trait_learner *trait_learner_create(void)
{
	struct trait_learner *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->regression = regression_create(RUNS_MAX + COLUMNS_MAX, COLUMNS_MAX);
	if (l->regression)
		return l;
	free(l);
	return NULL;
}

void trait_learner_destroy(struct trait_learner *l)
{
	if (!l)
		return;
	regression_destroy(l->regression);
	free(l);
}

/* --- Traits of the runs ----------------------------------------------------- */

static const struct trait_key *find_key(const struct trait_key of[], int count,
					uint32_t name)
{
	for (int i = 0; i < count; i++)
		if (of[i].name == name)
			return &of[i];
	return NULL;
}

static const struct trait_key *run_key(const struct history *h, uint32_t traits,
				       uint32_t name)
{
	return traits == INDEX_NONE ? NULL
				    : find_key(h->traits[traits].of,
					       h->traits[traits].count, name);
}

static void add_names(struct trait_learner *l, const struct trait_key of[],
		      int count)
{
	for (int i = 0; i < count; i++) {
		int at = 0;

		while (at < l->tried_count && l->tried[at].name != of[i].name)
			at++;
		if (at == NAMES_MAX)
			return;
		if (at == l->tried_count)
			l->tried[l->tried_count++].name = of[i].name;
	}
}

/* The names of the query and the runs.  False: all have the same traits. */
static bool list_names(struct trait_learner *l, const struct history *h,
		       const struct query *q)
{
	const struct points *p = &l->points;
	uint32_t last = INDEX_NONE;
	bool differ = false;

	l->tried_count = 0;
	add_names(l, q->traits.of, q->traits.count);
	for (uint32_t i = 0; i < p->count; i++) {
		uint32_t traits = p->traits[i];

		differ |= traits != p->traits[0];
		if (traits != last && traits != INDEX_NONE)
			add_names(l, h->traits[traits].of,
				  h->traits[traits].count);
		last = traits;
	}
	return differ;
}

static int find_level(struct tried *t, uint32_t value, bool add)
{
	for (int i = 0; i < t->levels; i++)
		if (t->value[i] == value)
			return i;
	if (!add || t->levels == TRAIT_LEVELS_MAX)
		return LEVEL_OTHER;
	t->value[t->levels] = value;
	return t->levels++;
}

static float ln_number(const struct trait_key *key)
{
	return key && key->number > 0 ? logf(key->number) : NAN;
}

static void read_values(struct trait_learner *l, const struct history *h,
			const struct query *q, struct tried *t)
{
	const struct points *p = &l->points;
	const struct trait_key *own =
		find_key(q->traits.of, q->traits.count, t->name);
	float sum = 0;

	t->levels = 0;
	t->numbers = 0;
	for (uint32_t i = 0; i < p->count; i++) {
		const struct trait_key *key = run_key(h, p->traits[i], t->name);

		t->level[i] =
			(uint8_t)find_level(t, key ? key->value : 0, true);
		t->ln_number[i] = ln_number(key);
		if (isnan(t->ln_number[i]))
			continue;
		t->numbers++;
		sum += t->ln_number[i];
	}
	t->query_level = (uint8_t)find_level(t, own ? own->value : 0, false);
	t->ln_query = ln_number(own);
	t->ln_mean = t->numbers ? sum / (float)t->numbers : 0;
}

/* --- The regression --------------------------------------------------------- */

static size_t add_column(struct trait_learner *l, double power,
			 double looseness)
{
	l->tightness[l->columns] = 1 / looseness;
	l->power[l->columns] = power;
	return l->columns++;
}

/* Parameters, processors and conditions that vary. */
static void add_variables(struct trait_learner *l)
{
	const struct points *p = &l->points;

	l->columns = 0;
	add_column(l, 0, HUGE_VAL);
	for (uint32_t i = 0; i < p->count; i++) {
		l->x[i][0] = 1;
		l->y[i] = log(p->runtime_s[i]);
	}
	for (int s = 0; s < SLOTS; s++) {
		if (!(p->slots & SLOT_BIT(s)) || !(p->range[s] > 0) ||
		    !isfinite(p->range[s]))
			continue;

		double low = weights_logarithm(p, s, p->low[s]);
		size_t j = add_column(l, 0, prior_of_parameter.looseness);

		for (uint32_t i = 0; i < p->count; i++)
			l->x[i][j] = weights_logarithm(p, s, p->x[s][i]) - low;
	}
}

static double number_of_run(const struct tried *t, uint32_t i)
{
	return isnan(t->ln_number[i]) ? 0
				      : (double)(t->ln_number[i] - t->ln_mean);
}

/* The value that has no column: the query's, else the newest run's. */
static int base_level(const struct tried *t)
{
	return t->query_level == LEVEL_OTHER ? t->level[0] : t->query_level;
}

static void take(struct trait_learner *l, int tried, bool by_number)
{
	const struct tried *t = &l->tried[tried];
	uint32_t n = l->points.count;
	size_t first = l->columns;

	l->taken[l->taken_count++] = (struct taken){ tried, by_number, first };
	for (int k = 0; k < (by_number ? 1 : t->levels); k++)
		add_column(l, 0, LOOSENESS);
	for (uint32_t i = 0; i < n; i++) {
		if (by_number) {
			l->x[i][first] = number_of_run(t, i);
			continue;
		}
		for (int k = 0; k < t->levels; k++)
			l->x[i][first + (size_t)k] =
				k == t->level[i] && k != base_level(t);
	}
}

static int solve(struct trait_learner *l)
{
	double row[COLUMNS_MAX] = { 0 };
	uint32_t n = l->points.count;

	regression_begin(l->regression, l->columns);
	for (uint32_t i = 0; i < n; i++)
		regression_add(l->regression, l->x[i], l->y[i], 1);
	for (size_t j = 1; j < l->columns; j++) {
		row[j] = l->tightness[j];
		regression_add(l->regression, row, l->power[j] * row[j], 1);
		row[j] = 0;
	}
	if (regression_solve(l->regression))
		return -1;
	for (uint32_t i = 0; i < n; i++)
		l->residual[i] =
			l->y[i] - regression_at(l->regression, l->x[i], NULL);
	return 0;
}

/* --- Which traits matter ---------------------------------------------------- */

/* Leave-one-out squares of what is left, with the means of each value. */
static double error_by_level(const struct trait_learner *l,
			     const struct tried *t)
{
	double sum[TRAIT_LEVELS_MAX + 1] = { 0 };
	double runs[TRAIT_LEVELS_MAX + 1] = { 0 };
	double error = 0;

	for (uint32_t i = 0; i < l->points.count; i++) {
		sum[t->level[i]] += l->residual[i];
		runs[t->level[i]]++;
	}
	for (uint32_t i = 0; i < l->points.count; i++) {
		int k = t->level[i];
		double r = l->residual[i];
		double mean = k == LEVEL_OTHER
				      ? 0
				      : (sum[k] - r) / (runs[k] - 1 + SHRINK);

		error += (r - mean) * (r - mean);
	}
	return error;
}

/* The same with a line through the numbers in the values. */
static double error_by_number(const struct trait_learner *l,
			      const struct tried *t)
{
	uint32_t n = l->points.count;
	double xx = 0, xy = 0, error = 0;

	if (isnan(t->ln_query) || t->numbers < NUMBERS_SHARE * n)
		return HUGE_VAL;
	for (uint32_t i = 0; i < n; i++) {
		double x = number_of_run(t, i);

		xx += x * x;
		xy += x * l->residual[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		double x = number_of_run(t, i);
		double rest = 1 - (x * x / xx + 1.0 / n);
		double e = l->residual[i] - x * xy / xx;

		if (!(rest > 1e-6))
			return HUGE_VAL;
		error += (e / rest) * (e / rest);
	}
	return error;
}

static bool is_taken(const struct trait_learner *l, int tried, bool by_number)
{
	for (int i = 0; i < l->taken_count; i++)
		if (l->taken[i].tried == tried &&
		    l->taken[i].by_number == by_number)
			return true;
	return false;
}

/* The trait that explains most of what is left, if that is more than chance. */
static bool find_best(const struct trait_learner *l, int *ret_tried,
		      bool *ret_by_number)
{
	double n = l->points.count;
	double best = 0;
	bool found = false;

	for (uint32_t i = 0; i < l->points.count; i++)
		best += l->residual[i] * l->residual[i];
	best *= n / (n - 1) * n / (n - 1) * (1 - GAIN - GAIN_RUNS / n);
	for (int i = 0; i < l->tried_count; i++)
		for (int by_number = 0; by_number < 2; by_number++) {
			const struct tried *t = &l->tried[i];

			if (t->levels < 2 || is_taken(l, i, by_number))
				continue;

			double error = by_number ? error_by_number(l, t)
						 : error_by_level(l, t);

			if (!(error < best))
				continue;
			best = error;
			*ret_tried = i;
			*ret_by_number = by_number;
			found = true;
		}
	return found;
}

/* --- Effects ---------------------------------------------------------------- */

static void fill_levels(const struct trait_learner *l,
			const struct taken *taken, struct trait_effect *ret)
{
	const struct tried *t = &l->tried[taken->tried];
	uint32_t n = l->points.count;
	double mean = 0;

	ret->levels = t->levels;
	memcpy(ret->value, t->value, sizeof(ret->value));
	for (uint32_t i = 0; i < n; i++)
		if (t->level[i] != LEVEL_OTHER && t->level[i] != base_level(t))
			mean += regression_coefficient(l->regression,
						       taken->first +
							       t->level[i]) /
				n;

	/* The query's value has none, or, if it is new, that of all. */
	double own = t->query_level == LEVEL_OTHER ? mean : 0;

	ret->ln_other = (float)own;
	for (int k = 0; k < t->levels; k++)
		ret->ln[k] =
			(float)(own -
				(k == base_level(t)
					 ? 0
					 : regression_coefficient(
						   l->regression,
						   taken->first + (size_t)k)));
}

static void fill_effects(struct trait_learner *l, const struct history *h)
{
	struct trait_effects *effects = &l->effects;

	effects->history = h;
	effects->count = l->taken_count;
	for (int i = 0; i < l->taken_count; i++) {
		const struct taken *taken = &l->taken[i];
		const struct tried *t = &l->tried[taken->tried];
		struct trait_effect *effect = &effects->of[i];

		effect->name = t->name;
		effect->levels = 0;
		if (!taken->by_number) {
			fill_levels(l, taken, effect);
			continue;
		}
		effect->power = (float)regression_coefficient(l->regression,
							      taken->first);
		effect->ln_query = t->ln_query;
		effect->ln_mean = t->ln_mean;
	}
}

const struct trait_effects *trait_effects_learn(struct trait_learner *l,
						const struct history *h,
						const struct query *q)
{
	struct query plain = *q;
	int tried = 0;
	bool by_number = false;

	plain.trait_effects = NULL;
	l->taken_count = 0;
	if (!h->traits_count)
		return NULL;
	points_read(&l->points, h, &plain, RUNS_MAX);
	if (l->points.count < RUNS_MIN || !list_names(l, h, q))
		return NULL;
	for (int i = 0; i < l->tried_count; i++)
		read_values(l, h, q, &l->tried[i]);
	add_variables(l);
	if (solve(l))
		return NULL;
	while (l->taken_count < TRAIT_EFFECTS_MAX &&
	       find_best(l, &tried, &by_number)) {
		take(l, tried, by_number);
		if (solve(l))
			return NULL;
	}
	if (!l->taken_count)
		return NULL;
	fill_effects(l, h);
	return &l->effects;
}

static double effect_ln(const struct trait_effect *effect,
			const struct trait_key *key)
{
	if (!effect->levels) {
		float number = ln_number(key);

		return (double)(effect->power *
				(effect->ln_query -
				 (isnan(number) ? effect->ln_mean : number)));
	}

	uint32_t value = key ? key->value : 0;

	for (int i = 0; i < effect->levels; i++)
		if (effect->value[i] == value)
			return (double)effect->ln[i];
	return (double)effect->ln_other;
}

double trait_effects_ln(const struct trait_effects *effects, uint32_t traits)
{
	double ln = 0;

	if (!effects)
		return 0;
	for (int i = 0; i < effects->count; i++)
		ln += effect_ln(
			&effects->of[i],
			run_key(effects->history, traits, effects->of[i].name));
	return fmin(fmax(ln, -LN_MAX), LN_MAX);
}
