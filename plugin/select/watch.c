/* SPDX-License-Identifier: GPL-2.0-or-later */
/* watch.c - keeps the newest snapshot in memory, for calls that cannot wait
 *
 * One thread requests a snapshot every period, as a delta to the one
 * before, and replaces the current one by it.  The lock guards pointers and
 * short texts only: it is never held during a request or while a reply is
 * parsed.  Calls from a scheduler try to take it once and go without.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/select/watch.h"
#include "predictor/base/clock.h"
#include "predictor/client/client.h"

#define DEADLINE_MS 2000 /* bounds the wait in watch_destroy(), too */

/* predictd makes snapshots only while somebody requests them: the first request
 * gets this status, as all do while it starts.  That deserves a line only if it
 * lasts. */
#define STATUS_NOT_YET 503
#define NOT_YET_S      60.0

struct source {
	struct predictd_peer peer;
	char cluster[RUN_NAME_SIZE];
};

struct watch {
	watch_report *report;
	double period_s;
	pthread_t thread;
	atomic_bool running; /* there is a thread */

	pthread_mutex_t lock; /* guards the rest of these */
	pthread_cond_t wake;
	bool stop;
	struct source source;
	struct snapshot *current;
	double confirmed_s; /* when, by the clock that never steps */

	/* The thread's own. */
	struct source connected; /* of `client` */
	struct client *client;
	struct snapshot *retired; /* held so that nobody else frees it */
	double not_yet_since_s;   /* of STATUS_NOT_YET in a row; 0: not now */
	enum watch_event reported;
};

struct watch *watch_create(watch_report *report, double period_s)
{
	struct watch *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->report = report;
	w->period_s = period_s;
	w->reported = WATCH_NEW;
	pthread_mutex_init(&w->lock, NULL);
	clock_condition_init(&w->wake);
	return w;
}

void watch_destroy(struct watch *w)
{
	if (!w)
		return;
	if (w->running) {
		pthread_mutex_lock(&w->lock);
		w->stop = true;
		pthread_cond_signal(&w->wake);
		pthread_mutex_unlock(&w->lock);
		pthread_join(w->thread, NULL);
	}
	client_destroy(w->client);
	snapshot_put(w->retired);
	snapshot_put(w->current);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

/* Report an event unless it is the same as the last one. */
static void event_report(struct watch *w, enum watch_event event,
			 const char *text)
{
	if (event != w->reported)
		w->report(event, text);
	w->reported = event;
}

/* Have a client of that predictd. */
static int client_connect(struct watch *w, const struct source *source,
			  struct sp_error *err)
{
	if (w->client && !memcmp(&w->connected, source, sizeof(*source)))
		return 0;
	client_destroy(w->client);
	w->client =
		client_create(source->peer.url, source->peer.munge_socket, err);
	if (!w->client)
		return -1;
	client_limit_reply(w->client, SNAPSHOT_TEXT_MAX);
	w->connected = *source;
	return 0;
}

/* Request what changed since `before`, or all if it is NULL. */
static int snapshot_request(struct watch *w, struct snapshot *before,
			    struct snapshot **ret, struct sp_error *err)
{
	char path[SNAPSHOT_PATH_SIZE];
	struct client_reply reply;

	snapshot_path(w->connected.cluster, before, path);
	if (client_request(w->client, path, NULL, 0, DEADLINE_MS, &reply,
			   err)) {
		w->not_yet_since_s = 0;
		return -1;
	}
	if (reply.status != STATUS_NOT_YET)
		w->not_yet_since_s = 0;
	else if (!(w->not_yet_since_s > 0))
		w->not_yet_since_s = clock_monotonic_s();
	if (reply.status != 200)
		return sp_error_set(err, "predictd replies with status %d",
				    reply.status);
	return snapshot_read(reply.body, reply.size, before, ret, err);
}

/* Request a delta to `before`; all if that fails. */
static int snapshot_request_next(struct watch *w, struct snapshot *before,
				 struct snapshot **ret, struct sp_error *err)
{
	if (before && !snapshot_request(w, before, ret, err))
		return 0;
	return snapshot_request(w, NULL, ret, err);
}

/* Put `fresh` in the place of the current one.  That is held until the next
 * takes its place, so that the last reference is not a scheduler's. */
static void snapshot_replace(struct watch *w, struct snapshot *fresh)
{
	pthread_mutex_lock(&w->lock);

	struct snapshot *old = w->current;

	w->current = fresh;
	w->confirmed_s = clock_monotonic_s();
	pthread_mutex_unlock(&w->lock);
	if (old == fresh) {
		snapshot_put(old); /* two references to the same */
		return;
	}
	snapshot_put(w->retired);
	w->retired = old;

	char text[128];

	snprintf(text, sizeof(text),
		 "version %" PRIu64 ", %u nodes, %u jobs, %zu bytes",
		 fresh->version, fresh->node_count, fresh->job_count,
		 snapshot_bytes(fresh));
	w->report(WATCH_NEW, text);
}

static bool is_starting(const struct watch *w)
{
	return w->not_yet_since_s > 0 &&
	       clock_monotonic_s() < w->not_yet_since_s + NOT_YET_S;
}

static void snapshot_update(struct watch *w)
{
	struct source source;
	struct sp_error err = { "" };
	struct snapshot *fresh;

	pthread_mutex_lock(&w->lock);
	source = w->source;

	struct snapshot *before = snapshot_get(w->current);

	pthread_mutex_unlock(&w->lock);
	/* There is no delta between snapshots of two predictds. */
	if (before && memcmp(&w->connected, &source, sizeof(source)) != 0) {
		snapshot_put(before);
		before = NULL;
	}
	if (client_connect(w, &source, &err) ||
	    snapshot_request_next(w, before, &fresh, &err)) {
		if (!is_starting(w))
			event_report(w, WATCH_FAILS, err.text);
	} else {
		snapshot_replace(w, fresh);
		event_report(w, WATCH_WORKS, source.peer.url);
	}
	snapshot_put(before);
}

static void *watch_thread(void *context)
{
	struct watch *w = context;
	struct timespec until;

	pthread_mutex_lock(&w->lock);
	while (!w->stop) {
		pthread_mutex_unlock(&w->lock);
		snapshot_update(w);
		until = clock_timespec(clock_monotonic_s() + w->period_s);
		pthread_mutex_lock(&w->lock);
		while (!w->stop && pthread_cond_timedwait(&w->wake, &w->lock,
							  &until) != ETIMEDOUT)
			continue;
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Signals are for the program's own threads. */
static void thread_start(struct watch *w)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	w->running = !pthread_create(&w->thread, NULL, watch_thread, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void watch_source(struct watch *w, const struct predictd_peer *peer,
		  const char *cluster)
{
	struct source source;

	memset(&source, 0, sizeof(source)); /* all of it: it is compared */
	source.peer = *peer;
	snprintf(source.cluster, sizeof(source.cluster), "%s",
		 cluster ? cluster : "");
	if (pthread_mutex_trylock(&w->lock) != 0)
		return;
	if (memcmp(&source, &w->source, sizeof(source)) != 0)
		w->source = source;
	if (!w->running)
		thread_start(w);
	pthread_mutex_unlock(&w->lock);
}

bool watch_has_source(const struct watch *w)
{
	return w->running;
}

struct snapshot *watch_snapshot(struct watch *w, double *ret_age_s)
{
	struct snapshot *snapshot;

	if (pthread_mutex_trylock(&w->lock) != 0)
		return NULL;
	snapshot = snapshot_get(w->current);
	*ret_age_s = clock_monotonic_s() - w->confirmed_s;
	pthread_mutex_unlock(&w->lock);
	return snapshot;
}
