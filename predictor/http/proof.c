/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proof.c - what a request proves its user by */
#include <math.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "predictor/http/charge.h"
#include "predictor/http/proof.h"
#include "predictor/http/server.h"

enum proof_place {
	PROOF_CREDENTIAL, /* r->check has the proof and its credential */
	PROOF_PEER,       /* none was sent: the other end of the Unix socket */
	PROOF_MISSING     /* none that is understood */
};

/* Return the name that a proxy sends; NULL: the client is not one, or
 * sends none. */
static const char *proxied_name(struct request *r)
{
	const struct http_config *config = &r->http->config;
	const union MHD_ConnectionInfo *info;

	if (!config->proxies || !config->proxies->count)
		return NULL;
	info = MHD_get_connection_info(r->connection,
				       MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	if (!info || !info->client_addr ||
	    !proxies_have(config->proxies, info->client_addr))
		return NULL;
	return request_header(r, config->proxy_header);
}

static enum proof_place credential_set(struct request *r,
				       enum identity_proof proof,
				       const char *credential)
{
	if (!credential[0] || strlen(credential) > IDENTITY_CREDENTIAL_MAX)
		return PROOF_MISSING;
	r->check.proof = proof;
	r->check.credential = credential;
	return PROOF_CREDENTIAL;
}

static enum proof_place of_scheme(struct request *r, const char *header)
{
	static const struct {
		const char *name;
		enum identity_proof proof;
	} schemes[] = { { "MUNGE ", IDENTITY_MUNGE },
			{ "Bearer ", IDENTITY_TOKEN } };

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		size_t length = strlen(schemes[i].name);

		if (!strncasecmp(header, schemes[i].name, length))
			return credential_set(r, schemes[i].proof,
					      header + length);
	}
	return PROOF_MISSING;
}

/* In this order: the name that a trusted proxy sends, the Authorization header
 * (MUNGE or Bearer), Slurm's X-SLURM-USER-TOKEN, the Unix socket. */
static enum proof_place find_place(struct request *r, bool is_unix)
{
	const char *value = is_unix ? NULL : proxied_name(r);

	if (value)
		return credential_set(r, IDENTITY_NAME, value);
	value = request_header(r, MHD_HTTP_HEADER_AUTHORIZATION);
	if (value)
		return of_scheme(r, value);
	value = request_header(r, "X-SLURM-USER-TOKEN");
	if (value)
		return credential_set(r, IDENTITY_TOKEN, value);
	return is_unix ? PROOF_PEER : PROOF_MISSING;
}

/* --- The uid -------------------------------------------------------------- */

static void identity_checked(struct credential_check *check)
{
	struct request *r = (struct request *)((char *)check -
					       offsetof(struct request, check));

	request_resume(r);
}

int proof_of_peer(struct request *r)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		r->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct sp_error err;

	if (info && !identity_of_peer(info->connect_fd, &r->uid, &err))
		return 0;
	return request_fail(r, 401, "unauthorized");
}

bool proof_is_sent(struct request *r)
{
	return find_place(r, false) == PROOF_CREDENTIAL;
}

int proof_check(struct request *r, const char *method, bool is_unix)
{
	switch (find_place(r, is_unix)) {
	case PROOF_CREDENTIAL:
		break;
	case PROOF_PEER:
		return proof_of_peer(r);
	case PROOF_MISSING:
		return request_fail(r, 401, "unauthorized");
	}
	if (snprintf(r->payload, sizeof(r->payload), "%s %s", method,
		     r->target) >= (int)sizeof(r->payload))
		return request_fail(r, 414, "the path is too long");
	r->check.payload = r->payload;
	r->check.late = address_is_spent(r);
	r->check.done = identity_checked;
	r->stage = STAGE_IDENTITY;
	http_connection_allow(r->connection, INFINITY);
	request_suspend(r);
	if (identity_check(r->http->identity, &r->check)) {
		r->check.verdict = IDENTITY_UNAVAILABLE;
		request_resume(r);
	}
	return 0;
}

static bool may_be_proxied(struct request *r)
{
	struct http *http = r->http;

	pthread_rwlock_rdlock(&http->access_lock);
	bool yes = access_may_be_proxied(&http->access, r->check.uid);
	pthread_rwlock_unlock(&http->access_lock);
	return yes;
}

int proof_checked(struct request *r)
{
	if (r->check.verdict == IDENTITY_KNOWN &&
	    r->check.proof == IDENTITY_NAME && !may_be_proxied(r))
		r->check.verdict = IDENTITY_REFUSED;
	switch (r->check.verdict) {
	case IDENTITY_KNOWN:
		r->uid = r->check.uid;
		return http_connection_prove(r->connection, r->uid,
					     request_is_trusted(r))
			       ? 0
			       : request_fail(r, 429,
					      "too many connections of this "
					      "user (UserConnections)");
	case IDENTITY_UNAVAILABLE:
		return request_fail(r, 503, "cannot check credentials now");
	case IDENTITY_REFUSED:
		http_connection_disprove(r->connection);
		break;
	}

	int refused = charge_address(r);

	/* A scraper may send a token that another server wants. */
	if (refused || r->route->role == ROLE_ANYBODY)
		return refused;
	return request_fail(r, 401, "unauthorized");
}
