/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing.h - the run time of a profiled application on given nodes and links
 *
 * From how an application used CPUs and links when it was profiled, and how
 * long it then took, follows how long it takes where they are shared more, or
 * less.  NOTE.md derives each term from the formulas of [2], with the
 * experiment that led to it and its effect on errors.
 *
 * [2] S. Venkataramaiah, J. Subhlok: Performance Prediction for Simple CPU and
 *     Network Sharing, LACSI Symposium 2002.
 */
#pragma once

#include "predictor/features/profile.h"

/* A node as it is now; NAN: as in the profile. */
struct sharing_node {
	double cpu_available; /* 0 to 1: share of a CPU that a process gets */
	double cpu_speed;     /* relative to the site's reference; 1: equal */
};

/* The link from one node to another as it is now; NAN: as in the profile. */
struct sharing_link {
	double bandwidth_bps; /* bits per second, of a new stream */
	double latency_s;     /* one way */
};

/* Where the application would run.  Nodes are in the order of the job's node
 * list, as those of the profile are. */
struct sharing_setting {
	int node_count; /* 1 to PROFILE_NODES_MAX */
	const struct sharing_node *nodes;

	/* The link between two of these; NULL: all as in the profile.  Called
	 * once for each pair that exchanges messages. */
	void (*link_of)(const void *context, int from, int to,
			struct sharing_link *ret);
	const void *context;

	/* What the nodes' scheduler does (NOTE.md, sections 2 and 3), as
	 * collectord measures it. */
	double credit_s; /* CPU seconds of a sleep that it gives back at most;
			    HUGE_VAL: as [2] has it */
	double turn_s;   /* mean wait for a turn, for each competitor */

	/* What MPI sends of a long message before the receiver has
	 * acknowledged it; 0: as [2] has it. */
	double eager_bytes;
};

/* Open MPI's over TCP (btl_tcp_eager_limit). */
#define SHARING_EAGER_BYTES 65536

/* Which CPUs and links decide. */
struct sharing_why {
	double cpu_factor; /* run time over that with the CPUs of the profile */
	double link_s;     /* what links add; negative: they are faster */
	int node;          /* that the others wait for; -1: as in the profile */
	int link_node;     /* whose links they wait for; -1: none */
};

/* Seconds; `ret_why` may be NULL.  NAN if the profile has no run time, or
 * neither phases nor messages, or if the setting is impossible.
 *
 * With another number of nodes than the profile's, the same work is taken to
 * be spread evenly over these, and each node to have as many messages of the
 * same size as a node of the profile has in the mean: a guess, for want of a
 * profile of that size.
 *
 * Takes a few microseconds for 4 nodes; allocates nothing. */
double sharing_runtime(const struct profile *profile,
		       const struct sharing_setting *now,
		       struct sharing_why *ret_why);
