/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fetch.c - requests to predictd, and their replies
 *
 * A reply that is not of status 200 becomes an
 * error with predictd's own reason.  The reply_ functions read a row of a
 * parsed reply, with "-" or NAN for what is not there.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/cli/fetch.h"

#define DEADLINE_MS 10000 /* a person can wait longer than slurmctld */

const char *fetch_url(struct cli *cli)
{
	return fetch_address(cli)->text;
}

const struct predictd_url *fetch_address(struct cli *cli)
{
	const char *variable = getenv("PREDICTD_URL");
	bool given = cli->url || (variable && *variable);
	static const struct slurm_config none;

	predictd_url_find(cli->url, variable, given ? &none : cli_site(cli),
			  &cli->address);
	return &cli->address;
}

struct client *fetch_client(struct cli *cli, struct sp_error *err)
{
	const char *url = fetch_url(cli);
	const char *token = getenv("SLURM_JWT");
	struct client *client = client_create(
		url,
		strncmp(url, "unix:", 5) == 0 ? NULL
					      : cli_site(cli)->munge_socket,
		err);

	if (client && token && *token && client_use_token(client, token, err)) {
		client_destroy(client);
		return NULL;
	}
	return client;
}

int fetch_refused(const char *path, int status, struct json_object *reply,
		  struct sp_error *err)
{
	struct json_object *errors = reply_array(reply, "errors");
	struct json_object *first =
		errors ? json_object_array_get_idx(errors, 0) : NULL;
	const char *text = first ? reply_text(first, "error") : "-";

	if (status == 403 && (!first || !strcmp(text, "forbidden")))
		return sp_error_set(err,
				    "%s: forbidden: only for operators, whom "
				    "Operators= in predict.conf names",
				    path);
	if (strcmp(text, "-") != 0)
		return sp_error_set(err, "%s", text);
	if (status == 401)
		return sp_error_set(err,
				    "predictd: %s: no permission: hosts need "
				    "the same MUNGE key, and clocks that agree",
				    path);
	return sp_error_set(err, "predictd: %s: status %d", path, status);
}

/* As fetch(), with the text of a body (NULL: a GET), for a reply of up to
 * `most` bytes. */
static int fetch_text(struct cli *cli, const char *path, const char *body,
		      size_t most, struct json_object **ret_reply,
		      int *ret_status, struct sp_error *err)
{
	const char *url = fetch_url(cli);
	struct client *client = fetch_client(cli, err);
	struct json_object *message = NULL;
	struct client_reply reply = { .status = 0 };
	struct sp_error why;
	int rc = -1;

	if (client && most > CLIENT_REPLY_MAX)
		client_limit_reply(client, most);
	cli_note(cli, "request: %s%s", url, path);
	if (client &&
	    client_request(client, path, body, body ? strlen(body) : 0,
			   DEADLINE_MS, &reply, &why)) {
		reply.status = 0;
		sp_error_set(err, "predictd at %s: %s", url, why.text);
	} else if (client) {
		cli->refused = reply.status == 400;
		message = wire_parse(reply.body, reply.size, err);
		if (reply.status >= 200 && reply.status < 300)
			rc = message ? 0 : -1;
		else
			fetch_refused(path, reply.status, message, err);
	}
	if (ret_status)
		*ret_status = reply.status;
	if (rc)
		json_object_put(message);
	else
		*ret_reply = message;
	client_destroy(client);
	return rc;
}

int fetch(struct cli *cli, const char *path, struct json_object *body,
	  struct json_object **ret_reply, int *ret_status, struct sp_error *err)
{
	const char *text = body ? json_object_to_json_string_ext(
					  body, JSON_C_TO_STRING_PLAIN)
				: NULL;

	if (body && !text)
		return sp_error_set(err, "out of memory");
	return fetch_text(cli, path, text, CLIENT_REPLY_MAX, ret_reply,
			  ret_status, err);
}

int fetch_large(struct cli *cli, const char *path, size_t size,
		struct json_object **ret_reply, struct sp_error *err)
{
	return fetch_text(cli, path, NULL, size, ret_reply, NULL, err);
}

void reply_print(struct json_object *reply)
{
	wire_reply_complete(reply);
	puts(json_object_to_json_string_ext(
		reply, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED));
}

const char *reply_text(struct json_object *row, const char *name)
{
	return wire_find_text(row, name, "-");
}

double reply_number(struct json_object *row, const char *name)
{
	struct json_object *value;

	if (!json_object_is_type(row, json_type_object) ||
	    !json_object_object_get_ex(row, name, &value) ||
	    !(json_object_is_type(value, json_type_double) ||
	      json_object_is_type(value, json_type_int)))
		return NAN;
	return json_object_get_double(value);
}

bool reply_flag(struct json_object *row, const char *name)
{
	return json_object_get_boolean(json_object_object_get(row, name));
}

int reply_prediction(struct json_object *reply, struct prediction *ret,
		     struct sp_error *err)
{
	struct json_object *object = NULL;

	if (!json_object_object_get_ex(reply, "prediction", &object))
		return sp_error_set(err, "predictd's reply has no prediction");
	return wire_prediction_decode(object, ret, err);
}

struct json_object *reply_array(struct json_object *reply, const char *name)
{
	struct json_object *value;

	if (!json_object_is_type(reply, json_type_object) ||
	    !json_object_object_get_ex(reply, name, &value) ||
	    !json_object_is_type(value, json_type_array))
		return NULL;
	return value;
}

void reply_add_text(struct json_object *to, const char *name, const char *text)
{
	json_object_object_add(to, name, json_object_new_string(text));
}

void reply_add_number(struct json_object *to, const char *name, double number)
{
	json_object_object_add(to, name,
			       isfinite(number) ? json_object_new_double(number)
						: NULL);
}

void reply_add_count(struct json_object *to, const char *name, size_t count)
{
	json_object_object_add(to, name, json_object_new_int64((int64_t)count));
}

void reply_add_flag(struct json_object *to, const char *name, bool flag)
{
	json_object_object_add(to, name, json_object_new_boolean(flag));
}

void reply_add_fields(struct json_object *to, const struct field fields[],
		      const void *from)
{
	struct json_object *members = fields_encode(fields, from);

	if (!members)
		return;
	json_object_object_foreach(members, name, value)
		json_object_object_add(to, name, json_object_get(value));
	json_object_put(members);
}

struct json_object *reply_add_object(struct json_object *to, const char *name)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(to, name, object);
	return object;
}

struct json_object *reply_add_array(struct json_object *to, const char *name)
{
	struct json_object *array = json_object_new_array();

	json_object_object_add(to, name, array);
	return array;
}

struct json_object *reply_add_row(struct json_object *array)
{
	struct json_object *row = json_object_new_object();

	json_object_array_add(array, row);
	return row;
}
