/* SPDX-License-Identifier: GPL-2.0-or-later */
/* identity.c - the uid of a client
 *
 * One thread decodes credentials in the order in which they were queued; the
 * lock guards the queue.
 */
#include <errno.h>
#include <munge.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/http/identity.h"

struct identity {
	char *munge_socket; /* NULL: MUNGE's default */
	pthread_t thread;
	bool running;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool stopping;
	struct fifo queue;
};

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

static void credential_decode(struct identity *identity,
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

/* The next check; NULL when the thread is to end and none is left. */
static struct credential_check *queue_take(struct identity *identity,
					   bool *ret_stopping)
{
	pthread_mutex_lock(&identity->lock);
	while (!identity->queue.count && !identity->stopping)
		pthread_cond_wait(&identity->changed, &identity->lock);

	struct credential_check *q = fifo_take(&identity->queue, 1, 0);

	*ret_stopping = identity->stopping;
	pthread_mutex_unlock(&identity->lock);
	return q;
}

static void *run_checks(void *context)
{
	struct identity *identity = context;
	struct credential_check *q;
	bool stopping;

	while ((q = queue_take(identity, &stopping))) {
		/* While munged hangs, each decoding takes seconds: clients
		 * that have waited too long are refused at once. */
		if (stopping ||
		    clock_monotonic_s() - q->queued_at_s > IDENTITY_TIMEOUT_S)
			q->verdict = IDENTITY_UNAVAILABLE;
		else
			credential_decode(identity, q);
		q->done(q);
	}
	return NULL;
}

struct identity *identity_create(const char *munge_socket, struct sp_error *err)
{
	struct identity *identity = calloc(1, sizeof(*identity));

	if (!identity)
		goto fail;
	pthread_mutex_init(&identity->lock, NULL);
	pthread_cond_init(&identity->changed, NULL);
	fifo_init(&identity->queue);
	if (munge_socket && munge_socket[0] &&
	    !(identity->munge_socket = strdup(munge_socket)))
		goto fail;
	if (pthread_create(&identity->thread, NULL, run_checks, identity))
		goto fail;
	identity->running = true;
	return identity;
fail:
	identity_destroy(identity);
	sp_error_set(err, "identity: out of memory or threads");
	return NULL;
}

int identity_check(struct identity *identity, struct credential_check *check)
{
	int rc = -1;

	check->queued_at_s = clock_monotonic_s();
	pthread_mutex_lock(&identity->lock);
	if (!identity->stopping && identity->queue.count < IDENTITY_QUEUE_MAX) {
		fifo_put(&identity->queue, &check->link, 1);
		pthread_cond_signal(&identity->changed);
		rc = 0;
	}
	pthread_mutex_unlock(&identity->lock);
	return rc;
}

void identity_stop(struct identity *identity)
{
	if (!identity->running)
		return;
	pthread_mutex_lock(&identity->lock);
	identity->stopping = true;
	pthread_cond_signal(&identity->changed);
	pthread_mutex_unlock(&identity->lock);
	pthread_join(identity->thread, NULL);
	identity->running = false;
}

void identity_destroy(struct identity *identity)
{
	if (!identity)
		return;
	identity_stop(identity);
	pthread_cond_destroy(&identity->changed);
	pthread_mutex_destroy(&identity->lock);
	free(identity->munge_socket);
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
