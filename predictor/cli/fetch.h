/* fetch.h - a question to predictd, and its answer or the reason for none */
#ifndef PREDICTOR_CLI_FETCH_H
#define PREDICTOR_CLI_FETCH_H

#include "predictor/cli/cli.h"
#include "predictor/client/client.h"
#include "predictor/wire/wire.h"

/* Send `body` (NULL: a GET) to `path`.  *ret_reply is the parsed reply, to be
 * released with json_object_put().  Fails with what predictd gave as its
 * reason; *ret_status (may be NULL) is then the status of HTTP, or 0 if there
 * was no answer. */
int ask(struct cli *cli, const char *path, struct json_object *body,
	struct json_object **ret_reply, int *ret_status, struct sp_error *err);

/* Where predictd listens; lent. */
const char *ask_url(struct cli *cli);

/* A client of it, for more than one question. */
struct client *ask_client(struct cli *cli, struct sp_error *err);

/* Fail with the first error of a reply (NULL: it was none), or with what
 * HTTP's status says. */
int ask_refused(const char *path, int status, struct json_object *reply,
		struct sp_error *err);

/* Print a reply for programs. */
void ask_print(struct json_object *reply);

/* Values of a row that is shown, not calculated with.  A text that is missing
 * is "-", a number NAN. */
const char *ask_text(struct json_object *row, const char *name);
double ask_number(struct json_object *row, const char *name);

/* The array `name` of a reply; NULL: there is none. */
struct json_object *ask_array(struct json_object *reply, const char *name);

#endif
