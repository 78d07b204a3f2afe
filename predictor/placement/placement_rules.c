/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement_rules.c - by which rule a scheduler takes nodes, learned
 * from starts
 *
 * Bayes' rule with fixed share: each start multiplies the weight of a rule by
 * how likely that rule makes the nodes given, then a part of all weight goes
 * back to what was expected, so that a changed slurm.conf is noticed after a
 * few starts [1].  The engine's lock is held by the caller.
 *
 * [1] M. Herbster and M. K. Warmuth, Tracking the best expert, Machine Learning
 *     32, 1998, section 3.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/index.h"
#include "predictor/placement/placement_rules.h"

/* Partitions, once for one node and once for several; of two with the same
 * place the newer counts. */
#define PARTITIONS 512

#define EXPECTED_WEIGHT 0.85 /* of the expected rule */
#define OTHER_WEIGHT    0.05 /* of RULE_OTHER */

/* Reports arrive late: a node may seem busy whose job has just ended.  So a
 * rule that would have taken none of the nodes keeps this likelihood... */
#define MISS_LIKELIHOOD 0.1
/* ...and any nodes are as likely as a third of a set. */
#define OTHER_LIKELIHOOD 0.3

#define SHARE 0.05 /* of the weight, back to what was expected */

struct placement_rules {
	struct learned_rules {
		uint64_t key; /* 0: nothing was learned */
		double weights[PLACEMENT_RULES];
	} of[PARTITIONS];
};

struct placement_rules *placement_rules_create(void)
{
	return calloc(1, sizeof(struct placement_rules));
}

void placement_rules_destroy(struct placement_rules *r)
{
	free(r);
}

void placement_rules_expected(enum placement_rule rule,
			      double ret[PLACEMENT_RULES])
{
	double rest = 1 - EXPECTED_WEIGHT - OTHER_WEIGHT;

	for (int i = 0; i < PLACEMENT_RULES; i++)
		ret[i] = rest / (PLACEMENT_RULES - 2);
	ret[RULE_OTHER] = OTHER_WEIGHT;
	ret[rule] = EXPECTED_WEIGHT;
}

static uint64_t key_of(const struct prediction *p)
{
	uint64_t key = index_hash_text(p->nodes > 1, p->cluster);

	key = index_hash_text(key, p->partition);
	return key ? key : 1;
}

void placement_rules_weights(const struct placement_rules *r,
			     const struct prediction *p,
			     const double expected[PLACEMENT_RULES],
			     double ret[PLACEMENT_RULES])
{
	uint64_t key = key_of(p);
	const struct learned_rules *of = &r->of[key % PARTITIONS];

	memcpy(ret, of->key == key ? of->weights : expected,
	       sizeof(of->weights));
}

static double likelihood(enum placement_rule rule, double taken)
{
	if (rule == RULE_OTHER || isnan(taken))
		return OTHER_LIKELIHOOD;
	return MISS_LIKELIHOOD + (1 - MISS_LIKELIHOOD) * taken;
}

void placement_rules_learn(struct placement_rules *r,
			   const struct prediction *p,
			   const double expected[PLACEMENT_RULES],
			   const double taken[PLACEMENT_RULES])
{
	uint64_t key = key_of(p);
	struct learned_rules *of = &r->of[key % PARTITIONS];
	double sum = 0;

	if (of->key != key)
		memcpy(of->weights, expected, sizeof(of->weights));
	of->key = key;
	for (int i = 0; i < PLACEMENT_RULES; i++) {
		of->weights[i] *= likelihood((enum placement_rule)i, taken[i]);
		sum += of->weights[i];
	}
	for (int i = 0; i < PLACEMENT_RULES; i++)
		of->weights[i] = (1 - SHARE) * of->weights[i] / sum +
				 SHARE * expected[i];
}
