/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client.h - HTTP requests to predictd, within a deadline
 *
 * One client holds one kept-alive connection; it belongs to one thread at a
 * time.  A request never takes longer than its deadline (within the precision
 * of the kernel's timer), whatever the server does; a reply above the limit is
 * refused as soon as it exceeds it.  No name is ever resolved: hosts are
 * numeric addresses, or "localhost", which stands for 127.0.0.1.  Starts no
 * thread.
 *
 * The deadline covers the exchange with predictd.  A MUNGE credential, if
 * needed, is made by the local munged before that; libmunge has its own timeout
 * for munged.  What it uses of the deadline, predictd does not get.
 */
#pragma once

#include <stddef.h>

#include "predictor/base/error.h"

#define CLIENT_REPLY_MAX (1 << 20)
#define CLIENT_URL_SIZE  256

struct client;

/* `url`: "unix:/run/slurm-predict/predictd.sock" or "http://127.0.0.1:7380".
 * Over TCP each request carries a MUNGE credential if `munge_socket` is not
 * NULL ("" is MUNGE's own default).  Connects at the first request. */
struct client *client_create(const char *url, const char *munge_socket,
			     struct sp_error *err);

/* Over TCP, send this JSON Web Token instead of MUNGE credentials. */
int client_use_token(struct client *client, const char *token,
		     struct sp_error *err);

void client_destroy(struct client *client);

/* 0 if client_create() accepts it. */
int client_check_url(const char *url, struct sp_error *err);

/* Refuse replies above `size` bytes, instead of above CLIENT_REPLY_MAX.  If
 * memory for a larger limit cannot be allocated, CLIENT_REPLY_MAX remains. */
void client_limit_reply(struct client *client, size_t size);

/* Poll for each reply for up to this long before sleeping, which avoids the
 * time that a CPU takes to wake up. */
void client_stay_awake(struct client *client, double seconds);

struct client_reply {
	int status;       /* of HTTP: 200, ... */
	const char *body; /* terminated; lent until the next request */
	size_t size;
};

/* Send `body` (NULL: a GET) to `path` and read the whole reply.  0 if there
 * was a reply, of any status; -1 if there was none in time. */
int client_request(struct client *client, const char *path, const char *body,
		   size_t size, long deadline_ms, struct client_reply *ret,
		   struct sp_error *err);
