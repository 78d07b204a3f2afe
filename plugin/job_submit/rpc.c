/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rpc.c - requests to predictd from many threads, within a deadline
 *
 * Wait for the turn, connect if the peer changed, let the breaker decide, send,
 * read the reply, and count success or failure in the breaker.  rpc->lock
 * guards `busy` only and is not held while waiting for predictd: the thread
 * that has set `busy` owns the rest of the struct.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/job_submit/rpc.h"
#include "plugin/job_submit/breaker.h"
#include "predictor/base/clock.h"
#include "predictor/client/client.h"

/* Most replies of a machine at rest arrive within that time.  On a busy one the
 * thread loses its CPU to others, or predictd's waits for it, so that polling
 * costs more than it saves: at a load of 12 the 90th percentile of a request is
 * 760 us with 600 us, 340 with 200, 280 with 120, and 235 without. */
#define AWAKE_S 120e-6

/* Result of a request.  Only no reply or an invalid one counts as a failure,
 * and that of a predictd which has not loaded its history: if a refusal did,
 * one user with odd submissions could stop the predictions of all. */
enum outcome { ANSWERED, REFUSED, FAILED, NOT_READY };

struct rpc {
	/* One request at a time; others wait for their turn, until their
	 * deadlines.  (pthread_mutex_clocklock() would do it in one call, but
	 * needs glibc 2.30.) */
	pthread_mutex_t lock; /* guards `busy` */
	pthread_cond_t freed; /* of clock_condition_init() */
	bool busy;

	/* Only the thread whose turn it is uses these: */
	struct breaker breaker;
	struct client *client;     /* NULL: none yet, or its peer changed */
	struct predictd_peer peer; /* of the client */
	struct wire_text message;  /* the last one; its memory is reused */
};

struct rpc *rpc_create(void)
{
	struct rpc *rpc = calloc(1, sizeof(*rpc));

	if (!rpc)
		return NULL;
	pthread_mutex_init(&rpc->lock, NULL);
	clock_condition_init(&rpc->freed);
	return rpc;
}

static void disconnect(struct rpc *rpc)
{
	client_destroy(rpc->client);
	rpc->client = NULL;
	rpc->breaker = (struct breaker){ 0 };
}

void rpc_destroy(struct rpc *rpc)
{
	if (!rpc)
		return;
	disconnect(rpc);
	wire_text_clear(&rpc->message);
	pthread_cond_destroy(&rpc->freed);
	pthread_mutex_destroy(&rpc->lock);
	free(rpc);
}

static int connect_to_peer(struct rpc *rpc, const struct predictd_peer *peer,
			   struct sp_error *err)
{
	if (rpc->client && !memcmp(&rpc->peer, peer, sizeof(*peer)))
		return 0;
	disconnect(rpc);
	rpc->peer = *peer;
	rpc->client = client_create(peer->url, peer->munge_socket, err);
	if (!rpc->client)
		return -1;
	client_limit_reply(rpc->client, RPC_REPLY_MAX);
	client_stay_awake(rpc->client, AWAKE_S);
	return 0;
}

/* 16 hexadecimal digits as predictd writes them: the id goes into the job.  Or
 * none, where no job follows. */
static int id_check(const char *id, struct sp_error *err)
{
	if (!*id)
		return 0;
	if (strlen(id) != 16 || strspn(id, "0123456789abcdef") != 16)
		return sp_error_set(err, "the reply's id is not 16 hexadecimal "
					 "digits");
	return 0;
}

/* Read the model, and behind it the weights, as in a line of a snapshot.  A
 * text that is too long is ignored. */
static void read_placement(struct json_object *message,
			   char ret[RECENT_MODEL_SIZE])
{
	const char *model = wire_find_text(message, "placement", "");
	const char *weights = wire_find_text(message, "weights", "");
	int size =
		snprintf(ret, RECENT_MODEL_SIZE, "%s%s%s", model,
			 *model && *weights ? " " : "", *model ? weights : "");

	if (size >= RECENT_MODEL_SIZE)
		ret[0] = '\0';
}

static bool is_flag(struct json_object *message, const char *name, bool value)
{
	struct json_object *flag;

	return json_object_object_get_ex(message, name, &flag) &&
	       json_object_is_type(flag, json_type_boolean) &&
	       (bool)json_object_get_boolean(flag) == value;
}

static const char *read_profile(struct json_object *message)
{
	if (is_flag(message, "trace", true))
		return "trace";
	if (is_flag(message, "profile", true))
		return is_flag(message, "profile_mpi", true) ? "mpi"
							     : "packets";
	return is_flag(message, "profile", false) ? "no" : NULL;
}

static int read_reply(const struct client_reply *reply, struct rpc_reply *ret,
		      struct sp_error *err)
{
	struct json_object *message = wire_parse(reply->body, reply->size, err);
	struct json_object *below;
	struct rpc_reply fresh;
	int rc = -1;

	if (!message)
		return -1;
	if (!json_object_is_type(message, json_type_object) ||
	    !json_object_object_get_ex(message, "prediction", &below))
		sp_error_set(err, "the reply holds no prediction");
	else if (!wire_answer_decode(below, &fresh.prediction, err))
		rc = id_check(fresh.prediction.id, err);
	if (!rc) {
		wire_answer_starts(message, &fresh.prediction);
		read_placement(message, fresh.placement);
		fresh.profile = read_profile(message);
	}
	json_object_put(message);
	if (!rc)
		*ret = fresh;
	return rc;
}

static enum outcome outcome_of(int status)
{
	if (status == 400 || status == 413 || status == 422)
		return REFUSED;
	return status == 503 ? NOT_READY : FAILED;
}

static enum outcome send_request(struct rpc *rpc,
				 const struct wire_request *request,
				 double deadline_s, struct rpc_reply *ret,
				 struct sp_error *err)
{
	struct wire_text *message = &rpc->message;
	struct client_reply reply = { 0 };
	enum outcome outcome = FAILED;

	wire_text_empty(message);
	wire_request_print(request, message);

	/* Rounded up: a deadline of 1 ms leaves time for one try, too. */
	long left_ms = (long)ceil((deadline_s - clock_monotonic_s()) * 1e3);

	if (message->failed)
		sp_error_set(err, "out of memory");
	else if (left_ms < 1)
		sp_error_set(err, "no time was left for a request");
	else if (!client_request(rpc->client, "/v1/predictions", message->bytes,
				 message->size, left_ms, &reply, err)) {
		if (reply.status != 200 && reply.status != 201) {
			sp_error_set(err, "predictd replied with status %d",
				     reply.status);
			outcome = outcome_of(reply.status);
		} else if (!read_reply(&reply, ret, err)) {
			outcome = ANSWERED;
		}
	}
	return outcome;
}

static int predict_in_turn(struct rpc *rpc, const struct predictd_peer *peer,
			   const struct wire_request *request,
			   double deadline_s, struct rpc_reply *ret,
			   enum rpc_change *ret_change, struct sp_error *err)
{
	if (connect_to_peer(rpc, peer, err))
		return -1;
	if (!breaker_allows(&rpc->breaker, clock_monotonic_s()))
		return sp_error_set(err,
				    "no requests are sent for a while "
				    "after %d failures",
				    BREAKER_FAILURES);

	enum outcome outcome = send_request(rpc, request, deadline_s, ret, err);

	if (outcome == FAILED || outcome == NOT_READY) {
		if (breaker_failed(&rpc->breaker, clock_monotonic_s()))
			*ret_change =
				outcome == FAILED ? RPC_STOPPED : RPC_POSTPONED;
	} else if (breaker_succeeded(&rpc->breaker)) {
		*ret_change = RPC_RESUMED;
	}
	return outcome == ANSWERED ? 0 : -1;
}

/* -1: the deadline passed. */
static int take_turn(struct rpc *rpc, double deadline_s)
{
	struct timespec deadline = clock_timespec(deadline_s);
	int rc = 0;

	pthread_mutex_lock(&rpc->lock);
	while (rpc->busy && !rc)
		rc = pthread_cond_timedwait(&rpc->freed, &rpc->lock, &deadline);
	/* It may have been freed just at the deadline. */
	rc = rpc->busy ? -1 : 0;
	rpc->busy = true;
	pthread_mutex_unlock(&rpc->lock);
	return rc;
}

static void end_turn(struct rpc *rpc)
{
	pthread_mutex_lock(&rpc->lock);
	rpc->busy = false;
	pthread_cond_signal(&rpc->freed);
	pthread_mutex_unlock(&rpc->lock);
}

int rpc_predict(struct rpc *rpc, const struct predictd_peer *peer,
		const struct wire_request *request, double deadline_s,
		struct rpc_reply *ret, enum rpc_change *ret_change,
		struct sp_error *err)
{
	*ret_change = RPC_NO_CHANGE;
	if (take_turn(rpc, deadline_s))
		return sp_error_set(err, "other submissions took all the time");

	int rc = predict_in_turn(rpc, peer, request, deadline_s, ret,
				 ret_change, err);

	end_turn(rpc);
	return rc;
}
