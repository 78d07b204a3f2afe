/* pending.h - requests that wait for the store
 *
 * The reply waits, the thread does not: the connection is suspended until one
 * of the store's threads has the answer.  A struct pending stands between the
 * two, because either may go first: the store when it answers, the server when
 * it is closed.
 *
 *	struct pending *p;
 *	int status = pending_begin(r, &p);
 *
 *	if (status)
 *		return status;
 *	if (ops->put_something(store, ..., answered, p, &err))
 *		pending_refuse(p, "not stored", &err);
 *	return REQUEST_LATER;
 *
 * and in answered():
 *
 *	struct request *r = pending_lock(p);
 *
 *	if (r)
 *		r->status = ...;
 *	pending_end(p);
 */
#ifndef PREDICTOR_HTTP_PENDING_H
#define PREDICTOR_HTTP_PENDING_H

#include <stddef.h>

#include "predictor/base/error.h"

struct http;
struct request;

struct pending {
	struct request *request;      /* NULL: nobody waits any more */
	struct pending *next, **link; /* among those of one server */
	size_t records;               /* the caller's own */
};

/* Suspend the request.  0, or a status to return. */
int pending_begin(struct request *request, struct pending **ret);

/* The request, if somebody still waits for it, else NULL.  Until pending_end()
 * no other request can be answered: be quick. */
struct request *pending_lock(struct pending *pending);

/* Let the reply go out; frees. */
void pending_end(struct pending *pending);

/* The store did not take it: answer that it may be sent again.  `what` is as in
 * "not stored". */
void pending_refuse(struct pending *pending, const char *what,
		    const struct sp_error *why);

/* The status, and reply, for what the store (a STORE_AGAIN or STORE_REFUSED)
 * did not do. */
int pending_failed(struct request *request, int rc, const char *what,
		   const struct sp_error *why);

/* Answer all requests that wait, and let none wait any more. */
void pending_abandon(struct http *http);

#endif
