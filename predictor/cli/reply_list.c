/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_list.c - subcommands that print a list from predictd as a table
 *
 * predictd sends a list a page at a time; all pages are joined into one reply
 * before it is printed.
 */
#include <stdio.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/cli/reply_list.h"

#define PAGE_ROWS 1000
#define PATH_SIZE 1024

/* Fetch the page that begins at row `offset`. */
static int read_page(const struct reply_list *list, struct cli *cli,
		     size_t offset, struct json_object **ret_reply,
		     struct json_object **ret_rows, struct sp_error *err)
{
	char path[PATH_SIZE];
	int length = snprintf(path, sizeof(path), "%s%climit=%d&offset=%zu",
			      list->path, strchr(list->path, '?') ? '&' : '?',
			      PAGE_ROWS, offset);

	if (length >= PATH_SIZE)
		return sp_error_set(err, "the request is too long");
	if (fetch(cli, path, NULL, ret_reply, NULL, err))
		return -1;
	*ret_rows = reply_array(*ret_reply, list->array);
	if (*ret_rows)
		return 0;
	json_object_put(*ret_reply);
	return sp_error_set(err, "predictd's reply has no array %s",
			    list->array);
}

int reply_list_read(const struct reply_list *list, struct cli *cli,
		    struct json_object **ret_reply, struct sp_error *err)
{
	struct json_object *reply, *rows, *more, *page;

	if (read_page(list, cli, 0, &reply, &rows, err))
		return -1;
	for (;;) {
		size_t known = json_object_array_length(rows);
		double total = reply_number(reply, "total");

		/* The list may change meanwhile, so a page may be empty. */
		if (!((double)known < total))
			break;
		if (read_page(list, cli, known, &page, &more, err))
			goto failed;

		size_t count = json_object_array_length(more);

		for (size_t i = 0; i < count; i++)
			json_object_array_add(
				rows, json_object_get(json_object_array_get_idx(
					      more, i)));
		json_object_put(page);
		if (count == 0)
			break;
	}
	*ret_reply = reply;
	return 0;
failed:
	json_object_put(reply);
	return -1;
}

void reply_list_age(struct json_object *row, struct table *table)
{
	double seconds = clock_now_s() - reply_number(row, "time_s");

	/* The clock of the node may be a little ahead. */
	table_span(table, seconds < 0 ? 0 : seconds);
}

static void print_warnings(struct json_object *reply)
{
	struct json_object *warnings = reply_array(reply, "warnings");
	size_t count = warnings ? json_object_array_length(warnings) : 0;

	for (size_t i = 0; i < count; i++)
		fprintf(stderr, "spredict: warning: %s\n",
			reply_text(json_object_array_get_idx(warnings, i),
				   "warning"));
}

int reply_list_print(const struct reply_list *list, const struct cli *cli,
		     struct json_object *reply, struct sp_error *err)
{
	if (cli->json) {
		reply_print(reply);
		json_object_put(reply);
		return 0;
	}

	struct json_object *rows = reply_array(reply, list->array);
	struct table *table = table_create_heads(list->columns);

	print_warnings(reply);
	for (size_t i = 0; i < json_object_array_length(rows); i++)
		list->add(cli, json_object_array_get_idx(rows, i), table);
	json_object_put(reply);
	return table_finish(table, err);
}
