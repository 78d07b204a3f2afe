/* mixture_tables.h - what is learned: how much each thing speaks for an atom */
#ifndef PREDICTOR_MODELS_MIXTURE_MIXTURE_TABLES_H
#define PREDICTOR_MODELS_MIXTURE_MIXTURE_TABLES_H

#include <stdbool.h>

#include "predictor/models/mixture/mixture_atoms.h"

/* Of one cluster. */
struct mixture_tables {
	float theta[MIXTURE_ENTRIES]; /* theta[0] stays 0 */
	float S[MIXTURE_ENTRIES];     /* sums of squared slopes */
	float slope[MIXTURE_ENTRIES]; /* zeros between calls */
	float scale, scale_weight;    /* running mean of sqrt(run time) */
	float over, over_weight;      /* of jobs that outran their limit */
};

/* An answer in the order of its atoms' run times, ready to learn from. */
struct mixture_said {
	int count;
	float x[MIXTURE_ATOMS_MAX];      /* ascending */
	float w[MIXTURE_ATOMS_MAX];      /* > 0 or almost, sums to 1 */
	uint8_t atom[MIXTURE_ATOMS_MAX]; /* positions in struct mixture_atoms */
};

/* As a new cluster begins. */
void mixture_tables_start(struct mixture_tables *tables);

/* Sort the atoms and weigh them: w = softmax(sum of theta). */
void mixture_tables_weigh(const struct mixture_tables *tables,
			  const struct mixture_atoms *atoms,
			  struct mixture_said *ret);

/* Whether limits are kept on this cluster: hardly a job runs past its own. */
bool mixture_tables_enforced(const struct mixture_tables *tables);

/* A job of the cluster took so long under such a limit. */
void mixture_tables_ended(struct mixture_tables *tables, float ln_runtime,
			  float ln_limit);

/* One step down the slope of the CRPS of what was said, in sqrt(seconds);
 * `entries` has, for each family, those of the atoms by position. */
void mixture_tables_descend(
	struct mixture_tables *tables, const struct mixture_said *said,
	const uint16_t entries[MIXTURE_FAMILIES][MIXTURE_ATOMS_MAX],
	float ln_runtime);

#endif
