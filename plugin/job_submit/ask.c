/* ask.c - one question to predictd from many threads, within a deadline */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/job_submit/ask.h"
#include "plugin/job_submit/breaker.h"
#include "predictor/base/clock.h"
#include "predictor/client/client.h"

/* What became of a question.  Only silence and nonsense speak against
 * predictd: were a refusal to count, one user with odd submissions could
 * switch off the predictions of all. */
enum outcome { ANSWERED, REFUSED, FAILED };

struct ask {
	pthread_mutex_t lock; /* guards all of the below */
	struct breaker breaker;
	struct client *client; /* NULL: none yet, or its peer changed */
	char *url, *munge_socket;
};

struct ask *ask_create(void)
{
	struct ask *ask = calloc(1, sizeof(*ask));

	if (ask)
		pthread_mutex_init(&ask->lock, NULL);
	return ask;
}

static void forget_peer(struct ask *ask)
{
	client_destroy(ask->client);
	free(ask->url);
	free(ask->munge_socket);
	ask->client = NULL;
	ask->url = NULL;
	ask->munge_socket = NULL;
	ask->breaker = (struct breaker){ 0 };
}

void ask_destroy(struct ask *ask)
{
	if (!ask)
		return;
	forget_peer(ask);
	pthread_mutex_destroy(&ask->lock);
	free(ask);
}

static int meet_peer(struct ask *ask, const struct ask_peer *peer,
		     struct sp_error *err)
{
	if (ask->client && !strcmp(ask->url, peer->url) &&
	    !strcmp(ask->munge_socket, peer->munge_socket))
		return 0;
	forget_peer(ask);
	ask->url = strdup(peer->url);
	ask->munge_socket = strdup(peer->munge_socket);
	if (!ask->url || !ask->munge_socket)
		return sp_error_set(err, "out of memory");
	ask->client = client_create(peer->url, peer->munge_socket, err);
	if (!ask->client)
		return -1;
	client_limit_reply(ask->client, ASK_REPLY_MAX);
	return 0;
}

/* 16 hexadecimal digits as predictd writes them: the id goes into the job. */
static int check_id(const char *id, struct sp_error *err)
{
	if (strlen(id) != 16 || strspn(id, "0123456789abcdef") != 16)
		return sp_error_set(err, "the reply's id is not 16 hexadecimal "
					 "digits");
	return 0;
}

static int read_reply(const struct client_reply *reply, struct prediction *ret,
		      struct sp_error *err)
{
	struct json_object *message = wire_parse(reply->body, reply->size, err);
	struct json_object *below;
	struct prediction fresh;
	int rc = -1;

	if (!message)
		return -1;
	if (!json_object_is_type(message, json_type_object) ||
	    !json_object_object_get_ex(message, "prediction", &below))
		sp_error_set(err, "the reply holds no prediction");
	else if (!wire_prediction_decode(below, &fresh, err))
		rc = check_id(fresh.id, err);
	json_object_put(message);
	if (!rc)
		*ret = fresh;
	return rc;
}

static int is_refusal(int status)
{
	return status == 400 || status == 413 || status == 422;
}

static enum outcome exchange(struct ask *ask,
			     const struct wire_request *request,
			     double deadline_s, struct prediction *ret,
			     struct sp_error *err)
{
	struct json_object *message = wire_request_encode(request);
	struct client_reply reply = { 0 };
	enum outcome outcome = FAILED;
	size_t size = 0;
	const char *body =
		message ? json_object_to_json_string_length(
				  message, JSON_C_TO_STRING_PLAIN, &size)
			: NULL;
	/* Cut, not rounded: the deadline is not to be stretched. */
	long left_ms = (long)((deadline_s - clock_monotonic_s()) * 1e3);

	if (!body)
		sp_error_set(err, "out of memory");
	else if (left_ms < 1)
		sp_error_set(err, "no time was left to ask");
	else if (!client_request(ask->client, "/v1/predictions", body, size,
				 left_ms, &reply, err)) {
		if (reply.status != 200 && reply.status != 201) {
			sp_error_set(err, "predictd said %d", reply.status);
			outcome = is_refusal(reply.status) ? REFUSED : FAILED;
		} else if (!read_reply(&reply, ret, err)) {
			outcome = ANSWERED;
		}
	}
	json_object_put(message);
	return outcome;
}

/* With the lock held. */
static int ask_locked(struct ask *ask, const struct ask_peer *peer,
		      const struct wire_request *request, double deadline_s,
		      struct prediction *ret, enum ask_news *ret_news,
		      struct sp_error *err)
{
	if (meet_peer(ask, peer, err))
		return -1;
	if (!breaker_allows(&ask->breaker, clock_monotonic_s()))
		return sp_error_set(err,
				    "predictd is not asked for a while "
				    "after %d failures",
				    BREAKER_FAILURES);

	enum outcome outcome = exchange(ask, request, deadline_s, ret, err);

	if (outcome == FAILED) {
		if (breaker_failed(&ask->breaker, clock_monotonic_s()))
			*ret_news = ASK_STOPPED;
	} else if (breaker_succeeded(&ask->breaker)) {
		*ret_news = ASK_RESUMED;
	}
	return outcome == ANSWERED ? 0 : -1;
}

int ask_prediction(struct ask *ask, const struct ask_peer *peer,
		   const struct wire_request *request, double deadline_s,
		   struct prediction *ret, enum ask_news *ret_news,
		   struct sp_error *err)
{
	struct timespec deadline = {
		.tv_sec = (time_t)deadline_s,
		.tv_nsec =
			(long)((deadline_s - (double)(time_t)deadline_s) * 1e9),
	};

	*ret_news = ASK_NO_NEWS;
	if (pthread_mutex_clocklock(&ask->lock, CLOCK_MONOTONIC, &deadline))
		return sp_error_set(err, "other submissions took all the time");

	int rc = ask_locked(ask, peer, request, deadline_s, ret, ret_news, err);

	pthread_mutex_unlock(&ask->lock);
	return rc;
}
