/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credential.h - a MUNGE credential that is good for one probe only
 *
 * It names both nodes, their roles and the slot, and carries the nonce that the
 * other side has just sent: replayed, it is worthless.  It can be decoded only
 * by the user that made it, and is refused from any other user: users' jobs
 * cannot probe.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "predictor/base/error.h"
#include "predictor/base/hostlist.h"

#define CREDENTIAL_MAX   4096 /* bytes; ours are about 300 */
#define CREDENTIAL_TTL_S 30

#define NONCE_SIZE 33 /* 128 bits as hexadecimal digits */

struct claim {
	char role[8]; /* "call" or "answer" */
	char from[HOSTLIST_NAME_SIZE], to[HOSTLIST_NAME_SIZE];
	uint64_t slot;
	char challenge[NONCE_SIZE]; /* nonce of the other side */
	char own[NONCE_SIZE];       /* nonce of this side, for the reply */
};

/* Make an unpredictable number. */
int nonce_make(char ret[NONCE_SIZE], struct sp_error *err);

/* `munge_socket`: NULL or empty is MUNGE's default.  The caller frees. */
char *credential_make(const char *munge_socket, const struct claim *claim,
		      struct sp_error *err);

/* Read the claim of a credential that is genuine, recent, and made
 * by `uid`. */
int credential_read(const char *munge_socket, const char *text, uid_t uid,
		    struct claim *ret, struct sp_error *err);
