/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credential.c - a MUNGE credential that is good for one probe only */
#include <errno.h>
#include <inttypes.h>
#include <munge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "collectors/probes/credential.h"
#include "predictor/base/piece.h"

#define CLAIM_SIZE 320

int nonce_make(char ret[NONCE_SIZE], struct sp_error *err)
{
	unsigned char bytes[(NONCE_SIZE - 1) / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return sp_error_set(err, "no random numbers: %s",
				    strerror(errno));
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

static munge_ctx_t open_context(const char *munge_socket, struct sp_error *err)
{
	munge_ctx_t context = munge_ctx_create();

	if (!context)
		return sp_error_null(err, "MUNGE: out of memory");
	if (munge_socket && munge_socket[0] &&
	    munge_ctx_set(context, MUNGE_OPT_SOCKET, munge_socket)) {
		sp_error_set(err, "MUNGE: %s: %s", munge_socket,
			     munge_ctx_strerror(context));
		munge_ctx_destroy(context);
		return NULL;
	}
	return context;
}

char *credential_make(const char *munge_socket, const struct claim *claim,
		      struct sp_error *err)
{
	char text[CLAIM_SIZE];
	char *credential = NULL;
	munge_ctx_t context = open_context(munge_socket, err);
	int length = snprintf(text, sizeof(text),
			      "slurm-predict-probe %s %s %s %" PRIu64 " %s %s",
			      claim->role, claim->from, claim->to, claim->slot,
			      claim->challenge, claim->own);

	if (!context)
		return NULL;
	if (munge_ctx_set(context, MUNGE_OPT_TTL, CREDENTIAL_TTL_S) ||
	    munge_ctx_set(context, MUNGE_OPT_UID_RESTRICTION, geteuid()) ||
	    munge_encode(&credential, context, text, length)) {
		sp_error_set(err, "MUNGE: %s", munge_ctx_strerror(context));
		free(credential);
		credential = NULL;
	}
	munge_ctx_destroy(context);
	return credential;
}

static int claim_parse(const char *text, struct claim *ret,
		       struct sp_error *err)
{
	struct claim claim;
	int end = 0;

	if (sscanf(text,
		   "slurm-predict-probe %7s %63s %63s %" SCNu64
		   " %32[0-9a-f] %32[0-9a-f]%n",
		   claim.role, claim.from, claim.to, &claim.slot,
		   claim.challenge, claim.own, &end) != 6 ||
	    text[end])
		return sp_error_set(err, "the credential is not for a probe");
	*ret = claim;
	return 0;
}

int credential_read(const char *munge_socket, const char *text, uid_t uid,
		    struct claim *ret, struct sp_error *err)
{
	munge_ctx_t context = open_context(munge_socket, err);
	char payload[CLAIM_SIZE];
	void *bytes = NULL;
	int size = 0, rc = -1;
	uid_t by;
	gid_t group;

	if (!context)
		return -1;

	munge_err_t why =
		munge_decode(text, context, &bytes, &size, &by, &group);

	if (why != EMUNGE_SUCCESS) {
		sp_error_set(err, "MUNGE: %s", munge_strerror(why));
	} else if (by != uid) {
		sp_error_set(err, "the credential is of user %u", by);
	} else if (size <= 0 || memchr(bytes, '\0', (size_t)size) ||
		   !piece_copy(payload, sizeof(payload), bytes, (size_t)size)) {
		sp_error_set(err, "the credential is not for a probe");
	} else {
		rc = claim_parse(payload, ret, err);
	}
	free(bytes);
	munge_ctx_destroy(context);
	return rc;
}
