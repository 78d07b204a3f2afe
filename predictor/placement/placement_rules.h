/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement_rules.h - by which rule a scheduler takes nodes, learned
 * from starts
 *
 * Slurm has several: the first nodes that have room, those with the most idle
 * CPUs (CR_LLN), and with our select plugin those on which the job runs
 * shortest; sites have topologies and plugins of their own.  How likely each is
 * gets learned for each partition, for jobs on one node and on several: from
 * how much of a job's nodes each rule would have taken at its start.
 */
#pragma once

#include "predictor/features/prediction.h"

enum placement_rule {
	RULE_FIRST,        /* the first that have room, in Slurm's order */
	RULE_LEAST_LOADED, /* the most idle CPUs */
	RULE_BEST,         /* the shortest run time */
	RULE_OTHER,        /* any nodes */
	PLACEMENT_RULES
};

struct placement_rules;

struct placement_rules *placement_rules_create(void); /* NULL: out of memory */
void placement_rules_destroy(struct placement_rules *r); /* NULL is allowed */

/* Find what is expected before anything was learned: `rule`, mostly.  `ret`
 * adds up to 1. */
void placement_rules_expected(enum placement_rule rule,
			      double ret[PLACEMENT_RULES]);

/* How likely each rule is for the job of a prediction; `expected` where nothing
 * was learned. */
void placement_rules_weights(const struct placement_rules *r,
			     const struct prediction *p,
			     const double expected[PLACEMENT_RULES],
			     double ret[PLACEMENT_RULES]);

/* The job has started: on nodes of which each rule would have taken the share
 * `taken` (NAN: it has no set; RULE_OTHER is not read). */
void placement_rules_learn(struct placement_rules *r,
			   const struct prediction *p,
			   const double expected[PLACEMENT_RULES],
			   const double taken[PLACEMENT_RULES]);
