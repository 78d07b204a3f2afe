/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trait_learner.c - the runs and the regression by which traits are judged */
#include <math.h>
#include <stdlib.h>

#include "predictor/models/lee_schopf/trait_learner.h"
#include "predictor/models/prior.h"
#include "predictor/models/weights.h"

/* There must be as many runs. */
#define RUNS_MIN 6
/* Standard deviation of an effect before any run, in units of the noise. */
#define LOOSENESS 15.0

struct trait_learner *trait_learner_create(void)
{
	struct trait_learner *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->regression = regression_create(TRAIT_RUNS_MAX + TRAIT_COLUMNS_MAX,
					  TRAIT_COLUMNS_MAX);
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

/* --- Traits of the runs --------------------------------------------------- */

static void add_names(struct trait_learner *l, const struct trait_key of[],
		      int count)
{
	for (int i = 0; i < count; i++) {
		int at = 0;

		while (at < l->tried_count && l->tried[at].name != of[i].name)
			at++;
		if (at == TRAIT_NAMES_MAX)
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
		return TRAIT_LEVEL_OTHER;
	t->value[t->levels] = value;
	return t->levels++;
}

float trait_ln_number(const struct trait_key *key)
{
	return key && key->number > 0 ? logf(key->number) : NAN;
}

static void read_values(struct trait_learner *l, const struct history *h,
			const struct query *q, struct tried *t)
{
	const struct points *p = &l->points;
	const struct trait_key *own =
		trait_keys_find(q->traits.of, q->traits.count, t->name);
	float sum = 0;

	t->levels = 0;
	t->numbers = 0;
	for (uint32_t i = 0; i < p->count; i++) {
		const struct trait_key *key =
			history_trait(h, p->traits[i], t->name);

		t->level[i] =
			(uint8_t)find_level(t, key ? key->value : 0, true);
		t->ln_number[i] = trait_ln_number(key);
		if (isnan(t->ln_number[i]))
			continue;
		t->numbers++;
		sum += t->ln_number[i];
	}
	t->query_level = (uint8_t)find_level(t, own ? own->value : 0, false);
	t->ln_query = trait_ln_number(own);
	t->ln_mean = t->numbers ? sum / (float)t->numbers : 0;
}

/* --- The regression ------------------------------------------------------- */

static size_t add_column(struct trait_learner *l, double power,
			 double looseness)
{
	l->tightness[l->columns] = 1 / looseness;
	l->power[l->columns] = power;
	return l->columns++;
}

void trait_learner_begin(struct trait_learner *l)
{
	const struct points *p = &l->points;

	l->columns = 0;
	l->taken_count = 0;
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

double trait_number_of_run(const struct tried *t, uint32_t i)
{
	return isnan(t->ln_number[i]) ? 0
				      : (double)(t->ln_number[i] - t->ln_mean);
}

int trait_base_level(const struct tried *t)
{
	return t->query_level == TRAIT_LEVEL_OTHER ? t->level[0]
						   : t->query_level;
}

void trait_learner_take(struct trait_learner *l, int tried, bool by_number)
{
	const struct tried *t = &l->tried[tried];
	uint32_t n = l->points.count;
	size_t first = l->columns;

	l->taken[l->taken_count++] = (struct taken){ tried, by_number, first };
	for (int k = 0; k < (by_number ? 1 : t->levels); k++)
		add_column(l, 0, LOOSENESS);
	for (uint32_t i = 0; i < n; i++) {
		if (by_number) {
			l->x[i][first] = trait_number_of_run(t, i);
			continue;
		}
		for (int k = 0; k < t->levels; k++)
			l->x[i][first + (size_t)k] =
				k == t->level[i] && k != trait_base_level(t);
	}
}

int trait_learner_solve(struct trait_learner *l)
{
	double row[TRAIT_COLUMNS_MAX] = { 0 };
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

bool trait_learner_read(struct trait_learner *l, const struct history *h,
			const struct query *q)
{
	struct query plain = *q;

	plain.trait_effects = NULL;
	points_read(&l->points, h, &plain, TRAIT_RUNS_MAX);
	if (l->points.count < RUNS_MIN || !list_names(l, h, q))
		return false;
	for (int i = 0; i < l->tried_count; i++)
		read_values(l, h, q, &l->tried[i]);
	return true;
}
