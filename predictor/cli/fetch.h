/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fetch.h - requests to predictd, and their replies */
#pragma once

#include "predictor/cli/cli.h"
#include "predictor/client/client.h"
#include "predictor/wire/wire.h"

/* Send `body` (NULL: a GET) to `path`.  *ret_reply is the parsed reply, to be
 * released with json_object_put().  Fails with the reason that predictd gave;
 * *ret_status (may be NULL) is then the status of HTTP, or 0 if there was no
 * reply. */
int fetch(struct cli *cli, const char *path, struct json_object *body,
	  struct json_object **ret_reply, int *ret_status,
	  struct sp_error *err);

/* The same, for a reply of up to `size` bytes. */
int fetch_large(struct cli *cli, const char *path, size_t size,
		struct json_object **ret_reply, struct sp_error *err);

/* Return the address of predictd, and with where it is from; lent. */
const char *fetch_url(struct cli *cli);
const struct predictd_url *fetch_address(struct cli *cli);

/* Return a client of it, for several requests. */
struct client *fetch_client(struct cli *cli, struct sp_error *err);

/* Fail with the first error of a reply (NULL: it has none), or with the meaning
 * of the status of HTTP. */
int fetch_refused(const char *path, int status, struct json_object *reply,
		  struct sp_error *err);

/* Print a reply as JSON; an object of our own gets the errors, warnings and
 * meta that each reply has. */
void reply_print(struct json_object *reply);

/* Values of an object, to be shown.  A missing text is "-", a missing number
 * NAN, a missing flag false. */
const char *reply_text(struct json_object *row, const char *name);
double reply_number(struct json_object *row, const char *name);
bool reply_flag(struct json_object *row, const char *name);

/* Return the array `name` of an object; NULL: there is none. */
struct json_object *reply_array(struct json_object *reply, const char *name);

/* Decode the member `prediction`. */
int reply_prediction(struct json_object *reply, struct prediction *ret,
		     struct sp_error *err);

/* Add members to an object of our own.  A number that is not finite is null;
 * an object or an array is returned, and belongs to the one it is added to. */
void reply_add_text(struct json_object *to, const char *name, const char *text);
void reply_add_number(struct json_object *to, const char *name, double number);
void reply_add_count(struct json_object *to, const char *name, size_t count);
void reply_add_flag(struct json_object *to, const char *name, bool flag);
struct json_object *reply_add_object(struct json_object *to, const char *name);
struct json_object *reply_add_array(struct json_object *to, const char *name);

/* Add the members of the struct at `from` that a table describes. */
void reply_add_fields(struct json_object *to, const struct field fields[],
		      const void *from);

/* Add an object to an array. */
struct json_object *reply_add_row(struct json_object *array);
