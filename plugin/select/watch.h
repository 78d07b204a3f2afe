/* SPDX-License-Identifier: GPL-2.0-or-later */
/* watch.h - keeps the newest snapshot in memory, for calls that cannot wait
 *
 * A thread of its own requests a snapshot from predictd every period.
 * Callers get the last good one at once, with its age, and decide whether that
 * is too old.  When predictd is down, slow, or replies with something else,
 * snapshots only get older.  (For jobs newer than the snapshot: fresh.h.)
 */
#pragma once

#include "plugin/site/predictd_peer.h"
#include "predictor/snapshot/snapshot.h"

#define WATCH_PERIOD_S 1.0

/* Called by the thread when it gets snapshots (again), no longer gets them,
 * with the reason, and for each new one.  Not for the short time in which a
 * predictd that was started, or is asked for the first time, has none yet. */
enum watch_event { WATCH_WORKS, WATCH_FAILS, WATCH_NEW };
typedef void watch_report(enum watch_event event, const char *text);

struct watch;

/* Return NULL if memory is exhausted.  Does nothing yet.  slurmctld's
 * `period_s` is WATCH_PERIOD_S. */
struct watch *watch_create(watch_report *report, double period_s);

/* Ends the thread; waits for a request under way, at most some seconds.  NULL
 * is allowed. */
void watch_destroy(struct watch *watch);

/* Set the predictd to request from, and the cluster; starts the thread at the
 * first call.  Cheap if nothing has changed.  Never waits: where the lock is
 * taken, a later call sets it. */
void watch_source(struct watch *watch, const struct predictd_peer *peer,
		  const char *cluster);

/* Return whether watch_source() has set a predictd. */
bool watch_has_source(const struct watch *watch);

/* Return a reference to the last good snapshot, and how many seconds
 * ago predictd confirmed it; NULL: there is none, or it cannot be had
 * without waiting.  Its snapshot_put() does not free while less than a
 * period passes. */
struct snapshot *watch_snapshot(struct watch *watch, double *ret_age_s);
