/* SPDX-License-Identifier: GPL-2.0-or-later */
/* identity.c - the uid of a client
 *
 * Checks wait in one of two lanes, each with a thread and a lock that
 * guards its queue: MUNGE credentials in one, all that needs a user's name
 * in the other. Which function checks a proof, and in which lane, is a row
 * of the table.
 */
#include <errno.h>
#include <munge.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/base/ordered_lock.h"
#include "predictor/base/user_id.h"
#include "predictor/http/gate/identity.h"
#include "predictor/http/gate/token.h"

enum lane_of_proof { LANE_MUNGE, LANE_NAMES, LANES };

struct lane {
	struct identity *identity;
	pthread_t thread;
	bool running;

	struct ordered_lock lock;
	pthread_cond_t changed;
	bool stopping;
	struct fifo queues[2]; /* [late] */
};

struct identity {
	char *munge_socket; /* NULL: MUNGE's default */
	char *token_key;    /* NULL: no tokens */
	struct lane lanes[LANES];
};

/* --- Proofs --------------------------------------------------------------- */

static enum identity_verdict verdict_of(munge_err_t rc)
{
	switch (rc) {
	case EMUNGE_SUCCESS:
		return IDENTITY_KNOWN;
	case EMUNGE_SNAFU:
	case EMUNGE_NO_MEMORY:
	case EMUNGE_SOCKET:
	case EMUNGE_TIMEOUT:
		return IDENTITY_UNAVAILABLE;
	default:
		return IDENTITY_REFUSED;
	}
}

static void credential_decode(const struct identity *identity,
			      struct credential_check *q)
{
	/* A fresh context each time: a failed decoding leaves it undefined. */
	munge_ctx_t context = munge_ctx_create();
	void *payload = NULL;
	int size = 0;
	uid_t uid;
	gid_t gid;

	q->verdict = IDENTITY_UNAVAILABLE;
	if (!context)
		return;
	if (!identity->munge_socket ||
	    munge_ctx_set(context, MUNGE_OPT_SOCKET, identity->munge_socket) ==
		    EMUNGE_SUCCESS) {
		munge_err_t rc = munge_decode(q->credential, context, &payload,
					      &size, &uid, &gid);

		q->verdict = verdict_of(rc);
		if (rc != EMUNGE_SUCCESS)
			log_debug("MUNGE credential for %s: %s", q->payload,
				  munge_strerror(rc));
	}
	if (q->verdict == IDENTITY_KNOWN) {
		if (size == (int)strlen(q->payload) &&
		    !memcmp(payload, q->payload, (size_t)size))
			q->uid = uid;
		else
			q->verdict = IDENTITY_REFUSED;
	}
	free(payload);
	munge_ctx_destroy(context);
}

static void user_find(const char *name, struct credential_check *q)
{
	struct sp_error err;
	bool found;

	q->verdict = IDENTITY_UNAVAILABLE;
	if (user_id_find(name, &q->uid, &found, &err))
		log_error("%s", err.text);
	else
		q->verdict = found ? IDENTITY_KNOWN : IDENTITY_REFUSED;
}

static void token_check(const struct identity *identity,
			struct credential_check *q)
{
	char user[TOKEN_USER_SIZE];
	struct sp_error err;

	if (!identity->token_key) {
		q->verdict = IDENTITY_REFUSED;
		return;
	}
	switch (token_verify_file(identity->token_key, q->credential,
				  time(NULL), user, &err)) {
	case TOKEN_VALID:
		user_find(user, q);
		return;
	case TOKEN_REFUSED:
		log_debug("token for %s: %s", q->payload, err.text);
		q->verdict = IDENTITY_REFUSED;
		return;
	case TOKEN_NO_KEY:
		log_error("tokens cannot be checked: %s", err.text);
		q->verdict = IDENTITY_UNAVAILABLE;
		return;
	}
}

static void name_check(const struct identity *identity,
		       struct credential_check *q)
{
	(void)identity;
	user_find(q->credential, q);
}

static const struct {
	enum lane_of_proof lane;
	void (*judge)(const struct identity *identity,
		      struct credential_check *q);
} proofs[IDENTITY_PROOFS] = {
	[IDENTITY_MUNGE] = { LANE_MUNGE, credential_decode },
	[IDENTITY_TOKEN] = { LANE_NAMES, token_check },
	[IDENTITY_NAME] = { LANE_NAMES, name_check },
};

/* --- Lanes ---------------------------------------------------------------- */

/* Take the next check; NULL when the thread is to end and none is left. */
static struct credential_check *lane_take(struct lane *lane, bool *ret_stopping)
{
	ORDERED_LOCK_HOLD(&lane->lock);
	while (!lane->queues[0].count && !lane->queues[1].count &&
	       !lane->stopping)
		ordered_lock_wait(&lane->lock, &lane->changed, NULL);

	struct credential_check *q =
		fifo_take(&lane->queues[!lane->queues[0].count], 1, 0);

	*ret_stopping = lane->stopping;
	return q;
}

static void *lane_run(void *context)
{
	struct lane *lane = context;
	struct credential_check *q;
	bool stopping;

	while ((q = lane_take(lane, &stopping))) {
		/* While munged hangs, each decoding takes seconds: clients
		 * that have waited too long are refused at once. */
		if (stopping ||
		    clock_monotonic_s() - q->queued_at_s > IDENTITY_TIMEOUT_S)
			q->verdict = IDENTITY_UNAVAILABLE;
		else
			proofs[q->proof].judge(lane->identity, q);
		q->done(q);
	}
	return NULL;
}

static int lane_start(struct lane *lane)
{
	if (pthread_create(&lane->thread, NULL, lane_run, lane))
		return -1;
	lane->running = true;
	return 0;
}

static void lane_stop(struct lane *lane)
{
	if (!lane->running)
		return;
	ordered_lock_take(&lane->lock);
	lane->stopping = true;
	pthread_cond_signal(&lane->changed);
	ordered_lock_give(&lane->lock);
	pthread_join(lane->thread, NULL);
	lane->running = false;
}

/* NULL stays NULL, as an empty text does.  -1: out of memory. */
static int text_copy(const char *text, char **ret)
{
	*ret = text && text[0] ? strdup(text) : NULL;
	return text && text[0] && !*ret ? -1 : 0;
}

struct identity *identity_create(const char *munge_socket,
				 const char *token_key, struct sp_error *err)
{
	struct identity *identity = calloc(1, sizeof(*identity));

	if (!identity)
		goto fail;
	for (int i = 0; i < LANES; i++) {
		struct lane *lane = &identity->lanes[i];

		lane->identity = identity;
		ordered_lock_init(&lane->lock, LOCK_IDENTITY);
		pthread_cond_init(&lane->changed, NULL);
		fifo_init(&lane->queues[0]);
		fifo_init(&lane->queues[1]);
	}
	if (text_copy(munge_socket, &identity->munge_socket) ||
	    text_copy(token_key, &identity->token_key))
		goto fail;
	for (int i = 0; i < LANES; i++)
		if (lane_start(&identity->lanes[i]))
			goto fail;
	return identity;
fail:
	identity_destroy(identity);
	return sp_error_null(err, "identity: out of memory or threads");
}

int identity_check(struct identity *identity, struct credential_check *check)
{
	struct lane *lane = &identity->lanes[proofs[check->proof].lane];
	struct fifo *queue = &lane->queues[check->late];

	check->queued_at_s = clock_monotonic_s();
	ORDERED_LOCK_HOLD(&lane->lock);
	if (lane->stopping || queue->count >= IDENTITY_QUEUE_MAX)
		return -1;
	fifo_put(queue, &check->link, 1);
	pthread_cond_signal(&lane->changed);
	return 0;
}

void identity_stop(struct identity *identity)
{
	for (int i = 0; i < LANES; i++)
		lane_stop(&identity->lanes[i]);
}

void identity_destroy(struct identity *identity)
{
	if (!identity)
		return;
	identity_stop(identity);
	for (int i = 0; i < LANES; i++) {
		pthread_cond_destroy(&identity->lanes[i].changed);
		ordered_lock_destroy(&identity->lanes[i].lock);
	}
	free(identity->munge_socket);
	free(identity->token_key);
	free(identity);
}

int identity_of_peer(int fd, uid_t *ret_uid, struct sp_error *err)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		return sp_error_set(err, "peer's uid: %s", strerror(errno));
	if (size != sizeof(peer) || peer.uid == (uid_t)-1)
		return sp_error_set(err, "peer's uid: not known");
	*ret_uid = peer.uid;
	return 0;
}
