/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology_file.h - a topology.conf that is read again when it changes
 *
 * Checking for a change reads only the file's modification time, not that of
 * files which it includes.  A file whose name ends in .yaml is a topology.yaml,
 * in which Slurm 25.05 has several topologies:
 *
 *	- topology: main
 *	  cluster_default: true
 *	  tree:
 *	    switches:
 *	      - switch: top
 *	        children: s[1-2]
 *	      - switch: s1
 *	        nodes: n[1-4]
 */
#pragma once

#include <stdbool.h>
#include <time.h>

#include "predictor/features/topology.h"

struct topology_file {
	const char *path;         /* lent */
	struct timespec modified; /* at the last check */
	bool was_checked;
};

/* Return whether it has changed since the last call; the first time: true. */
bool topology_file_changed(struct topology_file *file);

/* Write the default topology of a topology.yaml, else the first, to `ret` as
 * lines of a topology.conf; lines for which there is no room are left out.
 * Each block becomes a switch.  Only YAML with a key in each line is
 * understood, as Slurm's own examples are written. */
void topology_file_convert(const char *text, char *ret, size_t size);

/* Return the file's text, as that of a topology.conf, which the caller frees,
 * and in *ret (may be NULL) the topology, which the caller clears.  NULL: it
 * cannot be read, or is no topology. */
char *topology_file_read(const char *path, struct topology *ret,
			 struct sp_error *err);
