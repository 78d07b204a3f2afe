/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credential.h - a MUNGE credential that is good for one probe only
 *
 * It says which node wants what of which other, in which slot, and carries the
 * number that the other has just made up: whoever overhears it can use it
 * nowhere, and never again.  It can be read only by the user that made it, and
 * is refused from any other user: users' jobs cannot make probes.
 */
#ifndef COLLECTORS_PROBES_CREDENTIAL_H
#define COLLECTORS_PROBES_CREDENTIAL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "predictor/base/error.h"
#include "predictor/base/hostlist.h"

#define CREDENTIAL_MAX   4096 /* bytes; ours are about 300 */
#define CREDENTIAL_TTL_S 30

#define NONCE_SIZE 33 /* 128 bits as hexadecimal digits */

struct claim {
	char role[8]; /* "call" or "answer" */
	char from[HOSTLIST_NAME_SIZE];
	char to[HOSTLIST_NAME_SIZE];
	uint64_t slot;
	char challenge[NONCE_SIZE]; /* what the other side has made up */
	char own[NONCE_SIZE];       /* what this side has, for the answer */
};

/* A number that nobody can foresee. */
int nonce_make(char ret[NONCE_SIZE], struct sp_error *err);

/* `munge_socket`: NULL or empty is MUNGE's default.  The caller frees. */
char *credential_make(const char *munge_socket, const struct claim *claim,
		      struct sp_error *err);

/* What the credential claims, if it is genuine, young, and made by `uid`. */
int credential_read(const char *munge_socket, const char *text, uid_t uid,
		    struct claim *ret, struct sp_error *err);

#endif
