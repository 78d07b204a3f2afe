/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refresh.h - which waiting job is predicted again next
 *
 * A run that has ended changes what is known of jobs of its user and of its
 * application: these come first.  The rest have every eighth turn, and all of
 * them while nothing has ended.
 *
 * About the newest REFRESH_MAX that have not started: half as many as the
 * models keep jobs that have not ended, so that these know them.  Most that
 * wait for longer than WAITING_S were cancelled.  An array may have more tasks
 * than the one that has started: it stays, but has its turn only when a run has
 * ended.
 */
#pragma once

#include "predictor/features/prediction.h"
#include "predictor/features/run.h"

#define REFRESH_MAX 8192

struct refresh;
struct assumed;

struct refresh *refresh_create(void);    /* NULL: out of memory */
void refresh_destroy(struct refresh *r); /* NULL is allowed */

/* Add a job that waits, by its prediction at submission, for these sets (NULL:
 * one).  Nothing happens if it is there already or memory runs out. */
void refresh_add(struct refresh *r, const struct prediction *p,
		 const struct assumed *assumed);

/* A run has started or ended: the job that it names, if that is of its user,
 * waits no longer, and after an end others are due.  True: that job is there
 * still, an array. */
bool refresh_note(struct refresh *r, const struct run *run);

enum refresh_wait {
	REFRESH_WAITS,
	REFRESH_BEGUN, /* an array, of which a task has started */
	REFRESH_GONE,  /* it waits no longer */
};

/* Put right what is known of a job, as its runs among all in the past say; one
 * that is there keeps its sets. */
void refresh_set(struct refresh *r, const struct prediction *p,
		 enum refresh_wait wait);

/* Return the number that the id of the next job's prediction is, 0: none waits;
 * the weights and ratios of its sets; and whether others are due, since a run
 * has ended. */
uint64_t refresh_take(struct refresh *r, double now_s,
		      struct assumed *ret_assumed, bool *ret_due);

/* Return whether the job that was taken last still waits, and whether a task of
 * it has started. */
bool refresh_waits(const struct refresh *r, uint64_t id, bool *ret_started);
