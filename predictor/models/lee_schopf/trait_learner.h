/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trait_learner.h - the runs and the regression by which traits are judged
 *
 * Private to trait_effects.c: it decides which traits to take.
 */
#pragma once

#include "predictor/models/lee_schopf/lee_schopf_points.h"
#include "predictor/models/lee_schopf/trait_effects.h"

/* Runs that are read, the newest. */
#define TRAIT_RUNS_MAX 128
/* Names of traits that are tried. */
#define TRAIT_NAMES_MAX 16

#define TRAIT_LEVEL_OTHER TRAIT_LEVELS_MAX
#define TRAIT_COLUMNS_MAX (1 + SLOTS + TRAIT_EFFECTS_MAX * TRAIT_LEVELS_MAX)

/* A trait of the runs or the query. */
struct tried {
	uint32_t name;
	int levels;
	uint32_t value[TRAIT_LEVELS_MAX]; /* newest first */
	uint8_t level[TRAIT_RUNS_MAX];
	uint8_t query_level;
	uint32_t numbers; /* runs with one */
	float ln_number[TRAIT_RUNS_MAX];
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
	double y[TRAIT_RUNS_MAX], residual[TRAIT_RUNS_MAX];
	size_t columns;
	double x[TRAIT_RUNS_MAX][TRAIT_COLUMNS_MAX];
	double tightness[TRAIT_COLUMNS_MAX],
		power[TRAIT_COLUMNS_MAX]; /* priors */
	int tried_count, taken_count;
	struct tried tried[TRAIT_NAMES_MAX];
	struct taken taken[TRAIT_EFFECTS_MAX];
	struct trait_effects effects;
};

/* Read the newest runs of the query's application.  False: they are too few, or
 * all have the same traits. */
bool trait_learner_read(struct trait_learner *l, const struct history *h,
			const struct query *q);

/* Begin a regression on parameters, processors and conditions that vary;
 * then add a trait, as a column for each of its values or one for the number
 * in it. */
void trait_learner_begin(struct trait_learner *l);
void trait_learner_take(struct trait_learner *l, int tried, bool by_number);

/* Solve it: l->residual is what is left.  -1: there is no solution. */
int trait_learner_solve(struct trait_learner *l);

/* The value that has no column: the query's, else the newest run's. */
int trait_base_level(const struct tried *t);

/* Return the number in a run's value, relative to the mean; 0 without any. */
double trait_number_of_run(const struct tried *t, uint32_t i);

/* Return NAN if there is none. */
float trait_ln_number(const struct trait_key *key);
