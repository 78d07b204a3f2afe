/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request.h - one HTTP request, from its first line to the reply
 *
 * The functions of the routes table work on it.  They run in the threads of
 * the listening sockets, several requests at a time.
 */
#pragma once

#include <sys/types.h>

#include "predictor/base/error.h"
#include "predictor/http/gate/identity.h"
#include "predictor/http/http.h"
#include "predictor/http/routes.h"
#include "predictor/wire/wire.h"

#define REQUEST_TARGET_SIZE  512 /* path and query */
#define REQUEST_PAYLOAD_SIZE (REQUEST_TARGET_SIZE + 8)

#define REQUEST_JSON_TYPE "application/json"

#define REQUEST_LATER 0 /* not a status: request_resume() will be called */

enum request_stage {
	STAGE_HEADERS,  /* not handled yet */
	STAGE_IDENTITY, /* suspended until the credential is checked */
	STAGE_BODY,     /* receiving the body */
	STAGE_LATER, /* the route's function was called, may have suspended */
	STAGE_REPLIED
};

struct request {
	struct http *http;
	struct MHD_Connection *connection;
	enum request_stage stage;
	double began_s; /* of the monotonic clock */

	const struct route *route; /* NULL: none matches */
	char captured[ROUTE_CAPTURE_SIZE], allow[ROUTE_ALLOW_SIZE];

	struct credential_check check;
	uid_t uid; /* (uid_t)-1: not needed, not known */

	char *body; /* body_expected bytes; NULL: none */
	size_t body_size, body_expected;
	bool charged;                     /* to the budget of the user */
	struct trace_places *trace_place; /* trace_places.h; NULL: none */
	struct json_object *message;      /* the body, parsed; NULL: not kept */

	bool plain; /* it wants no more than an ordinary user sees */

	/* The reply: JSON, unless `text` or `file` is set. */
	int status;
	struct json_object *reply;
	char *text;
	size_t text_size;
	const char *text_type;
	const struct web_file *file;
	/* The reply is kept, or will be: it is the same for all in `scope`. */
	struct kept_text *kept;
	bool keeps;
	uint64_t scope;

	/* The members from here on are not cleared when a request begins. */
	char target[REQUEST_TARGET_SIZE]; /* as sent; empty: too long */
	char payload[REQUEST_PAYLOAD_SIZE];
	/* To be stored once the reply has been sent; id empty: none. */
	struct prediction prediction;
};

/* Return whether the client has that role, whether it declines it or not. */
bool request_has_role(const struct request *request, enum role role);

/* Return whether the client may see what belongs to other users, and does not
 * decline it (X-Predict-Role: user). */
bool request_is_operator(const struct request *request);

/* Return whether the client is an operator or a collector: it has
 * no budget. */
bool request_is_trusted(const struct request *request);

/* Return whether the client may see the state of that cluster's nodes. */
bool request_sees_nodes(const struct request *request, const char *cluster);

/* 0, or the status of a refusal, if it may not. */
int request_check_nodes(struct request *request, const char *cluster);

/* What a client may see of a job; predictd(8) has the table. */
enum sight {
	SEES_NOTHING,
	SEES_TIMES, /* when it starts and ends, and what squeue shows */
	SEES_ALL    /* application and parameters, too, and what it used */
};

/* Return whether the client may see that others have jobs in the queue. */
bool request_sees_queue(const struct request *request, const char *cluster);

/* Return what the client may see of a job of that user and cluster. */
enum sight request_sight(const struct request *request, uint32_t user_id,
			 const char *cluster, bool ended);

/* Find whose ended runs `user` of the query names (NULL: `fallback`): "self",
 * or, for operators alone, "all", a name or a uid, which becomes *ret_user.
 * 0, or the status of a refusal. */
int request_whose(struct request *request, const char *fallback,
		  uint32_t *ret_user_id, char ret_user[RUN_NAME_SIZE]);

/* Return the uid that lists are restricted to: UINT32_MAX for operators. */
uint32_t request_scope(const struct request *request);

/* Decode the body, as the request of a prediction.  The texts of *ret are
 * valid as long as `request`. */
int request_decode(struct request *request, struct wire_request *ret,
		   struct sp_error *err);

/* Add `value` to the reply, which takes it.  NULL stands for "out of memory".
 * -1: memory ran out; return request_out_of_memory(). */
int request_add(struct request *request, const char *key,
		struct json_object *value);

/* Add the last value and return the status: 200, or that memory ran out. */
int request_reply(struct request *request, const char *key,
		  struct json_object *value);

/* Each puts an error, with the status as a word, into the reply and gives the
 * status to return. */
int request_fail(struct request *request, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int request_out_of_memory(struct request *request);

/* Return a header, or NULL; lent. */
const char *request_header(const struct request *request, const char *name);

/* Return a parameter of the query string, or NULL; lent. */
const char *request_query(struct request *request, const char *name);

/* Read a whole number, in digits alone.  -1: it is none, or above `max`. */
int request_parse_number(const char *text, uint64_t max, uint64_t *ret);

/* Find a number of the query string, or `fallback` if it is not there. */
int request_query_number(struct request *request, const char *name,
			 uint32_t fallback, uint32_t *ret,
			 struct sp_error *err);

/* The same for a real number >= 0. */
int request_query_real(struct request *request, const char *name,
		       double fallback, double *ret, struct sp_error *err);

/* Find a text of the query string, "" if it is not there.  Fails if it is
 * longer than `size`. */
int request_query_text(struct request *request, const char *name, char *ret,
		       size_t size, struct sp_error *err);

/* Return whether the same request was answered within the last second, to
 * somebody who sees the same: then this is the reply, of status 200.  Else the
 * reply that is made now is kept, if it is large (kept_texts.h). */
bool request_is_kept(struct request *request, uint64_t scope);

/* Reply later.  request_resume() must be called once, by any thread, even
 * before the route's function has returned; request->status must be set
 * by then. */
void request_suspend(struct request *request);
void request_resume(struct request *request);

/* For server.c. */
struct request *request_create(struct http *http,
			       struct MHD_Connection *connection,
			       const char *target);
void request_destroy(struct request *request);
