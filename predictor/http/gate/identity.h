/* SPDX-License-Identifier: GPL-2.0-or-later */
/* identity.h - the uid of a client
 *
 * It is proved by the kernel, which knows the uid at the other end of a Unix
 * socket, or by one of the proofs below.  munged, and what resolves names of
 * users, are other processes that may be slow or hang, so proofs are checked in
 * threads of their own while the connection is suspended; names never keep
 * MUNGE credentials waiting.  A client whose proof could not be checked in time
 * is refused.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "predictor/base/error.h"
#include "predictor/base/fifo.h"

#define IDENTITY_CREDENTIAL_MAX 4096 /* bytes; ours are about 130 */
#define IDENTITY_QUEUE_MAX      256  /* credentials that wait, of each kind */
#define IDENTITY_TIMEOUT_S      2.0  /* in the queue */

enum identity_verdict {
	IDENTITY_KNOWN,      /* uid is set */
	IDENTITY_REFUSED,    /* forged, replayed, expired, for something else */
	IDENTITY_UNAVAILABLE /* munged did not answer */
};

enum identity_proof {
	IDENTITY_MUNGE, /* a MUNGE credential of the request */
	IDENTITY_TOKEN, /* a JSON Web Token (token.h) that names a user */
	IDENTITY_NAME,  /* the name of a user, from a trusted proxy */
	IDENTITY_PROOFS
};

/* A proof to check.  It must stay valid until `done` has been called, once,
 * in a thread of the identity. */
struct credential_check {
	struct fifo_link link; /* private, as queued_at_s */
	enum identity_proof proof;
	const char *credential;
	const char *payload; /* that MUNGE's must carry: "METHOD path" */
	bool late;           /* checked when no others wait */
	void (*done)(struct credential_check *check);

	enum identity_verdict verdict;
	uid_t uid;

	double queued_at_s;
};

struct identity;

/* `munge_socket`: NULL or empty is MUNGE's default; munged need not be up.
 * `token_key`: the file of the key that tokens are signed with, read for each
 * of them; NULL or empty: tokens are refused. */
struct identity *identity_create(const char *munge_socket,
				 const char *token_key, struct sp_error *err);

/* Queue a check.  -1: too many wait, or it has been stopped; `done` is then
 * never called. */
int identity_check(struct identity *identity, struct credential_check *check);

/* End all checks that wait with IDENTITY_UNAVAILABLE, and accept no more. */
void identity_stop(struct identity *identity);

void identity_destroy(struct identity *identity);

/* Find the uid at the other end of a connected Unix socket. */
int identity_of_peer(int fd, uid_t *ret_uid, struct sp_error *err);
