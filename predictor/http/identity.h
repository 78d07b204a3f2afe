/* identity.h - who asks
 *
 * An identity is proved by a MUNGE credential in the Authorization header, or
 * by the kernel, which knows the uid at the other end of a Unix socket.
 *
 * munged is another process and may be slow or hung, so credentials are
 * decoded in a thread of their own while the connection is suspended; whoever
 * could not be checked in time is not let in.
 */
#ifndef PREDICTOR_HTTP_IDENTITY_H
#define PREDICTOR_HTTP_IDENTITY_H

#include <sys/types.h>

#include "predictor/base/error.h"
#include "predictor/base/fifo.h"

#define IDENTITY_CREDENTIAL_MAX 4096 /* bytes; ours are about 130 */
#define IDENTITY_WAITING_MAX    256  /* credentials */
#define IDENTITY_PATIENCE_S     2.0  /* in the queue */

enum identity_verdict {
	IDENTITY_KNOWN,      /* uid is set */
	IDENTITY_REFUSED,    /* forged, replayed, expired, for something else */
	IDENTITY_UNAVAILABLE /* munged did not answer */
};

/* A credential to check.  All of it stays the caller's until `answer` was
 * called, once, in the identity's thread. */
struct identity_question {
	struct fifo_link link; /* the identity's own, as asked_at_s */
	const char *credential;
	const char *payload; /* that it must carry: "METHOD path" */
	void (*answer)(struct identity_question *question);

	enum identity_verdict verdict;
	uid_t uid;

	double asked_at_s;
};

struct identity;

/* `munge_socket`: NULL is MUNGE's default.  munged need not be up. */
struct identity *identity_create(const char *munge_socket,
				 struct sp_error *err);

/* -1: too many wait, or it has been stopped; `answer` is then never called. */
int identity_ask(struct identity *identity, struct identity_question *question);

/* Answer all that wait with IDENTITY_UNAVAILABLE, and take no more. */
void identity_stop(struct identity *identity);

void identity_destroy(struct identity *identity);

/* The uid at the other end of a connected Unix socket. */
int identity_of_peer(int fd, uid_t *ret_uid, struct sp_error *err);

#endif
