/* runs.c - take in finished runs, and say so when they are stored
 *
 * The reply waits, the thread does not: the connection is suspended until the
 * store's thread has called committed().  A struct commit stands between the
 * two, because either may go first: the store when it answers, the server when
 * it is closed.  One lock guards all of them.
 */
#include <pthread.h>
#include <stdlib.h>

#include "predictor/http/handlers.h"
#include "predictor/http/request.h"
#include "predictor/http/server.h"
#include "predictor/wire/wire.h"

struct commit {
	struct request *request; /* NULL: nobody waits any more */
	size_t records;
	struct commit *next, **link; /* among those of one server */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* All with the lock held. */
static void commit_link(struct commit *c, struct http *http)
{
	c->next = http->commits;
	c->link = &http->commits;
	if (c->next)
		c->next->link = &c->next;
	http->commits = c;
}

static void commit_unlink(struct commit *c)
{
	*c->link = c->next;
	if (c->next)
		c->next->link = c->link;
	c->request = NULL;
}

static void reply_stored(struct request *r, size_t records)
{
	r->status = 200;
	if (request_add(r, "stored", json_object_new_int64((int64_t)records)))
		r->status = request_out_of_memory(r);
}

static void committed(void *context, int rc, const struct sp_error *why)
{
	struct commit *c = context;

	pthread_mutex_lock(&lock);
	struct request *r = c->request;

	if (r) {
		if (rc == STORE_STORED)
			reply_stored(r, c->records);
		else
			r->status =
				request_fail(r, rc == STORE_REFUSED ? 400 : 503,
					     "not stored: %s", why->text);
		commit_unlink(c);
		request_resume(r);
	}
	pthread_mutex_unlock(&lock);
	free(c);
}

void runs_abandon(struct http *http)
{
	pthread_mutex_lock(&lock);
	http->closing = true;
	for (struct commit *c = http->commits; c; c = c->next) {
		c->request->status =
			request_fail(c->request, 503, "predictd is ending");
		request_resume(c->request);
		c->request = NULL;
	}
	http->commits = NULL;
	pthread_mutex_unlock(&lock);
}

/* Suspend the request and hand `report` to the store; 0, or a status. */
static int hand_over(struct request *r, const struct store_report *report,
		     size_t records)
{
	struct http *http = r->http;
	struct commit *c = malloc(sizeof(*c));
	struct sp_error err;

	if (!c)
		return request_out_of_memory(r);
	c->request = r;
	c->records = records;

	pthread_mutex_lock(&lock);
	if (http->closing) {
		pthread_mutex_unlock(&lock);
		free(c);
		return request_fail(r, 503, "predictd is ending");
	}
	commit_link(c, http);
	request_suspend(r);
	pthread_mutex_unlock(&lock);

	if (!http->config.store_ops->put_report(http->config.store, report,
						committed, c, &err))
		return REQUEST_LATER;

	/* It will never be called: answer in its place, by the same way. */
	err.text[sizeof(err.text) - 1] = '\0';
	committed(c, STORE_AGAIN, &err);
	return REQUEST_LATER;
}

int runs_store(struct request *r)
{
	struct json_object *message;
	struct wire_report report = { 0 };
	struct sp_error err;
	int status = 0;

	message = wire_parse(r->body ? r->body : "", r->body_size, &err);
	if (!message || wire_report_decode(message, &report, &err)) {
		json_object_put(message);
		return request_fail(r, 400, "%s", err.text);
	}
	json_object_put(message);

	size_t records = report.runs_count + report.shares_count;

	for (size_t i = 0; i < report.runs_count; i++)
		engine_complete_run(r->http->config.engine, &report.runs[i]);
	if (report.measurements_count) {
		status = request_fail(r, 400, "measurements: not taken here");
	} else if (records == 0) {
		status = request_fail(r, 400, "neither runs nor shares");
	} else {
		struct store_report stored = {
			.runs_count = report.runs_count,
			.shares_count = report.shares_count,
			.runs = report.runs,
			.shares = report.shares,
		};

		status = hand_over(r, &stored, records);
	}
	wire_report_clear(&report);
	return status;
}
