/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client.c - HTTP requests to predictd, within a deadline
 *
 * Makes the parts of a request, which exchange.c sends.  Nothing is allocated
 * but the header with a MUNGE credential.
 */
#include <munge.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/client/client.h"
#include "predictor/client/exchange.h"

#define PATH_MAX_BYTES 2048
#define LINE_SIZE      (PATH_MAX_BYTES + ADDRESS_HOST_SIZE + 32)
#define HEADERS_SIZE   96

struct client {
	struct exchange exchange;
	bool authenticates; /* each request carries a MUNGE credential */
	munge_ctx_t munge;
	char *authorization; /* the header; NULL: none */
	double awake_s;      /* poll that long before sleeping */

	/* These are of the request under way: */
	char line[LINE_SIZE];
	char headers[HEADERS_SIZE];
};

static int set_up_munge(struct client *c, const char *munge_socket,
			struct sp_error *err)
{
	if (!munge_socket || c->exchange.address.socket_path[0])
		return 0;
	c->authenticates = true;
	c->munge = munge_ctx_create();
	if (!c->munge)
		return sp_error_set(err, "out of memory");
	if (*munge_socket &&
	    munge_ctx_set(c->munge, MUNGE_OPT_SOCKET, munge_socket))
		return sp_error_set(err, "MUNGE socket %.100s: %s",
				    munge_socket, munge_ctx_strerror(c->munge));
	return 0;
}

struct client *client_create(const char *url, const char *munge_socket,
			     struct sp_error *err)
{
	struct address address;

	if (address_parse(url, &address, err))
		return NULL;

	struct client *c = calloc(1, sizeof(*c));

	if (!c) {
		sp_error_set(err, "out of memory");
		return NULL;
	}
	c->exchange.fd = -1;
	c->exchange.address = address;
	if (exchange_limit(&c->exchange, CLIENT_REPLY_MAX))
		sp_error_set(err, "out of memory");
	else if (!set_up_munge(c, munge_socket, err))
		return c;
	client_destroy(c);
	return NULL;
}

int client_use_token(struct client *client, const char *token,
		     struct sp_error *err)
{
	char *line = NULL;

	if (client->exchange.address.socket_path[0])
		return 0;
	if (token[strcspn(token, "\r\n")])
		return sp_error_set(err, "the token has several lines");
	if (asprintf(&line, "Authorization: Bearer %s\r\n", token) < 0)
		return sp_error_set(err, "out of memory");
	free(client->authorization);
	client->authorization = line;
	client->authenticates = false;
	return 0;
}

void client_destroy(struct client *client)
{
	if (!client)
		return;
	exchange_clear(&client->exchange);
	if (client->munge)
		munge_ctx_destroy(client->munge);
	free(client->authorization);
	free(client);
}

int client_check_url(const char *url, struct sp_error *err)
{
	struct address address;

	return address_parse(url, &address, err);
}

void client_limit_reply(struct client *client, size_t size)
{
	(void)exchange_limit(&client->exchange, size);
}

void client_stay_awake(struct client *client, double seconds)
{
	/* Not on a single CPU, which predictd needs meanwhile. */
	client->awake_s = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? seconds : 0;
}

/* --- Requests ------------------------------------------------------------- */

/* Make the header with a MUNGE credential.  Its payload names the request, so
 * that it is of no use for another. */
static int make_credential(struct client *c, const char *method,
			   const char *path, struct sp_error *err)
{
	char payload[PATH_MAX_BYTES + 8];
	int length = snprintf(payload, sizeof(payload), "%s %s", method, path);
	char *credential = NULL;
	int rc = 0;

	free(c->authorization);
	c->authorization = NULL;
	if (munge_encode(&credential, c->munge, payload, length)) {
		rc = sp_error_set(err, "MUNGE: %s",
				  munge_ctx_strerror(c->munge));
	} else if (asprintf(&c->authorization, "Authorization: MUNGE %s\r\n",
			    credential) < 0) {
		c->authorization = NULL;
		rc = sp_error_set(err, "out of memory");
	}
	free(credential);
	return rc;
}

static struct iovec part_of(const char *text, size_t size)
{
	return (struct iovec){ (void *)(uintptr_t)text, size };
}

static void make_parts(struct client *c, const char *path, const char *body,
		       size_t size, struct iovec ret[EXCHANGE_PARTS])
{
	snprintf(c->line, sizeof(c->line), "%s %s HTTP/1.1\r\nHost: %s\r\n",
		 body ? "POST" : "GET", path, c->exchange.address.host);
	snprintf(c->headers, sizeof(c->headers), "\r\n");
	if (body)
		snprintf(c->headers, sizeof(c->headers),
			 "Content-Type: application/json\r\n"
			 "Content-Length: %zu\r\n\r\n",
			 size);
	ret[0] = part_of(c->line, strlen(c->line));
	ret[1] = part_of(c->authorization,
			 c->authorization ? strlen(c->authorization) : 0);
	ret[2] = part_of(c->headers, strlen(c->headers));
	ret[3] = part_of(body, body ? size : 0);
}

static bool is_path(const char *path)
{
	if (path[0] != '/' || strlen(path) >= PATH_MAX_BYTES)
		return false;
	for (; *path; path++)
		if ((unsigned char)*path <= ' ' || *path == 0x7f)
			return false;
	return true;
}

static int say_failure(const struct exchange *x, enum exchange_result result,
		       long deadline_ms, struct sp_error *err)
{
	switch (result) {
	case EXCHANGE_LATE:
		return sp_error_set(err, "no reply within %ld ms", deadline_ms);
	case EXCHANGE_TOO_LARGE:
		return sp_error_set(err, "the reply is larger than %zu bytes",
				    x->reply_max);
	case EXCHANGE_NOT_HTTP:
		return sp_error_set(err, "the reply is not HTTP");
	case EXCHANGE_NO_CONNECTION:
		return sp_error_set(err, "cannot connect: %s",
				    strerror(x->error));
	case EXCHANGE_STALE:
	case EXCHANGE_CUT:
	case EXCHANGE_DONE:
		break;
	}
	return sp_error_set(err, "the connection ended %s the reply",
			    result == EXCHANGE_CUT ? "within" : "before");
}

int client_request(struct client *client, const char *path, const char *body,
		   size_t size, long deadline_ms, struct client_reply *ret,
		   struct sp_error *err)
{
	struct exchange *x = &client->exchange;
	struct iovec parts[EXCHANGE_PARTS];

	x->deadline_s = clock_monotonic_s() + (double)deadline_ms * 1e-3;
	if (!is_path(path))
		return sp_error_set(err, "%.100s: not a path", path);
	if (client->authenticates &&
	    make_credential(client, body ? "POST" : "GET", path, err))
		return -1;
	make_parts(client, path, body, size, parts);
	x->sleep_at_s = clock_monotonic_s() + client->awake_s;

	enum exchange_result result = exchange_run(x, parts);

	if (result != EXCHANGE_DONE)
		return say_failure(x, result, deadline_ms, err);
	*ret = (struct client_reply){
		.status = x->head.status,
		.body = x->buffer + x->body_at,
		.size = x->body_size,
	};
	return 0;
}
