/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trait_effects.h - by how much traits change the run time of an application
 *
 * Found from the newest runs of the query's application, and used to convert
 * the run time of each run to the traits of the query: models then see runs
 * that differ by their parameters, size and conditions only.
 *
 * A trait has an effect for each of its values, or, if its values contain
 * numbers, a power of these, so that values not seen before are covered; or
 * both.  Traits are added one by one, those that explain most first, as long as
 * the leave-one-out error falls by more than chance would lower it: one that
 * has nothing to do with the run time changes nothing.
 */
#pragma once

#include "predictor/models/history.h"
#include "predictor/models/query.h"

#define TRAIT_EFFECTS_MAX 4
#define TRAIT_LEVELS_MAX  16 /* values of a trait, the newest */

/* ln of the factor on the run time, by value or by the number in the value,
 * relative to the query's. */
struct trait_effect {
	uint32_t name;
	int levels;
	uint32_t value[TRAIT_LEVELS_MAX]; /* 0: the run has no such trait */
	float ln[TRAIT_LEVELS_MAX];
	float ln_other; /* of values that are not listed */
	float power;    /* by number, where levels is 0: */
	float ln_query, ln_mean;
};

struct trait_effects {
	const struct history *history;
	int count;
	struct trait_effect of[TRAIT_EFFECTS_MAX];
};

struct trait_learner; /* working memory */

struct trait_learner *trait_learner_create(void); /* NULL: out of memory */
void trait_learner_destroy(struct trait_learner *learner); /* NULL: allowed */

/* Return the effects for a query, whose own are not read; lent until the
 * next call or a change of the history.  NULL: no trait is known to matter.
 * Takes little time if neither the query nor the newest runs have traits
 * that vary. */
const struct trait_effects *trait_effects_learn(struct trait_learner *learner,
						const struct history *history,
						const struct query *query);

/* Expected ln(run time with the query's traits / with those of a run), by the
 * run's position in the history's traits.  No effects (NULL): 0. */
double trait_effects_ln(const struct trait_effects *effects, uint32_t traits);
