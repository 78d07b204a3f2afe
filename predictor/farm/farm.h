/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm.h - a master/worker program, and what its messages cost
 *
 * In a farm one process, the master, sends tasks to others, the workers.
 * Symbols are those of [1]; times are in seconds, at speed 1: a worker on a
 * node of speed s takes 1/s of them.
 *
 * [1] E. Cesar, A. Moreno, J. Sorribes, E. Luque: Modeling Master/Worker
 *     applications for automatic performance tuning, Parallel Computing 32
 *     (2006) 568-589.
 */
#pragma once

#include <stdbool.h>

#define FARM_WORKERS_MAX 1024

/* One iteration of the program. */
struct farm {
	int M;            /* tasks */
	double mu;        /* time of a task, mean */
	double sigma;     /* and standard deviation */
	double V;         /* bytes exchanged, in proportion to the tasks */
	double alpha;     /* part of V that the master sends */
	double lm;        /* the master's own work */
	bool synchronous; /* the master waits until a message is received */
};

/* A message of v bytes costs mo + k v.  MPI sends small messages at once and
 * large ones after a handshake, so that each class has its own mo and k. */
struct message_class {
	double bytes_max; /* of a message; HUGE_VAL: any */
	double mo;        /* start-up time */
	double k;         /* time for each byte */
};

#define MESSAGE_CLASSES_MAX 4

struct message_costs {
	int count;                                         /* at least 1 */
	struct message_class classes[MESSAGE_CLASSES_MAX]; /* small to large */
};

/* Return the class of a message; the last one takes those beyond
 * all limits. */
const struct message_class *message_class_of(const struct message_costs *costs,
					     double bytes);
