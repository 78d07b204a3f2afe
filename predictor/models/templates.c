/* SPDX-License-Identifier: GPL-2.0-or-later */
/* templates.c - the mean of similar runs, by the best of several templates
 *
 * [1] W. Smith, I. Foster, V. Taylor: Predicting Application Run Times Using
 *     Historical Information, JSSPP 1998, LNCS 1459, 122-142.
 *
 * A template is a set of characteristics; runs that have these in common form a
 * category.  Among the categories of a job, the one whose mean has the
 * narrowest confidence interval predicts it.  Departures from [1]: the
 * templates are fixed, not searched for on the log that they are judged by; a
 * category's mean and deviation decay, so that it takes 24 bytes; a new
 * category replaces the least recently used one of its set.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/unused.h"
#include "predictor/models/model.h"

/* Categories in all, in sets of WAYS: 6 MiB, touched as they are used. */
#define SETS 32768u
#define WAYS 8u

/* The decaying mean is of about this many runs. */
#define RUNS_MAX 64.0F
/* [1] needs two for a deviation. */
#define RUNS_MIN 2.0F

enum characteristic {
	BY_USER = 1,
	BY_APPLICATION = 2,
	BY_SIZE = 4,
	BY_LIMIT = 8,
	BY_PARTITION = 16,
};

static const unsigned templates[] = {
	BY_USER | BY_APPLICATION | BY_SIZE | BY_LIMIT,
	BY_USER | BY_APPLICATION | BY_SIZE,
	BY_USER | BY_APPLICATION,
	BY_APPLICATION | BY_SIZE,
	BY_USER | BY_SIZE | BY_LIMIT,
	BY_USER,
	BY_PARTITION | BY_SIZE,
	0,
};

#define TEMPLATES (sizeof(templates) / sizeof(templates[0]))

struct category {
	uint64_t key; /* 0: none */
	float runs;   /* in the mean */
	float mean_s;
	float square_s2; /* mean of the squared deviations */
	uint32_t used;   /* by `clock`, which counts uses */
};

struct templates {
	uint32_t clock;
	struct category *categories; /* SETS * WAYS */
};

static void *templates_create(void)
{
	struct templates *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->categories = calloc((size_t)SETS * WAYS, sizeof(t->categories[0]));
	if (t->categories)
		return t;
	free(t);
	return NULL;
}

static void templates_destroy(void *model)
{
	struct templates *t = model;

	if (!t)
		return;
	free(t->categories);
	free(t);
}

/* --- Categories ----------------------------------------------------------- */

static uint64_t key_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

/* Return 0 if the job has not all of the template's characteristics. */
static uint64_t category_key(const struct query *q, unsigned template)
{
	uint64_t key = key_mix(q->cluster_key, template + 1);

	if ((template & BY_USER && !q->user_key) ||
	    (template & BY_APPLICATION && !q->application_key) ||
	    (template & BY_PARTITION && !q->partition_key))
		return 0;
	if (template & BY_USER)
		key = key_mix(key, q->user_key);
	if (template & BY_APPLICATION)
		key = key_mix(key, q->application_key);
	if (template & BY_SIZE)
		key = key_mix(key, q->cpus);
	if (template & BY_LIMIT)
		key = key_mix(key, q->limit_s > 0 && q->limit_s < 1e15
					   ? (uint64_t)q->limit_s
					   : 0);
	if (template & BY_PARTITION)
		key = key_mix(key, q->partition_key);
	return key ? key : 1;
}

static struct category *category_set(const struct templates *t, uint64_t key)
{
	return &t->categories[(key >> 32) % SETS * WAYS];
}

static struct category *category_find(const struct templates *t, uint64_t key)
{
	struct category *set = category_set(t, key);

	for (uint32_t i = 0; i < WAYS; i++)
		if (set[i].key == key)
			return &set[i];
	return NULL;
}

static struct category *category_make(const struct templates *t, uint64_t key)
{
	struct category *set = category_set(t, key);
	struct category *oldest = set;

	for (uint32_t i = 0; i < WAYS; i++) {
		if (!set[i].key) {
			oldest = &set[i];
			break;
		}
		/* The clock may wrap. */
		if ((int32_t)(set[i].used - oldest->used) < 0)
			oldest = &set[i];
	}
	*oldest = (struct category){ .key = key };
	return oldest;
}

/* --- Predicting ----------------------------------------------------------- */

/* Student's t at 0.95 by degrees of freedom: 90 % are within both sides. */
static double student(float runs)
{
	static const double few[] = { 6.314, 2.920, 2.353, 2.132, 2.015,
				      1.943, 1.895, 1.860, 1.833, 1.812 };
	int degrees = (int)runs - 1;

	if (degrees < 1)
		degrees = 1;
	if (degrees <= 10)
		return few[degrees - 1];
	return 1.645 + 1.55 / degrees;
}

/* [1] section 2.1: half of the confidence interval of the mean, in seconds. */
static double mean_interval(const struct category *c)
{
	double deviation =
		sqrt((double)(c->square_s2 * c->runs / (c->runs - 1)));

	return student(c->runs) * deviation / sqrt((double)c->runs);
}

static int templates_predict(void *model, const struct history *history UNUSED,
			     const struct query *query,
			     struct model_result *ret, struct sp_error *err)
{
	const struct templates *t = model;
	const struct category *best = NULL;
	double narrowest = HUGE_VAL;

	for (size_t i = 0; i < TEMPLATES; i++) {
		uint64_t key = category_key(query, templates[i]);
		const struct category *c = key ? category_find(t, key) : NULL;

		if (!c || c->runs < RUNS_MIN)
			continue;

		double width = mean_interval(c);

		if (width < narrowest) {
			narrowest = width;
			best = c;
		}
	}
	if (!best)
		return sp_error_set(err, "no two similar runs");

	double mean_s = fmax((double)best->mean_s, HISTORY_RUNTIME_MIN_S);

	if (query->limit_s > 0 && mean_s > query->limit_s)
		mean_s = query->limit_s;
	model_result_set(ret, mean_s, (uint32_t)best->runs, NAN, NAN);
	return 0;
}

/* --- Learning ------------------------------------------------------------- */

static void category_add(struct category *c, double runtime_s)
{
	double runs = fmin((double)c->runs + 1, (double)RUNS_MAX);
	double off = runtime_s - (double)c->mean_s;

	c->mean_s = (float)((double)c->mean_s + off / runs);
	c->square_s2 = (float)((1 - 1 / runs) *
			       ((double)c->square_s2 + off * off / runs));
	c->runs = (float)runs;
}

static void templates_learn(void *model, const struct history *history UNUSED,
			    const struct query *query,
			    const struct outcome *outcome)
{
	struct templates *t = model;

	if (!history_accepts(outcome))
		return;
	t->clock++;
	for (size_t i = 0; i < TEMPLATES; i++) {
		uint64_t key = category_key(query, templates[i]);
		struct category *c;

		if (!key)
			continue;
		c = category_find(t, key);
		if (!c)
			c = category_make(t, key);
		c->used = t->clock;
		category_add(c,
			     fmax(outcome->ended_at_s - outcome->started_at_s,
				  HISTORY_RUNTIME_MIN_S));
	}
}

const struct model model_templates = {
	.name = "templates",
	.help = "mean of the category of runs that varies least (Smith et al.)",
	.create = templates_create,
	.destroy = templates_destroy,
	.predict = templates_predict,
	.learn = templates_learn,
};
