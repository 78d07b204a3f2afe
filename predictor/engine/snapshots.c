/* snapshots.c - the state of things, made again while somebody asks
 *
 * The thread holds `lock` while it looks for what to do and while it compares
 * a new snapshot with the one told before; the newest of each cluster can also
 * be had under `newest_lock`, which nobody holds for long.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predictor/base/clock.h"
#include "predictor/engine/snapshots_state.h"
#include "predictor/engine/state.h"
#include "predictor/placement/snapshot_told.h"

/* Clusters that are asked about at the same time; a site has one. */
#define SLOTS 4

/* Made every second, but that it takes 5 % of a CPU at most; and for so long
 * after somebody asked. */
#define EVERY_S 1.0
#define SHARE   0.05
#define ASKED_S 60.0

struct slot {
	char cluster[RUN_NAME_SIZE];
	struct snapshot_told *told;
	struct snapshot *newest; /* a reference, under newest_lock */
	double asked_s;          /* of the monotonic clock, as all here */
	double due_s;
};

struct snapshots {
	struct engine *engine;
	pthread_mutex_t lock;
	pthread_mutex_t newest_lock;
	pthread_cond_t changed; /* asked, or stopped */
	struct slot slots[SLOTS];
	pthread_t thread;
	bool running, stopped;
};

struct snapshots *snapshots_create(struct engine *engine)
{
	struct snapshots *s = calloc(1, sizeof(*s));
	pthread_condattr_t attributes;

	if (!s)
		return NULL;
	s->engine = engine;
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->newest_lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&s->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	return s;
}

static void slot_clear(struct slot *slot)
{
	snapshot_told_destroy(slot->told);
	snapshot_put(slot->newest);
	*slot = (struct slot){ .told = NULL };
}

void snapshots_destroy(struct snapshots *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->stopped = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	if (s->running)
		pthread_join(s->thread, NULL);
	for (int i = 0; i < SLOTS; i++)
		slot_clear(&s->slots[i]);
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->newest_lock);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* --- The thread ---------------------------------------------------------------- */

static void wait_until(struct snapshots *s, double until_s)
{
	struct timespec at = {
		.tv_sec = (time_t)until_s,
		.tv_nsec = (long)((until_s - floor(until_s)) * 1e9),
	};

	pthread_cond_timedwait(&s->changed, &s->lock, &at);
}

/* The slot that is due first, of those that are asked for; NULL: none. */
static struct slot *next_slot(struct snapshots *s, double now_s)
{
	struct slot *first = NULL;

	for (struct slot *slot = s->slots; slot < s->slots + SLOTS; slot++)
		if (slot->told && now_s - slot->asked_s < ASKED_S &&
		    (!first || slot->due_s < first->due_s))
			first = slot;
	return first;
}

/* Under the lock, which is given up meanwhile: the slot may have gone to
 * another cluster then. */
static void make(struct snapshots *s, struct slot *slot)
{
	char cluster[RUN_NAME_SIZE];
	double began_s = clock_monotonic_s();

	strcpy(cluster, slot->cluster);
	pthread_mutex_unlock(&s->lock);

	struct snapshot *next = snapshots_make(s->engine, cluster);

	pthread_mutex_lock(&s->lock);

	double now_s = clock_monotonic_s();

	slot->due_s = now_s + fmax(EVERY_S, (now_s - began_s) / SHARE);
	if (!next)
		return;
	if (strcmp(slot->cluster, cluster) != 0) {
		snapshot_put(next);
		return;
	}
	if (snapshot_told_next(slot->told, next))
		return;
	pthread_mutex_lock(&s->newest_lock);

	struct snapshot *old = slot->newest;

	slot->newest = snapshot_get(next);
	pthread_mutex_unlock(&s->newest_lock);
	snapshot_put(old);
}

static void *run(void *context)
{
	struct snapshots *s = context;

	pthread_mutex_lock(&s->lock);
	while (!s->stopped) {
		double now_s = clock_monotonic_s();
		struct slot *slot = next_slot(s, now_s);

		if (slot && slot->due_s <= now_s)
			make(s, slot);
		else
			wait_until(s, slot ? slot->due_s : now_s + ASKED_S);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* --- Asking --------------------------------------------------------------------- */

/* The slot of a cluster, under both locks; a new one takes the place of the one
 * that was not asked for longest.  NULL: out of memory. */
static struct slot *slot_of(struct snapshots *s, const char *cluster)
{
	struct slot *oldest = s->slots;

	for (struct slot *slot = s->slots; slot < s->slots + SLOTS; slot++) {
		if (slot->told && strcmp(slot->cluster, cluster) == 0)
			return slot;
		if (!slot->told ||
		    (oldest->told && slot->asked_s < oldest->asked_s))
			oldest = slot;
	}
	if (strlen(cluster) >= sizeof(oldest->cluster))
		return NULL;
	slot_clear(oldest);
	oldest->told = snapshot_told_create();
	strcpy(oldest->cluster, cluster);
	return oldest->told ? oldest : NULL;
}

/* Under the lock.  The thread starts when first somebody asks. */
static struct slot *ask(struct snapshots *s, const char *cluster)
{
	pthread_mutex_lock(&s->newest_lock);

	struct slot *slot = slot_of(s, cluster);

	pthread_mutex_unlock(&s->newest_lock);
	if (!slot)
		return NULL;

	double now_s = clock_monotonic_s();
	bool forgotten = !(slot->due_s > 0 && now_s - slot->asked_s < ASKED_S);

	slot->asked_s = now_s;
	if (!s->running)
		s->running = !pthread_create(&s->thread, NULL, run, s);
	/* Else the thread wakes by itself when it is due. */
	if (forgotten)
		pthread_cond_broadcast(&s->changed);
	return s->running ? slot : NULL;
}

/* The cluster last heard of, where none is named. */
static const char *cluster_of(struct engine *engine, const char *cluster,
			      char ret_cluster[RUN_NAME_SIZE])
{
	if (cluster && *cluster)
		return cluster;
	pthread_mutex_lock(&engine->lock);
	strcpy(ret_cluster, engine->cluster);
	pthread_mutex_unlock(&engine->lock);
	return ret_cluster;
}

char *engine_snapshot_text(struct engine *engine, const char *cluster,
			   uint64_t epoch, uint64_t version, size_t *ret_size)
{
	struct snapshots *s = engine->snapshots;
	char name[RUN_NAME_SIZE];
	char *text = NULL;

	cluster = cluster_of(engine, cluster, name);
	pthread_mutex_lock(&s->lock);

	struct slot *slot = ask(s, cluster);

	if (slot && slot->newest)
		text = snapshot_told_text(slot->told, epoch, version, ret_size);
	pthread_mutex_unlock(&s->lock);
	return text;
}

struct snapshot *snapshots_newest(struct snapshots *s, const char *cluster,
				  double max_age_s)
{
	struct snapshot *newest = NULL;
	double now_s = clock_now_s();

	pthread_mutex_lock(&s->newest_lock);
	for (struct slot *slot = s->slots; slot < s->slots + SLOTS; slot++)
		if (slot->newest && strcmp(slot->cluster, cluster) == 0 &&
		    now_s - slot->newest->made_at_s <= max_age_s)
			newest = snapshot_get(slot->newest);
	pthread_mutex_unlock(&s->newest_lock);
	return newest;
}

struct snapshot *snapshots_ask(struct snapshots *s, const char *cluster,
			       double max_age_s)
{
	/* A prediction does not wait while a snapshot is compared: the next one
	 * will be heard. */
	if (!pthread_mutex_trylock(&s->lock)) {
		ask(s, cluster);
		pthread_mutex_unlock(&s->lock);
	}
	return snapshots_newest(s, cluster, max_age_s);
}
