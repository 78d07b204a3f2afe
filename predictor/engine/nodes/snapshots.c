/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshots.c - snapshots of clusters, made by a thread while they are used
 *
 * A slot holds the snapshots of one cluster.  Which slots are in use, and the
 * newest snapshot of each, are under `lock`, which is never held for long, and
 * not while a snapshot is made.  `deltas_lock` is held while a new snapshot is
 * compared with the one before, and while one is written as text: a prediction
 * does not wait for it.  It is taken before `lock`; a slot goes to another
 * cluster under both.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predictor/base/clock.h"
#include "predictor/base/priority.h"
#include "predictor/engine/engine_state.h"
#include "predictor/engine/nodes/snapshots_state.h"
#include "predictor/engine/waiting.h"
#include "predictor/snapshot/snapshot_delta.h"

/* Clusters in use at the same time; most sites have one. */
#define SLOTS 4

/* A snapshot is made twice a second, and less often where it would take more
 * than 5 % of a CPU, but every 5 seconds.  It is in use for a minute after a
 * scheduler fetched it. */
#define EVERY_S     0.5
#define EVERY_MAX_S 5.0
#define SHARE       0.05
#define ASKED_S     60.0

struct slot {
	char cluster[RUN_NAME_SIZE]; /* changes under both locks */
	struct snapshot_deltas
		*deltas;         /* likewise; what is in it: deltas_lock */
	struct snapshot *newest; /* a reference */
	double until_s;   /* it is made until then; of the monotonic clock, as
			     all here */
	double asked_s;   /* of the last request */
	double fetched_s; /* when a scheduler last fetched it; 0: never */
	double due_s;
};

struct snapshots {
	struct engine *engine;
	struct ordered_lock deltas_lock, lock;
	pthread_cond_t changed; /* requested, or stopped */
	struct slot slots[SLOTS];
	pthread_t thread;
	bool running, stopped;
};

struct snapshots *snapshots_create(struct engine *engine)
{
	struct snapshots *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->engine = engine;
	ordered_lock_init(&s->deltas_lock, LOCK_DELTAS);
	ordered_lock_init(&s->lock, LOCK_SLOTS);
	clock_condition_init(&s->changed);
	return s;
}

static void slot_clear(struct slot *slot)
{
	snapshot_deltas_destroy(slot->deltas);
	snapshot_put(slot->newest);
	*slot = (struct slot){ .deltas = NULL };
}

void snapshots_destroy(struct snapshots *s)
{
	if (!s)
		return;
	ordered_lock_take(&s->lock);
	s->stopped = true;
	pthread_cond_broadcast(&s->changed);
	ordered_lock_give(&s->lock);
	if (s->running)
		pthread_join(s->thread, NULL);
	for (int i = 0; i < SLOTS; i++)
		slot_clear(&s->slots[i]);
	pthread_cond_destroy(&s->changed);
	ordered_lock_destroy(&s->lock);
	ordered_lock_destroy(&s->deltas_lock);
	free(s);
}

/* --- The thread ----------------------------------------------------------- */

static void wait_until(struct snapshots *s, double until_s)
{
	struct timespec at = clock_timespec(until_s);

	ordered_lock_wait(&s->lock, &s->changed, &at);
}

/* Return the slot in use that is due first; NULL: none. */
static struct slot *slot_next(struct snapshots *s, double now_s)
{
	struct slot *first = NULL;

	for (struct slot *slot = s->slots; slot < s->slots + SLOTS; slot++)
		if (slot->deltas && now_s < slot->until_s &&
		    (!first || slot->due_s < first->due_s))
			first = slot;
	return first;
}

/* CPU time of this thread: the wait for locks on a busy machine is not what
 * making one takes. */
static double thread_cpu_s(void)
{
	struct timespec now = { .tv_sec = 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Takes the reference over.  The slot may have gone to another cluster while
 * the snapshot was made. */
static void slot_publish(struct snapshots *s, struct slot *slot,
			 const char *cluster, struct snapshot *next)
{
	struct snapshot *old = next;

	ordered_lock_take(&s->deltas_lock);
	if (strcmp(slot->cluster, cluster) != 0)
		goto out;
	old = NULL;
	if (snapshot_deltas_add(slot->deltas, next))
		goto out;
	ordered_lock_take(&s->lock);
	old = slot->newest;
	slot->newest = snapshot_get(next);
	ordered_lock_give(&s->lock);
out:
	ordered_lock_give(&s->deltas_lock);
	snapshot_put(old);
}

/* Make the slot's next snapshot.  The caller holds s->lock, which is given up
 * meanwhile. */
static void slot_make(struct snapshots *s, struct slot *slot)
{
	char cluster[RUN_NAME_SIZE];
	double before_s = thread_cpu_s();
	struct snapshot *next;

	strcpy(cluster, slot->cluster);
	ordered_lock_give(&s->lock);
	next = snapshots_make(s->engine, cluster, clock_now_s(), true);
	if (next)
		slot_publish(s, slot, cluster, next);

	double pause_s = fmax(EVERY_S, (thread_cpu_s() - before_s) / SHARE);

	ordered_lock_take(&s->lock);
	if (strcmp(slot->cluster, cluster) == 0)
		slot->due_s = clock_monotonic_s() + fmin(pause_s, EVERY_MAX_S);
}

static void *snapshots_run(void *context)
{
	struct snapshots *s = context;

	/* The thread inherits the raised priority of the request that
	 * started it. */
	priority_set(priority_of_process());
	ORDERED_LOCK_HOLD(&s->lock);

	while (!s->stopped) {
		double now_s = clock_monotonic_s();
		struct slot *slot = slot_next(s, now_s);

		if (slot && slot->due_s <= now_s)
			slot_make(s, slot);
		else
			wait_until(s, slot ? slot->due_s : now_s + ASKED_S);
	}
	return NULL;
}

/* --- Requests ------------------------------------------------------------- */

/* The caller holds s->lock. */
static struct slot *slot_find(struct snapshots *s, const char *cluster)
{
	for (struct slot *slot = s->slots; slot < s->slots + SLOTS; slot++)
		if (slot->deltas && strcmp(slot->cluster, cluster) == 0)
			return slot;
	return NULL;
}

/* A cluster that is in use keeps its slot, unless none of its nodes is known:
 * clients may request any name. */
static bool slot_is_free(const struct slot *slot, double now_s)
{
	return !slot->deltas || now_s >= slot->until_s ||
	       (slot->newest && slot->newest->node_count == 0);
}

/* Give a slot to a new cluster, under both locks: of the expired
 * ones the least recently requested.  NULL: there is none, or out of memory. */
static struct slot *slot_add(struct snapshots *s, const char *cluster,
			     double now_s)
{
	struct slot *oldest = NULL;

	for (struct slot *slot = s->slots; slot < s->slots + SLOTS; slot++)
		if (slot_is_free(slot, now_s) &&
		    (!oldest || slot->asked_s < oldest->asked_s))
			oldest = slot;
	if (!oldest || strlen(cluster) >= sizeof(oldest->cluster))
		return NULL;
	slot_clear(oldest);
	oldest->deltas = snapshot_deltas_create();
	strcpy(oldest->cluster, cluster);
	return oldest->deltas ? oldest : NULL;
}

/* Note a request, and keep the snapshot current for keep_s.  The caller holds
 * s->lock.  The first request starts the thread.  False: it can't be
 * started. */
static bool slot_keep(struct snapshots *s, struct slot *slot, double now_s,
		      double keep_s)
{
	bool forgotten = !(slot->due_s > 0 && now_s < slot->until_s);

	slot->asked_s = now_s;
	slot->until_s = fmax(slot->until_s, now_s + keep_s);
	/* Behind those that are due already. */
	if (!(slot->due_s > 0))
		slot->due_s = now_s;
	if (!s->running)
		s->running =
			!pthread_create(&s->thread, NULL, snapshots_run, s);
	/* Else the thread wakes by itself when it is due. */
	if (forgotten)
		pthread_cond_broadcast(&s->changed);
	return s->running;
}

/* Find or begin the slot of a cluster.  The caller holds deltas_lock, but not
 * s->lock.  NULL: nothing will come. */
static struct slot *slot_request(struct snapshots *s, const char *cluster,
				 double keep_s)
{
	double now_s = clock_monotonic_s();

	ORDERED_LOCK_HOLD(&s->lock);

	struct slot *slot = slot_find(s, cluster);

	if (!slot)
		slot = slot_add(s, cluster, now_s);
	if (slot && !slot_keep(s, slot, now_s, keep_s))
		slot = NULL;
	return slot;
}

/* Return the cluster named, or else the one that reported last. */
static const char *cluster_of(struct engine *engine, const char *cluster,
			      char ret_cluster[RUN_NAME_SIZE])
{
	if (cluster && *cluster)
		return cluster;
	ORDERED_LOCK_HOLD(&engine->lock);

	strcpy(ret_cluster, engine->cluster);
	return ret_cluster;
}

char *engine_snapshot_text(struct engine *engine, const char *cluster,
			   int format, uint64_t epoch, uint64_t version,
			   size_t *ret_size)
{
	struct snapshots *s = engine->snapshots;
	char name[RUN_NAME_SIZE];
	char *text = NULL;

	cluster = cluster_of(engine, cluster, name);
	ORDERED_LOCK_HOLD(&s->deltas_lock);
	struct slot *slot = slot_request(s, cluster, ASKED_S);

	if (slot) {
		ordered_lock_take(&s->lock);
		slot->fetched_s = slot->asked_s;
		ordered_lock_give(&s->lock);
	}

	/* The deltas change under deltas_lock only. */
	if (slot && snapshot_deltas_newest(slot->deltas))
		text = snapshot_deltas_text(slot->deltas, format, epoch,
					    version, ret_size);
	return text;
}

int engine_placement(struct engine *engine, const char *prediction_id,
		     struct placement_model *ret)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	return waiting_find(engine->waiting, prediction_id, ret);
}

struct snapshot *snapshots_newest(struct snapshots *s, const char *cluster,
				  double time_s, double keep_s,
				  bool *ret_scheduled)
{
	struct snapshot *newest = NULL;
	double now_s = clock_monotonic_s();
	bool scheduled = false;

	ordered_lock_take(&s->lock);

	struct slot *slot = slot_find(s, cluster);

	if (slot && slot->newest && now_s < slot->until_s &&
	    fabs(time_s - slot->newest->made_at_s) <= SNAPSHOTS_AGE_MAX_S) {
		newest = snapshot_get(slot->newest);
		slot->until_s = fmax(slot->until_s, now_s + keep_s);
		scheduled = slot->fetched_s > 0 &&
			    now_s - slot->fetched_s < ASKED_S;
	}
	ordered_lock_give(&s->lock);
	if (ret_scheduled)
		*ret_scheduled = scheduled;
	return newest;
}

void snapshots_ask(struct snapshots *s, const char *cluster, double keep_s)
{
	/* A prediction does not wait while a snapshot is compared: the next
	 * one tries again. */
	if (!ordered_lock_try(&s->deltas_lock))
		return;
	slot_request(s, cluster, keep_s);
	ordered_lock_give(&s->deltas_lock);
}
