/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit_chance.c - how likely a job is to reach its limit
 *
 * Shares are kept of all runs, of a user's, and of those of a user, an
 * application and a limit, newer runs the heavier; each is drawn to the one
 * before, as if PRIOR runs had shown that.  The caller holds a lock, if any.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/hash_mix.h"
#include "predictor/base/index.h"
#include "predictor/ensemble/ensemble.h"
#include "predictor/ensemble/limit_chance.h"

#define REACHED 0.99 /* of the limit */

#define LEVELS 3 /* all, user, user with application and limit */
static const double prior[LEVELS] = { 20, 6, 4 };
/* Share of the weight of earlier runs that is kept after one more. */
static const double decay[LEVELS] = { 0.998, 0.98, 0.98 };
/* The share of all runs, before the first. */
#define SHARE_FIRST 0.1

/* How far weights move, at first; after JOBS_HALF ends half as far. */
#define STEP      0.02
#define STEP_ODDS 0.2 /* of the others: odds are up to 6 */
#define JOBS_HALF 5000.0

#define CHANCE_MIN 0.002

struct shares {
	uint64_t key;
	float runs, reached;
};

struct opinions {
	double shares, quantiles; /* logarithms of odds */
};

struct limit_chance {
	struct shares *of;
	uint32_t count, capacity;
	struct index index;
	double constant, by_shares, by_quantiles; /* weights */
	double ended;
	struct opinions *watched; /* by the job's number; NAN: there is none */
};

struct limit_chance *limit_chance_create(uint32_t jobs_max)
{
	struct limit_chance *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->constant = -0.3;
	c->by_shares = 0.3;
	c->by_quantiles = 0.5;
	c->watched = calloc(jobs_max, sizeof(c->watched[0]));
	if (c->watched)
		return c;
	limit_chance_destroy(c);
	return NULL;
}

void limit_chance_destroy(struct limit_chance *c)
{
	if (!c)
		return;
	free(c->watched);
	free(c->of);
	index_clear(&c->index);
	free(c);
}

bool limit_is_reached(double runtime_s, double limit_s)
{
	return runtime_s >= REACHED * limit_s;
}

static bool is_limited(const struct query *query)
{
	return query->limit_s > 0 && isfinite(query->limit_s);
}

/* --- Shares --------------------------------------------------------------- */

static void keys_of(const struct query *query, uint64_t ret[LEVELS])
{
	uint64_t user = query_user(query);

	ret[0] = query->cluster_key | 1;
	ret[1] = hash_mix(user ^ 1);
	ret[2] = hash_mix(user ^ hash_mix(query->application_key ^
					  (uint64_t)query->limit_s));
}

static struct shares *shares_find(const struct limit_chance *c, uint64_t key)
{
	uint32_t at = index_find(&c->index, index_hash_number(key), NULL, NULL);

	return at == INDEX_NONE ? NULL : &c->of[at];
}

/* NULL: out of memory. */
static struct shares *shares_get(struct limit_chance *c, uint64_t key)
{
	struct shares *shares = shares_find(c, key);

	if (shares || index_reserve(&c->index) ||
	    index_grow(&c->of, &c->capacity, c->count, sizeof(c->of[0])))
		return shares;
	index_add(&c->index, index_hash_number(key), c->count);
	shares = &c->of[c->count++];
	*shares = (struct shares){ .key = key };
	return shares;
}

static void shares_note(struct limit_chance *c, const struct query *query,
			bool reached)
{
	uint64_t keys[LEVELS];

	keys_of(query, keys);
	for (int i = 0; i < LEVELS; i++) {
		struct shares *s = shares_get(c, keys[i]);
		/* A batch must not stand for all users. */
		double weight = i ? 1 : query_pace(query);
		double kept = 1 - (1 - decay[i]) * weight;

		if (!s)
			continue;
		s->runs = (float)(kept * (double)s->runs + weight);
		s->reached =
			(float)(kept * (double)s->reached + weight * reached);
	}
}

/* --- Opinions ------------------------------------------------------------- */

static double log_odds(double p)
{
	p = fmin(fmax(p, CHANCE_MIN), 1 - CHANCE_MIN);
	return log(p / (1 - p));
}

static void opinions_find(const struct limit_chance *c,
			  const struct query *query,
			  const double knots_s[PREDICTION_KNOTS],
			  struct opinions *ret)
{
	double p = SHARE_FIRST;
	uint64_t keys[LEVELS];

	keys_of(query, keys);
	for (int i = 0; i < LEVELS; i++) {
		const struct shares *s = shares_find(c, keys[i]);

		if (s)
			p = ((double)s->reached + prior[i] * p) /
			    ((double)s->runs + prior[i]);
	}
	ret->shares = ret->quantiles = log_odds(p);
	if (knots_s[0] > 0)
		ret->quantiles = log_odds(
			1 -
			verdict_probability(knots_s, REACHED * query->limit_s));
}

static double opinions_weigh(const struct limit_chance *c,
			     const struct opinions *o)
{
	double ln_odds = c->constant + c->by_shares * o->shares +
			 c->by_quantiles * o->quantiles;

	return fmin(fmax(1 / (1 + exp(-ln_odds)), CHANCE_MIN), 1 - CHANCE_MIN);
}

double limit_chance_find(const struct limit_chance *c,
			 const struct query *query,
			 const double knots_s[PREDICTION_KNOTS])
{
	struct opinions o;

	if (!is_limited(query))
		return NAN;
	opinions_find(c, query, knots_s, &o);
	return opinions_weigh(c, &o);
}

/* A step down the gradient of -ln(probability of what happened). */
static void weights_move(struct limit_chance *c, const struct opinions *o,
			 bool reached, double pace)
{
	double step = STEP * pace / (1 + c->ended / JOBS_HALF) *
		      (reached - opinions_weigh(c, o));

	c->constant += step;
	c->by_shares += STEP_ODDS * step * o->shares;
	c->by_quantiles += STEP_ODDS * step * o->quantiles;
	c->ended++;
}

/* --- A job's life --------------------------------------------------------- */

void limit_chance_watch(struct limit_chance *c, uint32_t job,
			const struct query *query,
			const double knots_s[PREDICTION_KNOTS])
{
	c->watched[job].shares = NAN;
	if (is_limited(query))
		opinions_find(c, query, knots_s, &c->watched[job]);
}

void limit_chance_end(struct limit_chance *c, uint32_t job,
		      const struct query *query, double runtime_s)
{
	bool reached = limit_is_reached(runtime_s, query->limit_s);

	if (!is_limited(query))
		return;
	if (job != LIMIT_CHANCE_NONE && !isnan(c->watched[job].shares))
		weights_move(c, &c->watched[job], reached, query_pace(query));
	shares_note(c, query, reached);
}
