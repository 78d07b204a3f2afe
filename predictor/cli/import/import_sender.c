/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_sender.c - send runs to the history in large messages
 *
 * A message is free, being filled, waiting, or being sent.  The first error
 * that retries do not cure ends the import: runs that were not stored can be
 * imported again.  The lock guards both queues, the counts and the error; the
 * message being filled belongs to the caller.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predictor/base/clock.h"
#include "predictor/base/fifo.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/import/import_sender.h"

#define PATH "/v1/imports"

/* predictd decodes one message while PostgreSQL writes another. */
#define THREADS  2
#define MESSAGES (2 * THREADS + 1)

#define DEADLINE_MS 120000

/* For how long a message is sent again, and the pauses. */
#define RETRY_S     60.0
#define PAUSE_MIN_S 0.2
#define PAUSE_MAX_S 5.0

struct message {
	struct fifo_link link;
	struct wire_import_text text;
};

struct worker {
	struct import_sender *sender;
	struct client *client;
	pthread_t thread;
	bool started;
};

struct import_sender {
	const char *url;
	struct worker workers[THREADS];
	struct message messages[MESSAGES];
	struct message *filling; /* NULL: none */

	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct fifo free, waiting;
	size_t busy; /* waiting or being sent */
	bool closing, failed;
	struct sp_error why;
	struct import_counts counts;
};

/* --- One message ---------------------------------------------------------- */

static void pause_for(double seconds)
{
	struct timespec span = clock_timespec(seconds);

	nanosleep(&span, NULL);
}

static size_t reply_count(struct json_object *reply, const char *name)
{
	double count = reply_number(reply, name);

	return count > 0 ? (size_t)count : 0;
}

static void add_counts(struct import_sender *s, struct json_object *reply)
{
	size_t refused = reply_count(reply, "refused");

	pthread_mutex_lock(&s->lock);
	s->counts.stored += reply_count(reply, "stored");
	s->counts.doubles += reply_count(reply, "doubles");
	if (refused && !s->counts.refused)
		sp_error_set(&s->counts.refusal, "%s",
			     reply_text(reply, "refusal"));
	s->counts.refused += refused;
	pthread_mutex_unlock(&s->lock);
}

/* 0: stored; 1: may be sent again; -1: failed for good. */
static int send_once(struct import_sender *s, struct client *client,
		     const char *text, size_t size, struct sp_error *err)
{
	struct client_reply reply;
	struct json_object *message;
	struct sp_error why;
	int rc = 0;

	if (client_request(client, PATH, text, size, DEADLINE_MS, &reply,
			   &why)) {
		sp_error_set(err, "predictd at %s: %s", s->url, why.text);
		return 1;
	}
	message = wire_parse(reply.body, reply.size, err);
	if (reply.status < 200 || reply.status >= 300) {
		fetch_refused(PATH, reply.status, message, err);
		rc = reply.status >= 500 ? 1 : -1;
	} else if (message) {
		add_counts(s, message);
	} else {
		rc = -1;
	}
	json_object_put(message);
	return rc;
}

static bool is_failed(struct import_sender *s)
{
	pthread_mutex_lock(&s->lock);
	bool failed = s->failed;
	pthread_mutex_unlock(&s->lock);
	return failed;
}

static int send_message(struct import_sender *s, struct client *client,
			const char *text, size_t size, struct sp_error *err)
{
	double until_s = clock_monotonic_s() + RETRY_S;
	double pause_s = PAUSE_MIN_S;

	for (;;) {
		int rc = send_once(s, client, text, size, err);

		if (rc <= 0)
			return rc;
		if (clock_monotonic_s() + pause_s > until_s || is_failed(s))
			return -1;
		pause_for(pause_s);
		pause_s = fmin(2 * pause_s, PAUSE_MAX_S);
	}
}

/* --- The threads ---------------------------------------------------------- */

/* Wait for a message; NULL: there will be no more.  The caller holds
 * the lock. */
static struct message *take_waiting_message(struct import_sender *s)
{
	while (!s->waiting.count && !s->closing)
		pthread_cond_wait(&s->changed, &s->lock);
	return fifo_take(&s->waiting, 1, 0);
}

static void *run_worker(void *argument)
{
	struct worker *worker = argument;
	struct import_sender *s = worker->sender;
	struct message *m;

	pthread_mutex_lock(&s->lock);
	while ((m = take_waiting_message(s))) {
		struct sp_error why;
		int rc = 0;

		if (!s->failed) {
			pthread_mutex_unlock(&s->lock);
			rc = send_message(s, worker->client, m->text.text,
					  m->text.size, &why);
			pthread_mutex_lock(&s->lock);
		}
		if (rc && !s->failed) {
			s->failed = true;
			s->why = why;
		}
		fifo_put(&s->free, &m->link, 1);
		s->busy--;
		pthread_cond_broadcast(&s->changed);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

static int start_workers(struct import_sender *s, struct cli *cli,
			 struct sp_error *err)
{
	for (int i = 0; i < THREADS; i++) {
		struct worker *worker = &s->workers[i];

		worker->sender = s;
		worker->client = fetch_client(cli, err);
		if (!worker->client)
			return -1;
		if (pthread_create(&worker->thread, NULL, run_worker, worker))
			return sp_error_set(err, "cannot start a thread");
		worker->started = true;
	}
	return 0;
}

struct import_sender *import_sender_create(struct cli *cli,
					   struct sp_error *err)
{
	struct import_sender *s = calloc(1, sizeof(*s));

	if (!s)
		return sp_error_null(err, "out of memory");
	s->url = fetch_url(cli);
	fifo_init(&s->free);
	fifo_init(&s->waiting);
	for (int i = 0; i < MESSAGES; i++)
		fifo_put(&s->free, &s->messages[i].link, 1);
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	if (start_workers(s, cli, err)) {
		import_sender_destroy(s);
		return NULL;
	}
	return s;
}

void import_sender_destroy(struct import_sender *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->closing = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	for (int i = 0; i < THREADS; i++) {
		if (s->workers[i].started)
			pthread_join(s->workers[i].thread, NULL);
		client_destroy(s->workers[i].client);
	}
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->changed);
	free(s);
}

/* --- The interface -------------------------------------------------------- */

/* Fail if the import has failed.  The caller holds the lock. */
static int check_failed(const struct import_sender *s, struct sp_error *err)
{
	if (!s->failed)
		return 0;
	if (err)
		*err = s->why;
	return -1;
}

static int take_free_message(struct import_sender *s, const char *cluster,
			     struct sp_error *err)
{
	pthread_mutex_lock(&s->lock);
	while (!s->free.count)
		pthread_cond_wait(&s->changed, &s->lock);

	int rc = check_failed(s, err);

	if (!rc)
		s->filling = fifo_take(&s->free, 1, 0);
	pthread_mutex_unlock(&s->lock);
	if (!rc)
		wire_import_begin(cluster, &s->filling->text);
	return rc;
}

static void queue_message(struct import_sender *s)
{
	struct message *m = s->filling;

	wire_import_end(&m->text, false);
	s->filling = NULL;
	pthread_mutex_lock(&s->lock);
	s->counts.sent += m->text.rows;
	s->busy++;
	fifo_put(&s->waiting, &m->link, 1);
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

enum import_sender_rc import_sender_add(struct import_sender *s,
					const struct run *run,
					struct sp_error *err)
{
	for (;;) {
		if (!s->filling && take_free_message(s, run->cluster, err))
			return IMPORT_SENDER_FAILED;

		bool empty = s->filling->text.rows == 0;
		enum wire_import_rc rc =
			wire_import_add(&s->filling->text, run, err);

		if (rc == WIRE_IMPORT_ADDED)
			return IMPORT_SENDER_ADDED;
		if (rc == WIRE_IMPORT_REFUSED)
			return IMPORT_SENDER_REFUSED;
		if (!empty)
			queue_message(s);
		else if (strcmp(run->cluster, s->filling->text.cluster) != 0)
			wire_import_begin(run->cluster, &s->filling->text);
		else
			break;
	}
	sp_error_set(err, "the run is too long");
	return IMPORT_SENDER_REFUSED;
}

int import_sender_flush(struct import_sender *s, struct sp_error *err)
{
	if (s->filling && s->filling->text.rows)
		queue_message(s);
	pthread_mutex_lock(&s->lock);
	while (s->busy)
		pthread_cond_wait(&s->changed, &s->lock);

	int rc = check_failed(s, err);

	pthread_mutex_unlock(&s->lock);
	return rc;
}

int import_sender_finish(struct import_sender *sender, struct sp_error *err)
{
	static const char last[] = "{\"last\":true}";
	int rc = send_message(sender, sender->workers[0].client, last,
			      sizeof(last) - 1, err);

	return rc ? -1 : 0;
}

void import_sender_count(struct import_sender *sender,
			 struct import_counts *ret)
{
	pthread_mutex_lock(&sender->lock);
	*ret = sender->counts;
	pthread_mutex_unlock(&sender->lock);
}
