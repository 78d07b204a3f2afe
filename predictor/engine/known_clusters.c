/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known_clusters.c - the clusters that predictd serves */
#include <string.h>

#include "predictor/engine/known_clusters.h"

bool known_clusters_has(const struct known_clusters *known, const char *name)
{
	for (size_t i = 0; i < known->count; i++)
		if (!strcmp(known->names[i], name))
			return true;
	return false;
}

void known_clusters_add(struct known_clusters *known, const char *name)
{
	size_t length = strlen(name);

	if (!length || length >= RUN_NAME_SIZE ||
	    known->count == KNOWN_CLUSTERS_MAX ||
	    known_clusters_has(known, name))
		return;
	memcpy(known->names[known->count++], name, length + 1);
}
