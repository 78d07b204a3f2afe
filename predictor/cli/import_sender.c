/* import_sender.c - runs on their way into the history, by the thousand
 *
 * A message is free, being filled, waiting or on its way.  The first error
 * that does not pass ends everything: what was not stored can be imported
 * again.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predictor/base/clock.h"
#include "predictor/base/fifo.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/import_sender.h"

#define PATH "/v1/imports"

/* One message is read by predictd while another is written by PostgreSQL. */
#define THREADS  2
#define MESSAGES (2 * THREADS + 1)

#define DEADLINE_MS 120000

/* For how long a message is sent again, and how often. */
#define PATIENCE_S  60.0
#define PAUSE_MIN_S 0.2
#define PAUSE_MAX_S 5.0

struct message {
	struct fifo_link link;
	struct wire_import_text text;
};

struct worker {
	struct sender *sender;
	struct client *client;
	pthread_t thread;
	bool started;
};

struct sender {
	const char *url;
	struct worker workers[THREADS];
	struct message messages[MESSAGES];
	struct message *filling; /* NULL: none; the caller's */

	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct fifo free, waiting;
	size_t busy; /* waiting or on its way */
	bool closing, failed;
	struct sp_error why;
	struct sender_counts counts;
};

/* --- One message --------------------------------------------------------------- */

static void pause_for(double seconds)
{
	struct timespec span = {
		.tv_sec = (time_t)seconds,
		.tv_nsec = (long)(fmod(seconds, 1) * 1e9),
	};

	nanosleep(&span, NULL);
}

static size_t reply_count(struct json_object *reply, const char *name)
{
	double count = ask_number(reply, name);

	return count > 0 ? (size_t)count : 0;
}

static void add_counts(struct sender *s, struct json_object *reply)
{
	size_t refused = reply_count(reply, "refused");

	pthread_mutex_lock(&s->lock);
	s->counts.stored += reply_count(reply, "stored");
	s->counts.doubles += reply_count(reply, "doubles");
	if (refused && !s->counts.refused)
		sp_error_set(&s->counts.refusal, "%s",
			     ask_text(reply, "refusal"));
	s->counts.refused += refused;
	pthread_mutex_unlock(&s->lock);
}

/* 0: stored; 1: not now; -1: never. */
static int send_once(struct sender *s, struct client *client, const char *text,
		     size_t size, struct sp_error *err)
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
		ask_refused(PATH, reply.status, message, err);
		rc = reply.status >= 500 ? 1 : -1;
	} else if (message) {
		add_counts(s, message);
	} else {
		rc = -1;
	}
	json_object_put(message);
	return rc;
}

static bool is_failed(struct sender *s)
{
	pthread_mutex_lock(&s->lock);
	bool failed = s->failed;
	pthread_mutex_unlock(&s->lock);
	return failed;
}

static int send_message(struct sender *s, struct client *client,
			const char *text, size_t size, struct sp_error *err)
{
	double until_s = clock_monotonic_s() + PATIENCE_S;
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

/* --- The threads ---------------------------------------------------------------- */

/* Wait for a message; NULL: there will be no more.  With the lock held. */
static struct message *take_waiting(struct sender *s)
{
	while (!s->waiting.count && !s->closing)
		pthread_cond_wait(&s->changed, &s->lock);
	return fifo_take(&s->waiting, 1, 0);
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct sender *s = worker->sender;
	struct message *m;

	pthread_mutex_lock(&s->lock);
	while ((m = take_waiting(s))) {
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

static int start(struct sender *s, struct cli *cli, struct sp_error *err)
{
	for (int i = 0; i < THREADS; i++) {
		struct worker *worker = &s->workers[i];

		worker->sender = s;
		worker->client = ask_client(cli, err);
		if (!worker->client)
			return -1;
		if (pthread_create(&worker->thread, NULL, work, worker))
			return sp_error_set(err, "no thread can be started");
		worker->started = true;
	}
	return 0;
}

struct sender *sender_create(struct cli *cli, struct sp_error *err)
{
	struct sender *s = calloc(1, sizeof(*s));

	if (!s) {
		sp_error_set(err, "out of memory");
		return NULL;
	}
	s->url = ask_url(cli);
	fifo_init(&s->free);
	fifo_init(&s->waiting);
	for (int i = 0; i < MESSAGES; i++)
		fifo_put(&s->free, &s->messages[i].link, 1);
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	if (start(s, cli, err)) {
		sender_destroy(s);
		return NULL;
	}
	return s;
}

void sender_destroy(struct sender *sender)
{
	struct sender *s = sender;

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

/* --- From outside ------------------------------------------------------------------ */

/* What made it fail, if it has.  With the lock held. */
static int check(const struct sender *s, struct sp_error *err)
{
	if (!s->failed)
		return 0;
	if (err)
		*err = s->why;
	return -1;
}

static int take_free(struct sender *s, const char *cluster,
		     struct sp_error *err)
{
	pthread_mutex_lock(&s->lock);
	while (!s->free.count)
		pthread_cond_wait(&s->changed, &s->lock);

	int rc = check(s, err);

	if (!rc)
		s->filling = fifo_take(&s->free, 1, 0);
	pthread_mutex_unlock(&s->lock);
	if (!rc)
		wire_import_begin(cluster, &s->filling->text);
	return rc;
}

static void hand_over(struct sender *s)
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

enum sender_rc sender_add(struct sender *sender, const struct run *run,
			  struct sp_error *err)
{
	struct sender *s = sender;

	for (;;) {
		if (!s->filling && take_free(s, run->cluster, err))
			return SENDER_FAILED;

		bool empty = s->filling->text.rows == 0;
		enum wire_import_rc rc =
			wire_import_add(&s->filling->text, run, err);

		if (rc == WIRE_IMPORT_ADDED)
			return SENDER_TAKEN;
		if (rc == WIRE_IMPORT_REFUSED)
			return SENDER_NO_RUN;
		if (!empty)
			hand_over(s);
		else if (strcmp(run->cluster, s->filling->text.cluster) != 0)
			wire_import_begin(run->cluster, &s->filling->text);
		else
			break;
	}
	sp_error_set(err, "it is too long");
	return SENDER_NO_RUN;
}

int sender_flush(struct sender *sender, struct sp_error *err)
{
	struct sender *s = sender;

	if (s->filling && s->filling->text.rows)
		hand_over(s);
	pthread_mutex_lock(&s->lock);
	while (s->busy)
		pthread_cond_wait(&s->changed, &s->lock);

	int rc = check(s, err);

	pthread_mutex_unlock(&s->lock);
	return rc;
}

int sender_finish(struct sender *sender, struct sp_error *err)
{
	static const char last[] = "{\"last\":true}";
	int rc = send_message(sender, sender->workers[0].client, last,
			      sizeof(last) - 1, err);

	return rc ? -1 : 0;
}

void sender_count(struct sender *sender, struct sender_counts *ret)
{
	pthread_mutex_lock(&sender->lock);
	*ret = sender->counts;
	pthread_mutex_unlock(&sender->lock);
}
