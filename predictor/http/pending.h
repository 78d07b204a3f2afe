/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pending.h - requests that wait for the store
 *
 * The thread of the server does not wait: the connection is suspended until a
 * thread of the store has the result.  A struct pending connects the two,
 * because either may end first: the store with its result, the server when it
 * is closed.
 *
 *	struct pending *p;
 *	int status = pending_begin(r, &p);
 *
 *	if (status)
 *		return status;
 *	if (ops->put_something(store, ..., stored, p, &err))
 *		pending_refuse(p, "not stored", &err);
 *	return REQUEST_LATER;
 *
 * and in stored():
 *
 *	struct request *r = pending_lock(p);
 *
 *	if (r)
 *		r->status = ...;
 *	pending_end(p);
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/models/next_request.h"

struct http;

struct pending {
	struct request *request;      /* NULL: the server was closed */
	struct pending *next, **link; /* among those of one server */
	/* The caller's own: */
	size_t records, missed;
	struct used_run like;
	double started_at_s;
};

/* Suspend the request.  0, or a status to return. */
int pending_begin(struct request *request, struct pending **ret);

/* Return the request, or NULL if the server was closed.  Holds a lock until
 * pending_end(): be quick. */
struct request *pending_lock(struct pending *pending);

/* Return whether the server was closed; `pending` has ended then. */
bool pending_given_up(struct pending *pending);

/* Send the reply, and free `pending`. */
void pending_end(struct pending *pending);

/* The store refused at once: reply that the request may be sent again.  `what`
 * is as in "not stored". */
void pending_refuse(struct pending *pending, const char *what,
		    const struct sp_error *why);

/* Reply after STORE_AGAIN or STORE_REFUSED.  Returns the status. */
int pending_failed(struct request *request, int rc, const char *what,
		   const struct sp_error *why);

/* Reply to all requests that wait, and refuse new ones. */
void pending_abandon(struct http *http);
