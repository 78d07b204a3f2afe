/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proof.c - what a request proves its user by */
#include <microhttpd.h>
#include <string.h>
#include <strings.h>

#include "predictor/http/server.h"
#include "predictor/http/proof.h"

static const char *header_of(struct request *r, const char *name)
{
	return MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND,
					   name);
}

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
	return header_of(r, config->proxy_header);
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

enum proof_place proof_find(struct request *r, bool is_unix)
{
	const char *value = is_unix ? NULL : proxied_name(r);

	if (value)
		return credential_set(r, IDENTITY_NAME, value);
	value = header_of(r, MHD_HTTP_HEADER_AUTHORIZATION);
	if (value)
		return of_scheme(r, value);
	value = header_of(r, "X-SLURM-USER-TOKEN");
	if (value)
		return credential_set(r, IDENTITY_TOKEN, value);
	return is_unix ? PROOF_PEER : PROOF_MISSING;
}
