/* profile.h - how an application uses the CPUs and links that it gets
 *
 * What the paper [2] calls its measured execution characteristics: CPU busy
 * and idle phases of each task, and the messages between every two nodes,
 * measured from outside on a normal run.  A profile belongs to an application
 * of one size with certain parameters, and is a mean over the runs that were
 * watched; all times are of such a run, in the setting it then had.
 *
 * A task is *busy* while it computes or handles messages, *idle* while it
 * sleeps or spins only to wait for a message.  NAN: not measured.
 *
 * [2] Venkataramaiah, Subhlok: Performance Prediction for Simple CPU and
 *     Network Sharing, 2002, sections 2 and 3, figure 3.
 */
#ifndef PREDICTOR_FEATURES_PROFILE_H
#define PREDICTOR_FEATURES_PROFILE_H

#include <stdint.h>

#include "predictor/features/application.h"
#include "predictor/features/run.h"

#define PROFILE_NODES_MAX 64  /* of larger runs there is no profile */
#define PROFILE_PAIRS_MAX 512 /* those that exchange most bytes */

/* The tasks on one node; means over tasks. */
struct profile_node {
	uint32_t tasks;
	double busy_s;     /* time of CPU that a task was busy with, all told */
	double idle_s;     /* the rest of the run time */
	double spinning_s; /* CPU time spent on waiting, part of idle_s */
	double busy_phase_s; /* mean length of a busy phase */
	double idle_phase_s; /* mean length of an idle phase */

	/* The setting in which it was measured. */
	double cpu_available; /* 0 to 1, what a process could get there */
	double cpu_speed;     /* relative to the site's reference; 1: equal */
};

/* Messages that node `from` sent to node `to`; numbers of nodes in the order
 * of the run's node list. */
struct profile_pair {
	uint16_t from, to;
	double messages;
	double bytes;

	/* The setting in which it was measured. */
	double bandwidth_bps; /* of a new stream, bytes are not bits */
	double latency_s;     /* one way */
};

struct profile {
	char cluster[RUN_NAME_SIZE];
	struct application application;
	uint32_t nodes;
	uint32_t tasks;

	uint32_t runs;        /* that it is a mean of */
	double runtime_s;     /* mean of these */
	double measured_at_s; /* the newest of them ended */

	int node_count; /* `nodes`, or 0: phases were not measured */
	struct profile_node node[PROFILE_NODES_MAX];
	int pair_count; /* those without a message are left out; -1: not
			   measured */
	struct profile_pair pair[PROFILE_PAIRS_MAX];
};

#endif
