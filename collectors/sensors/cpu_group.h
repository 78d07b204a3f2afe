/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_group.h - the CPU control group that we run in: its quota, its CPUs
 *
 * A virtual node, or a container, is a control group that may use no more than
 * so much CPU time; then that group is the node, for the CPU sensor.
 */
#pragma once

#include "predictor/base/control_group.h"

struct cpu_group {
	char path[CONTROL_GROUP_PATH_SIZE]; /* of its folder; empty: no quota */
	double cpus;     /* that it may run on: its cpuset, or those online */
	double quota;    /* CPUs' worth of time; as many as cpus: no limit */
	double period_s; /* in which a quota may be used up; 0: no quota */
};

/* Find the innermost group above us with a quota, v1 or v2.  What a service
 * manager allows collectord alone does not count.  `root` stands before /proc
 * and /sys; "" but for tests. */
void cpu_group_find(const char *root, struct cpu_group *ret);

/* Folders of the topmost group above us, those of its weight and of its usage:
 * v1 may have two.  -1: there is none. */
int cpu_group_top(const char *root, char *ret_weight, char *ret_usage);

/* "40000 100000" of v2's cpu.max; 0: no limit, or not understood. */
double cpu_group_parse_max(const char *text);

/* How many CPUs are in a list like "0-3,8"; 0: not understood. */
int cpu_group_count(const char *list);
