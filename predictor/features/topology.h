/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology.h - the switches of a cluster, from topology.conf
 *
 * Read from the text of Slurm's topology.conf, or what `scontrol show topology`
 * prints, which has the same keys.  A switch has either nodes below it (a leaf)
 * or switches.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/base/hostlist.h"

#define TOPOLOGY_SWITCHES_MAX 8192
#define TOPOLOGY_BYTES_MAX    (512 << 10)
#define TOPOLOGY_NO_PARENT    SIZE_MAX

struct topology_switch {
	char name[HOSTLIST_NAME_SIZE];
	size_t parent;         /* index, or TOPOLOGY_NO_PARENT */
	struct hostlist nodes; /* of a leaf */
};

struct topology {
	size_t count; /* 0: flat, or not known */
	struct topology_switch *switches;
};

/* Keys that say nothing about the shape are ignored.  The first in the file
 * counts where a switch has two parents, or a node two leaves; Nodes=ALL says
 * nothing.  Refuses a switch that is there twice or is above itself.  The
 * caller clears. */
int topology_parse(const char *text, size_t size, struct topology *ret,
		   struct sp_error *err);

void topology_clear(struct topology *topology); /* may be called twice */
