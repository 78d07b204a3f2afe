/* request.h - one HTTP request, from its first line to the reply
 *
 * What the functions of the routes table work on.  They run in a thread of the
 * server, one request of a listening socket at a time.
 */
#ifndef PREDICTOR_HTTP_REQUEST_H
#define PREDICTOR_HTTP_REQUEST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "predictor/base/error.h"
#include "predictor/http/http.h"
#include "predictor/http/identity.h"
#include "predictor/http/routes.h"
#include "predictor/wire/wire.h"

#define REQUEST_TARGET_SIZE  512 /* path and query */
#define REQUEST_PAYLOAD_SIZE (REQUEST_TARGET_SIZE + 8)

#define REQUEST_JSON_TYPE "application/json"

#define REQUEST_LATER 0 /* in place of a status: request_resume() will come */

struct MHD_Connection;

enum request_stage {
	STAGE_HEADERS,  /* nothing done yet */
	STAGE_IDENTITY, /* suspended until the credential was checked */
	STAGE_BODY,     /* its body arrives */
	STAGE_LATER,    /* suspended by the route's function */
	STAGE_REPLIED
};

struct request {
	struct http *http;
	struct MHD_Connection *connection;
	enum request_stage stage;
	double began_s; /* of the monotonic clock */

	const struct route *route; /* NULL: none fits */
	char captured[ROUTE_CAPTURE_SIZE];
	char allow[ROUTE_ALLOW_SIZE];

	struct identity_question question;
	uid_t uid; /* (uid_t)-1 where nobody needed to know */

	char *body; /* body_expected bytes; NULL: none */
	size_t body_size, body_expected;
	struct json_object *message; /* the body, parsed; NULL: not kept */

	/* The reply: JSON, unless `text` is set. */
	int status;
	struct json_object *reply;
	char *text;
	size_t text_size;
	const char *text_type;

	/* From here on not cleared when a request begins. */
	char target[REQUEST_TARGET_SIZE]; /* as sent; empty: too long */
	char payload[REQUEST_PAYLOAD_SIZE];
	/* To be stored once the reply has gone out; id empty: none. */
	struct prediction prediction;
};

/* Whether whoever asks sees what belongs to others. */
bool request_is_operator(const struct request *request);

/* The uid that lists are restricted to: UINT32_MAX for operators. */
uint32_t request_scope(const struct request *request);

/* Put `value` under `key` of the reply, which takes it.  NULL stands for "out
 * of memory". -1: memory ran out; return request_out_of_memory(). */
int request_add(struct request *request, const char *key,
		struct json_object *value);

/* Each gives a status to return at once; the error is in the reply. */
int request_fail(struct request *request, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int request_out_of_memory(struct request *request);

/* A value of the query, or NULL; lent. */
const char *request_query(struct request *request, const char *name);

/* The query's number `name`, or `fallback` where there is none. */
int request_query_number(struct request *request, const char *name,
			 uint32_t fallback, uint32_t *ret,
			 struct sp_error *err);

/* The same for a real number >= 0. */
int request_query_real(struct request *request, const char *name,
		       double fallback, double *ret, struct sp_error *err);

/* The query's text `name`, "" where there is none.  Fails if it is longer than
 * `size`. */
int request_query_text(struct request *request, const char *name, char *ret,
		       size_t size, struct sp_error *err);

/* Say later.  request_resume() may be called by any thread, even before the
 * route's function has returned, once; request->status must be set by then. */
void request_suspend(struct request *request);
void request_resume(struct request *request);

/* A JSON number; null if it is not finite.  *ret_failed becomes true when
 * memory ran out. */
struct json_object *request_number(double value, bool *ret_failed);

/* For server.c. */
struct request *request_create(struct http *http,
			       struct MHD_Connection *connection,
			       const char *target);
void request_destroy(struct request *request);

#endif
