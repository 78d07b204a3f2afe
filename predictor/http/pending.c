/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pending.c - requests that wait for the store
 *
 * One lock guards the lists of all servers.  A reply is made under it, so that
 * the server is not closed meanwhile; what the reply reads has locks of a later
 * rank.
 */
#include <stdlib.h>

#include "predictor/base/ordered_lock.h"
#include "predictor/http/pending.h"
#include "predictor/http/request.h"
#include "predictor/http/server.h"

static struct ordered_lock lock = ORDERED_LOCK_INITIALIZER(LOCK_PENDING);

static void pending_link(struct pending *p, struct http *http)
{
	p->next = http->pending;
	p->link = &http->pending;
	if (p->next)
		p->next->link = &p->next;
	http->pending = p;
}

int pending_begin(struct request *request, struct pending **ret)
{
	struct http *http = request->http;
	struct pending *p = calloc(1, sizeof(*p));

	if (!p)
		return request_out_of_memory(request);
	p->request = request;

	ordered_lock_take(&lock);
	if (http->closing) {
		ordered_lock_give(&lock);
		free(p);
		return request_fail(request, 503, "predictd is shutting down");
	}
	pending_link(p, http);
	request_suspend(request);
	ordered_lock_give(&lock);
	*ret = p;
	return 0;
}

struct request *pending_lock(struct pending *pending)
{
	ordered_lock_take(&lock);
	return pending->request;
}

bool pending_given_up(struct pending *pending)
{
	if (pending_lock(pending)) {
		ordered_lock_give(&lock);
		return false;
	}
	pending_end(pending);
	return true;
}

void pending_end(struct pending *pending)
{
	struct request *r = pending->request;

	if (r) {
		*pending->link = pending->next;
		if (pending->next)
			pending->next->link = pending->link;
		request_resume(r);
	}
	ordered_lock_give(&lock);
	free(pending);
}

void pending_refuse(struct pending *pending, const char *what,
		    const struct sp_error *why)
{
	struct request *r = pending_lock(pending);

	if (r)
		r->status = pending_failed(r, STORE_AGAIN, what, why);
	pending_end(pending);
}

int pending_failed(struct request *request, int rc, const char *what,
		   const struct sp_error *why)
{
	return request_fail(request, rc == STORE_REFUSED ? 400 : 503, "%s: %s",
			    what, why->text);
}

void pending_abandon(struct http *http)
{
	ORDERED_LOCK_HOLD(&lock);
	http->closing = true;
	for (struct pending *p = http->pending; p; p = p->next) {
		p->request->status = request_fail(p->request, 503,
						  "predictd is shutting down");
		request_resume(p->request);
		p->request = NULL;
	}
	http->pending = NULL;
}
