/* SPDX-License-Identifier: GPL-2.0-or-later */
/* host_room.h - how many nodes like this one its machine can serve
 *
 * Where a node is a control group with a quota, its machine may have other such
 * nodes, and work of its own.  Each of them gets its quota as long as few want
 * it; a job on all of them gets what the machine's other work leaves to their
 * common group: an idle node cannot see that, and its machine can be asked.
 *
 * With R processes that run or want to outside of the nodes' topmost common
 * group, whose weight is that of w processes, C CPUs leave the group
 *
 *	max(C - R, C w / (w + R))
 *
 * CPUs' worth of time.  R is the CPU time used outside, and, where no CPU is
 * idle, the number of runnable processes beyond what the group uses.  So each
 * counts the same, though one that is nice, or one of a session whose processes
 * the kernel groups, takes less: what a job really gets of it, models learn.
 */
#pragma once

#include "collectors/sensors/cpu_group.h"

struct host_room {
	double id;    /* of the machine's common group; 0: none is known */
	double nodes; /* with quotas like ours that it can serve; above 0 */
	/* The rest is its own. */
	char weight_of[CONTROL_GROUP_PATH_SIZE],
		usage_of[CONTROL_GROUP_PATH_SIZE];
	double at_s, machine_busy_s, group_busy_s; /* at the last reading */
	double busy, inside, runnable;             /* means of late, in CPUs */
};

/* For the node that is that group. */
void host_room_open(struct host_room *room, const struct cpu_group *group);

/* One more reading, at a time on the monotonic clock, when the machine's CPUs
 * have been busy for machine_busy_s. */
void host_room_read(struct host_room *room, const struct cpu_group *group,
		    double now_s, double machine_busy_s);

/* Return what C CPUs leave to a group of that weight beside R
 * runnable processes. */
double host_room_left(double cpus, double weight, double runnable);
