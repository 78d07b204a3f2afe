/* watch.h - has the newest snapshot at hand, for calls that cannot wait
 *
 * A thread of its own asks predictd every WATCH_PERIOD_S.  Who wants the
 * snapshot gets the last good one at once, with its age, and decides whether
 * that is too old.  When predictd is gone, slow, or talks nonsense, snapshots
 * only get older.  (What is known of jobs newer than it: fresh.h.)
 */
#ifndef PLUGIN_SELECT_WATCH_H
#define PLUGIN_SELECT_WATCH_H

#include "plugin/site/predictd_peer.h"
#include "predictor/snapshot/snapshot.h"

#define WATCH_PERIOD_S 1.0

/* What the thread has to tell, which is rare: that it has, or no longer gets
 * snapshots, and why.  Called by that thread. */
enum watch_news { WATCH_WORKS, WATCH_FAILS, WATCH_NEW };
typedef void watch_tell(enum watch_news news, const char *text);

struct watch;

/* NULL: out of memory.  Does nothing yet. */
struct watch *watch_create(watch_tell *tell);

/* Ends the thread; waits for a request under way, at most some seconds.  NULL
 * is allowed. */
void watch_destroy(struct watch *watch);

/* Where to ask, and about which cluster; starts the thread at the first call.
 * Cheap if nothing is new.  Never waits:
 * what cannot be taken over at once is at a later call. */
void watch_source(struct watch *watch, const struct predictd_peer *peer,
		  const char *cluster);

/* Whether it has been told where to ask. */
bool watch_has_source(const struct watch *watch);

/* A reference to the last good snapshot, and how many seconds ago predictd
 * confirmed it; NULL: there is none, or it cannot be had without waiting.  Its
 * snapshot_put() does not free while less than WATCH_PERIOD_S pass. */
struct snapshot *watch_snapshot(struct watch *watch, double *ret_age_s);

#endif
