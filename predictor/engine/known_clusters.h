/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known_clusters.h - the clusters that predictd serves
 *
 * Ordinary users may name any cluster in a request.  These are the names that
 * come from the history, collectors, Slurm and slurmctld.  No lock of its own.
 */
#pragma once

#include "predictor/features/run.h"

#define KNOWN_CLUSTERS_MAX 256

struct known_clusters {
	size_t count;
	char names[KNOWN_CLUSTERS_MAX][RUN_NAME_SIZE];
};

bool known_clusters_has(const struct known_clusters *known, const char *name);

/* Nothing changes if the name is empty, or if there are too many. */
void known_clusters_add(struct known_clusters *known, const char *name);
