/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology_yaml.h - a topology.yaml as lines of a topology.conf
 *
 * Slurm 25.05 reads several topologies from one file:
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
#ifndef PREDICTOR_FEATURES_TOPOLOGY_YAML_H
#define PREDICTOR_FEATURES_TOPOLOGY_YAML_H

#include <stddef.h>

/* Write the default topology, else the first, to `ret`; lines for which there
 * is no room are left out.  Each block becomes a switch.  Only YAML with a key
 * in each line is understood, as Slurm's own examples are written. */
void topology_yaml_convert(const char *text, char *ret, size_t size);

#endif
