/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history_pages.c - all finished runs of the history, a page at a time */
#include <math.h>
#include <stdio.h>

#include "predictor/cli/fetch.h"
#include "predictor/cli/history_pages.h"
#include "predictor/cli/url_path.h"

#define PAGE 250

#define DEADLINE_MS 120000

/* "/v1/runs?...": the page after run `after` (id 0: the first page). */
static int page_path(const struct history_query *query, const struct run *after,
		     char ret[URL_PATH_SIZE], struct sp_error *err)
{
	double after_s = isnan(after->ended_at_s) ? after->started_at_s
						  : after->ended_at_s;

	snprintf(ret, URL_PATH_SIZE, "/v1/runs?limit=%d", PAGE);
	if (url_path_add(ret, "cluster", query->cluster, err) ||
	    url_path_add_number(ret, "since", query->since_s, err) ||
	    url_path_add_number(ret, "until", query->until_s, err))
		return -1;
	if (!after->id)
		return 0;
	if (url_path_add_number(ret, "after_ended_at_s", after_s, err))
		return -1;
	return url_path_add_number(ret, "after_id", (double)after->id, err);
}

static int visit_page(struct json_object *reply, struct run *ret_last,
		      size_t *ret_count,
		      int (*visit)(void *context, const struct run *run,
				   struct sp_error *err),
		      void *context, struct sp_error *err)
{
	struct json_object *rows = reply_array(reply, "runs");

	if (!rows)
		return sp_error_set(err, "predictd's reply has no array runs");
	*ret_count = json_object_array_length(rows);
	for (size_t i = 0; i < *ret_count; i++) {
		struct sp_error why;

		if (wire_run_decode(json_object_array_get_idx(rows, i),
				    ret_last, &why))
			return sp_error_set(err,
					    "predictd's reply: runs[%zu].%s", i,
					    why.text);
		if (visit(context, ret_last, err))
			return -1;
	}
	if (*ret_count && !ret_last->id)
		return sp_error_set(err, "predictd's reply: runs have no ids");
	return 0;
}

static int read_page(struct client *client, const char *path,
		     struct json_object **ret, struct sp_error *err)
{
	struct client_reply reply;
	struct json_object *message;
	int rc = 0;

	if (client_request(client, path, NULL, 0, DEADLINE_MS, &reply, err))
		return -1;
	message = wire_parse(reply.body, reply.size, err);
	if (reply.status < 200 || reply.status >= 300)
		rc = fetch_refused("/v1/runs", reply.status, message, err);
	else if (!message)
		rc = -1;
	if (rc)
		json_object_put(message);
	else
		*ret = message;
	return rc;
}

int history_visit(struct cli *cli, const struct history_query *query,
		  int (*visit)(void *context, const struct run *run,
			       struct sp_error *err),
		  void *context, struct sp_error *err)
{
	struct client *client = fetch_client(cli, err);
	struct run last = { .id = 0 };
	size_t count = PAGE;
	int rc = client ? 0 : -1;

	while (!rc && count == PAGE) {
		struct json_object *reply;
		char path[URL_PATH_SIZE];

		rc = page_path(query, &last, path, err);
		cli_note(cli, "request: %s%s", fetch_url(cli), path);
		if (!rc)
			rc = read_page(client, path, &reply, err);
		if (rc)
			break;
		rc = visit_page(reply, &last, &count, visit, context, err);
		json_object_put(reply);
	}
	client_destroy(client);
	return rc;
}
