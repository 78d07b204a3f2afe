/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing_cpu.h - how long a node's task is busy, on a CPU that it shares
 *
 * NOTE.md, sections 1 to 3: the terms share, credit and turns.
 */
#pragma once

#include "predictor/models/sharing/sharing.h"

/* A node's part of the profiled run, and where it would run now. */
struct sharing_task {
	const struct profile *profile;
	const struct profile_node *then;
	const struct sharing_setting *setting;
	const struct sharing_node *now;

	double idle_s;   /* it waits for messages, all in all */
	double answers;  /* messages that are answers to its own */
	double arrivals; /* messages from the peer that sends it most */
};

/* Wall time of a task's busy phases; `turns_s` of it waits for a turn. */
struct sharing_busy {
	double s, turns_s;
};

/* Return the seconds that the task of node `n` of the profile was
 * busy there. */
double sharing_busy_before(const struct profile *p,
			   const struct profile_node *n);

struct sharing_busy sharing_busy_now(const struct sharing_task *task);
