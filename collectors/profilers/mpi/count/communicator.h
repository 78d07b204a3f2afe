/* SPDX-License-Identifier: GPL-2.0-or-later */
/* communicator.h - a communicator's number in traces, and its ranks of the run
 *
 * All members give it the same number without a message: a hash of who is
 * in it, and of how many of the same members were made before.  Called by
 * one thread.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

struct communicator {
	int32_t id; /* >= 0; 0: MPI_COMM_WORLD */
	bool inter; /* between two groups */
	atomic_int uses;
	int size;    /* ranks that messages can be sent to */
	int world[]; /* [size]: their ranks in MPI_COMM_WORLD, or negative */
};

/* Begin, after MPI_Init. -1: MPI refuses. */
int communicators_begin(void);

/* Note a communicator that was just made, by a call that all its members make
 * in the same order. -1: no memory, or too many. */
int communicator_made(MPI_Comm comm);

/* Valid until the communicator is freed.  NULL: no memory. */
const struct communicator *communicator_find(MPI_Comm comm);

/* The same, valid until it is released: a program may free a communicator whose
 * requests are under way. */
struct communicator *communicator_hold(MPI_Comm comm);
void communicator_release(struct communicator *comm); /* NULL is allowed */

/* The rank in MPI_COMM_WORLD; negative: it has none there. */
int communicator_world_rank(const struct communicator *comm, int rank);
