/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exchange.h - a request to predictd and its reply, on a kept connection
 *
 * A request is one write and, as a rule, one read.  Sockets are nonblocking:
 * the only waits are those for a socket to be ready, which end at the deadline.
 * Nothing is allocated.
 */
#pragma once

#include <stddef.h>
#include <sys/uio.h>

#include "predictor/client/address.h"
#include "predictor/client/reply_head.h"

#define EXCHANGE_PARTS 4 /* of a request, which are sent together */

enum exchange_result {
	EXCHANGE_DONE,
	EXCHANGE_LATE,  /* at the deadline */
	EXCHANGE_STALE, /* the connection ended before a byte of the reply */
	EXCHANGE_CUT,   /* the connection ended within the reply */
	EXCHANGE_TOO_LARGE,
	EXCHANGE_NOT_HTTP,
	EXCHANGE_NO_CONNECTION
};

struct exchange {
	struct address address;
	int fd;           /* -1: not connected */
	char *buffer;     /* holds the heads, the body and a terminator */
	size_t reply_max; /* bytes of a body */

	/* Set for each request; by clock_monotonic_s(). */
	double deadline_s;
	double sleep_at_s; /* until then, poll without sleeping */

	/* These are of the last reply: */
	struct reply_head head;
	size_t used;      /* of the buffer */
	size_t body_at;   /* in the buffer; terminated */
	size_t body_size; /* bytes */
	int error;        /* of errno: why there is no connection */
};

/* Take replies of up to `reply_max` bytes.  -1: out of memory; nothing
 * was changed. */
int exchange_limit(struct exchange *x, size_t reply_max);

/* Send the parts and read the reply. */
enum exchange_result exchange_run(struct exchange *x,
				  const struct iovec parts[EXCHANGE_PARTS]);

void exchange_clear(struct exchange *x); /* closes and frees */
