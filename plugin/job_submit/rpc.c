/* rpc.c - one question to predictd from many threads, within a deadline */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/job_submit/rpc.h"
#include "plugin/job_submit/breaker.h"
#include "predictor/base/clock.h"
#include "predictor/client/client.h"

/* Most answers are there by then. */
#define AWAKE_S 600e-6

/* What became of a question.  Only silence and nonsense speak against
 * predictd: were a refusal to count, one user with odd submissions could
 * switch off the predictions of all. */
enum outcome { ANSWERED, REFUSED, FAILED };

struct ask {
	/* One asks at a time; the others wait for their turn, until their
	 * deadlines.  (pthread_mutex_clocklock() would do it in one call, but
	 * needs glibc 2.30.) */
	pthread_mutex_t lock; /* guards `busy` */
	pthread_cond_t freed; /* waits by the clock that never steps */
	bool busy;

	/* For the one who asks: */
	struct breaker breaker;
	struct client *client;     /* NULL: none yet, or its peer changed */
	struct predictd_peer peer; /* of the client */
	struct wire_text message;  /* the last one; its memory is used again */
};

struct ask *ask_create(void)
{
	struct ask *ask = calloc(1, sizeof(*ask));

	if (!ask)
		return NULL;
	pthread_mutex_init(&ask->lock, NULL);
	clock_condition_init(&ask->freed);
	return ask;
}

static void forget_peer(struct ask *ask)
{
	client_destroy(ask->client);
	ask->client = NULL;
	ask->breaker = (struct breaker){ 0 };
}

void ask_destroy(struct ask *ask)
{
	if (!ask)
		return;
	forget_peer(ask);
	wire_text_clear(&ask->message);
	pthread_cond_destroy(&ask->freed);
	pthread_mutex_destroy(&ask->lock);
	free(ask);
}

static int meet_peer(struct ask *ask, const struct predictd_peer *peer,
		     struct sp_error *err)
{
	if (ask->client && !memcmp(&ask->peer, peer, sizeof(*peer)))
		return 0;
	forget_peer(ask);
	ask->peer = *peer;
	ask->client = client_create(peer->url, peer->munge_socket, err);
	if (!ask->client)
		return -1;
	client_limit_reply(ask->client, ASK_REPLY_MAX);
	client_stay_awake(ask->client, AWAKE_S);
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

/* What is too long to be one is as good as none. */
static void read_placement(struct json_object *message, char ret[TOLD_SIZE])
{
	struct json_object *text;

	ret[0] = '\0';
	if (json_object_object_get_ex(message, "placement", &text) &&
	    json_object_is_type(text, json_type_string) &&
	    json_object_get_string_len(text) < TOLD_SIZE)
		strcpy(ret, json_object_get_string(text));
}

static int read_reply(const struct client_reply *reply, struct ask_answer *ret,
		      struct sp_error *err)
{
	struct json_object *message = wire_parse(reply->body, reply->size, err);
	struct json_object *below;
	struct ask_answer fresh;
	int rc = -1;

	if (!message)
		return -1;
	if (!json_object_is_type(message, json_type_object) ||
	    !json_object_object_get_ex(message, "prediction", &below))
		sp_error_set(err, "the reply holds no prediction");
	else if (!wire_answer_decode(below, &fresh.prediction, err))
		rc = check_id(fresh.prediction.id, err);
	if (!rc)
		read_placement(message, fresh.placement);
	json_object_put(message);
	if (!rc)
		*ret = fresh;
	return rc;
}

static bool is_refusal(int status)
{
	return status == 400 || status == 413 || status == 422;
}

static enum outcome exchange(struct ask *ask,
			     const struct wire_request *request,
			     double deadline_s, struct ask_answer *ret,
			     struct sp_error *err)
{
	struct wire_text *message = &ask->message;
	struct client_reply reply = { 0 };
	enum outcome outcome = FAILED;

	wire_text_empty(message);
	wire_request_print(request, message);

	/* Rounded up: a deadline of 1 ms leaves time for one try, too. */
	long left_ms = (long)ceil((deadline_s - clock_monotonic_s()) * 1e3);

	if (message->failed)
		sp_error_set(err, "out of memory");
	else if (left_ms < 1)
		sp_error_set(err, "no time was left to ask");
	else if (!client_request(ask->client, "/v1/predictions", message->bytes,
				 message->size, left_ms, &reply, err)) {
		if (reply.status != 200 && reply.status != 201) {
			sp_error_set(err, "predictd said %d", reply.status);
			outcome = is_refusal(reply.status) ? REFUSED : FAILED;
		} else if (!read_reply(&reply, ret, err)) {
			outcome = ANSWERED;
		}
	}
	return outcome;
}

static int ask_in_turn(struct ask *ask, const struct predictd_peer *peer,
		       const struct wire_request *request, double deadline_s,
		       struct ask_answer *ret, enum ask_news *ret_news,
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

/* -1: the deadline came first. */
static int take_turn(struct ask *ask, double deadline_s)
{
	struct timespec deadline = clock_timespec(deadline_s);
	int rc = 0;

	pthread_mutex_lock(&ask->lock);
	while (ask->busy && !rc)
		rc = pthread_cond_timedwait(&ask->freed, &ask->lock, &deadline);
	/* Freed at the last moment is freed. */
	rc = ask->busy ? -1 : 0;
	ask->busy = true;
	pthread_mutex_unlock(&ask->lock);
	return rc;
}

static void end_turn(struct ask *ask)
{
	pthread_mutex_lock(&ask->lock);
	ask->busy = false;
	pthread_cond_signal(&ask->freed);
	pthread_mutex_unlock(&ask->lock);
}

int ask_prediction(struct ask *ask, const struct predictd_peer *peer,
		   const struct wire_request *request, double deadline_s,
		   struct ask_answer *ret, enum ask_news *ret_news,
		   struct sp_error *err)
{
	*ret_news = ASK_NO_NEWS;
	if (take_turn(ask, deadline_s))
		return sp_error_set(err, "other submissions took all the time");

	int rc =
		ask_in_turn(ask, peer, request, deadline_s, ret, ret_news, err);

	end_turn(ask);
	return rc;
}
