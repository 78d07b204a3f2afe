/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_tables.h - weights of features, learned online */
#pragma once

#include "predictor/models/mixture/mixture_atoms.h"

/* The tables of one cluster. */
struct mixture_tables {
	float theta[MIXTURE_ENTRIES]; /* theta[0] stays 0 */
	float S[MIXTURE_ENTRIES];     /* sums of squared slopes */
	float slope[MIXTURE_ENTRIES]; /* zeros between calls */
	float scale, scale_weight;    /* running mean of sqrt(run time) */
	float over, over_weight;      /* of jobs that ran past their limit */
};

/* A prediction: atoms in the order of run times, with weights. */
struct mixture_prediction {
	int count;
	float x[MIXTURE_ATOMS_MAX];      /* ascending */
	float w[MIXTURE_ATOMS_MAX];      /* > 0 or almost, sums to 1 */
	uint8_t atom[MIXTURE_ATOMS_MAX]; /* positions in struct mixture_atoms */
};

/* Initial scores of all entries. */
void mixture_tables_by_hand(float theta[MIXTURE_ENTRIES]);

/* Initial tables of a cluster. */
void mixture_tables_start(struct mixture_tables *tables);

/* Sort the atoms; weights are softmax(sum of theta). */
void mixture_tables_weigh(const struct mixture_tables *tables,
			  const struct mixture_atoms *atoms,
			  struct mixture_prediction *ret);

/* Return whether limits are enforced on this cluster: few jobs run
 * past theirs. */
bool mixture_tables_enforced(const struct mixture_tables *tables);

/* A job of the cluster ended. */
void mixture_tables_ended(struct mixture_tables *tables, float ln_runtime,
			  float ln_limit);

/* One step of gradient descent on the CRPS of the prediction, in sqrt(seconds).
 * `entries` has those of the atoms for each family, by position.  Entries that
 * are not of the job's user are moved at `pace`, 1 or less. */
void mixture_tables_descend(
	struct mixture_tables *tables,
	const struct mixture_prediction *prediction,
	const uint16_t entries[MIXTURE_FAMILIES][MIXTURE_ATOMS_MAX],
	float ln_runtime, float pace);
