/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ordered_lock.c - mutexes, and the order in which a thread takes them */
#include "predictor/base/ordered_lock.h"

#ifdef LOCKS_ARE_CHECKED
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[LOCK_RANKS] = {
	[LOCK_PENDING] = "pending requests",
	[LOCK_ORDERS] = "orders of ranks",
	[LOCK_WHATIF] = "what-if worker",
	[LOCK_ROSTER] = "roster",
	[LOCK_TRACE_PLACES] = "trace places",
	[LOCK_TRACE_LOAD] = "trace load",
	[LOCK_IDENTITY] = "identity",
	[LOCK_CONNECTIONS] = "connections",
	[LOCK_METRICS] = "metrics",
	[LOCK_BUDGET] = "budget",
	[LOCK_KEPT] = "kept texts",
	[LOCK_REFUSALS] = "refusals",
	[LOCK_ASSUMED] = "assumed sets",
	[LOCK_STARTS] = "queue starts",
	[LOCK_DELTAS] = "snapshot deltas",
	[LOCK_SLOTS] = "snapshot slots",
	[LOCK_ENGINE] = "engine",
	[LOCK_FACTS] = "node facts",
	[LOCK_READER] = "store's reader",
	[LOCK_QUEUE] = "store's queue",
	[LOCK_SPARES] = "spare items",
	[LOCK_LOG] = "log",
};

/* A bit for each rank. */
static _Thread_local unsigned held;
static atomic_uint inside[LOCK_RANKS]; /* of each rank, those taken within */

static void note_taken(const struct ordered_lock *lock)
{
	for (int rank = 0; rank < LOCK_RANKS; rank++) {
		if (!(held & 1u << rank))
			continue;
		if (rank >= (int)lock->rank) {
			fprintf(stderr, "lock of %s taken within that of %s\n",
				names[lock->rank], names[rank]);
			abort();
		}
		atomic_fetch_or(&inside[rank], 1u << lock->rank);
	}
	held |= 1u << lock->rank;
}

static void note_given(const struct ordered_lock *lock)
{
	held &= ~(1u << lock->rank);
}

static void note_waiting(const struct ordered_lock *lock)
{
	note_given(lock);
	if (held) {
		fprintf(stderr, "wait with the lock of %s, and with another\n",
			names[lock->rank]);
		abort();
	}
}

bool ordered_lock_nested(enum lock_rank outer, enum lock_rank inner)
{
	return atomic_load(&inside[outer]) & 1u << inner;
}
#else
#define note_taken(lock)   ((void)0)
#define note_given(lock)   ((void)0)
#define note_waiting(lock) ((void)0)
#endif

void ordered_lock_init(struct ordered_lock *lock, enum lock_rank rank)
{
	*lock = (struct ordered_lock)ORDERED_LOCK_INITIALIZER(rank);
}

void ordered_lock_destroy(struct ordered_lock *lock)
{
	pthread_mutex_destroy(&lock->mutex);
}

void ordered_lock_take(struct ordered_lock *lock)
{
	note_taken(lock);
	pthread_mutex_lock(&lock->mutex);
}

bool ordered_lock_try(struct ordered_lock *lock)
{
	if (pthread_mutex_trylock(&lock->mutex))
		return false;
	note_taken(lock);
	return true;
}

void ordered_lock_give(struct ordered_lock *lock)
{
	note_given(lock);
	pthread_mutex_unlock(&lock->mutex);
}

struct ordered_lock *ordered_lock_enter(struct ordered_lock *lock)
{
	ordered_lock_take(lock);
	return lock;
}

void ordered_lock_leave(struct ordered_lock *const *lock)
{
	ordered_lock_give(*lock);
}

int ordered_lock_wait(struct ordered_lock *lock, pthread_cond_t *condition,
		      const struct timespec *until)
{
	int rc;

	note_waiting(lock);
	rc = until ? pthread_cond_timedwait(condition, &lock->mutex, until)
		   : pthread_cond_wait(condition, &lock->mutex);
	note_taken(lock);
	return rc;
}
