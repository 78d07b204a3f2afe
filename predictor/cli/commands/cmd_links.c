/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_links.c - spredict links: links between nodes, as a matrix or a table
 *
 * One request; its rows become a matrix of two values a cell where that fits
 * into a terminal, else a table of one link a line.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/cli/fold.h"
#include "predictor/cli/reply_list.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/url_path.h"

#define MATRIX_MAX 32 /* nodes; more are a list */

/* --- A table -------------------------------------------------------------- */

static const char columns[] =
	"CLUSTER, FROM, TO, >BITS/S, >+-, >LATENCY_S, >+-, >IN_USE_%, "
	">AGE, USED";

static void add_link(const struct cli *cli UNUSED, struct json_object *row,
		     struct table *table)
{
	table_cell(table, "%s", reply_text(row, "cluster"));
	table_cell(table, "%s", reply_text(row, "from"));
	table_cell(table, "%s", reply_text(row, "to"));
	table_quantity(table, reply_number(row, "bandwidth_bps"), "");
	table_quantity(table, reply_number(row, "bandwidth_error"), "");
	table_quantity(table, reply_number(row, "latency_s"), "");
	table_quantity(table, reply_number(row, "latency_error"), "");
	table_number(table, "%.0f", 100 * reply_number(row, "utilisation"));
	reply_list_age(row, table);
	table_cell(table, "%s", reply_flag(row, "fresh") ? "yes" : "too old");
}

/* --- A matrix ------------------------------------------------------------- */

struct matrix {
	bool latency; /* instead of bandwidth */
	size_t count;
	const char *names[MATRIX_MAX]; /* lent */
	struct json_object *rows[MATRIX_MAX][MATRIX_MAX];
};

static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t find_node(const struct matrix *m, const char *name)
{
	size_t i = 0;

	while (i < m->count && strcmp(m->names[i], name) != 0)
		i++;
	return i;
}

/* Return whether names and cells, as in "9.15G" or "(old)", fit beside
 * each other. */
static bool matrix_fits(const struct matrix *m)
{
	size_t width = strlen("bit/s, from\\to");

	for (size_t i = 0; i < m->count; i++) {
		size_t name = fold_columns(m->names[i]);

		width += 2 + (name > 5 ? name : 5);
	}
	return width <= fold_width();
}

/* Return -1 if there are too many nodes, or several clusters. */
static int matrix_fill(struct json_object *rows, struct matrix *m)
{
	static const char *const ends[] = { "from", "to" };
	size_t links = json_object_array_length(rows);
	const char *cluster = NULL;

	for (size_t i = 0; i < links; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (!cluster)
			cluster = reply_text(row, "cluster");
		if (strcmp(cluster, reply_text(row, "cluster")) != 0)
			return -1;
		for (int end = 0; end < 2; end++) {
			const char *name = reply_text(row, ends[end]);

			if (find_node(m, name) < m->count)
				continue;
			if (m->count == MATRIX_MAX)
				return -1;
			m->names[m->count++] = name;
		}
	}
	if (!matrix_fits(m))
		return -1;
	qsort(m->names, m->count, sizeof(m->names[0]), compare_names);
	for (size_t i = 0; i < links; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		m->rows[find_node(m, reply_text(row, "from"))]
		       [find_node(m, reply_text(row, "to"))] = row;
	}
	return 0;
}

/* A link that was measured too long ago is "(old)". */
static void add_cell(const struct matrix *m, size_t from, size_t to,
		     struct table *table)
{
	struct json_object *row = m->rows[from][to];

	if (from == to || !row)
		table_cell(table, "%s", from == to ? "." : "-");
	else if (!reply_flag(row, "fresh"))
		table_cell(table, "(old)");
	else
		table_quantity(table,
			       reply_number(row, m->latency ? "latency_s"
							    : "bandwidth_bps"),
			       "");
}

static int print_matrix(const struct matrix *m, struct sp_error *err)
{
	struct table_column heads[MATRIX_MAX + 2] = {
		{ .header = m->latency ? "s, from\\to" : "bit/s, from\\to" }
	};

	for (size_t i = 0; i < m->count; i++)
		heads[i + 1] = (struct table_column){ .header = m->names[i],
						      .right = true };

	struct table *table = table_create(heads);

	for (size_t i = 0; i < m->count; i++) {
		table_cell(table, "%s", m->names[i]);
		for (size_t k = 0; k < m->count; k++)
			add_cell(m, i, k, table);
	}
	return table_finish(table, err);
}

/* --- The request ---------------------------------------------------------- */

struct links_query {
	bool table, latency;
	const char *node;
	char path[URL_PATH_SIZE]; /* of the request */
};

static const struct cli_option options[] = {
	{ "table", CLI_FLAG(struct links_query, table),
	  .help = "print a table with all columns, not a matrix" },
	{ "latency", CLI_FLAG(struct links_query, latency),
	  .help = "show latencies in the matrix, not bandwidths" },
	{ "node", .argument = "NODE", CLI_TEXT(struct links_query, node),
	  .help = "only links from or to this node" },
	{ .name = NULL },
};

static int links_path(struct cli *cli, void *given, struct sp_error *err)
{
	struct links_query *query = given;

	strcpy(query->path, "/v1/links");
	if (url_path_add(query->path, "node", query->node, err))
		return -1;
	return url_path_add(query->path, "cluster", cli->cluster, err);
}

static int show_links(struct cli *cli, void *given, struct sp_error *err)
{
	const struct links_query *query = given;
	const struct reply_list list = { query->path, "links", columns,
					 add_link };
	struct matrix matrix = { .latency = query->latency };
	struct json_object *reply;
	int rc;

	if (reply_list_read(&list, cli, &reply, err))
		return -1;

	struct json_object *rows = reply_array(reply, list.array);

	if (cli->json || query->table || !json_object_array_length(rows) ||
	    matrix_fill(rows, &matrix))
		return reply_list_print(&list, cli, reply, err);
	rc = print_matrix(&matrix, err);
	json_object_put(reply);
	return rc;
}

const struct subcommand subcommand_links = {
	.name = "links",
	.options_size = sizeof(struct links_query),
	.check = links_path,
	.act = show_links,
	.options = options,
	.clusters = CLI_CLUSTERS_ALL,
	.help = "show bandwidths and latencies between nodes",
};
