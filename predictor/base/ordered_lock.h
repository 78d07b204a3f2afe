/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ordered_lock.h - mutexes, and the order in which a thread takes them
 *
 * A thread that holds a lock takes only locks of a later rank.  In builds with
 * the address or the thread sanitizer, and in that of `make coverage`, taking
 * one in another order aborts with the names of both; in other builds these are
 * mutexes and nothing else.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LOCKS_ARE_CHECKED
#endif

/* All mutexes of predictd, in the order in which they are taken.  The rwlock of
 * the server's access list is held together with LOCK_PENDING alone. */
enum lock_rank {
	LOCK_PENDING, /* of the server and of what-ifs */
	LOCK_ORDERS,
	LOCK_WHATIF,
	LOCK_ROSTER,
	LOCK_TRACE_PLACES,
	LOCK_TRACE_LOAD,
	LOCK_IDENTITY,
	LOCK_CONNECTIONS,
	LOCK_METRICS,
	LOCK_BUDGET,
	LOCK_KEPT,
	LOCK_REFUSALS,
	LOCK_ASSUMED, /* predictor/engine/engine_state.h */
	LOCK_STARTS,
	LOCK_DELTAS,
	LOCK_SLOTS,
	LOCK_ENGINE,
	LOCK_FACTS,
	LOCK_READER, /* predictor/store/ */
	LOCK_QUEUE,
	LOCK_SPARES,
	LOCK_LOG,
	LOCK_RANKS
};

struct ordered_lock {
	pthread_mutex_t mutex;
	enum lock_rank rank;
};

#define ORDERED_LOCK_INITIALIZER(rank)            \
	{                                         \
		PTHREAD_MUTEX_INITIALIZER, (rank) \
	}

void ordered_lock_init(struct ordered_lock *lock, enum lock_rank rank);
void ordered_lock_destroy(struct ordered_lock *lock);

void ordered_lock_take(struct ordered_lock *lock);
bool ordered_lock_try(struct ordered_lock *lock); /* false: it is taken */
void ordered_lock_give(struct ordered_lock *lock);

/* Hold a lock until the end of the block; once in a function. */
#define ORDERED_LOCK_HOLD(lock)                                        \
	struct ordered_lock *held_                                     \
		__attribute__((cleanup(ordered_lock_leave), unused)) = \
			ordered_lock_enter(lock)

struct ordered_lock *ordered_lock_enter(struct ordered_lock *lock);
void ordered_lock_leave(struct ordered_lock *const *lock);

/* Wait for the condition with the lock, which must be the only one held.  With
 * `until` (NULL: without an end), a time of the condition's clock, return 0 or
 * ETIMEDOUT. */
int ordered_lock_wait(struct ordered_lock *lock, pthread_cond_t *condition,
		      const struct timespec *until);

/* Return whether a thread has ever held `outer` when it took `inner`; for
 * tests, in builds with a sanitizer only. */
bool ordered_lock_nested(enum lock_rank outer, enum lock_rank inner);
