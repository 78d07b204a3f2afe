/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write_measurements.c - measurements of nodes and links */
#include "predictor/base/log.h"
#include "predictor/base/unused.h"
#include "predictor/store/write_batch.h"
#include "predictor/store/write.h"

static const char *const cluster_column[] = { "cluster", NULL };
static const char *const node_columns[] = { "cluster", "node", NULL };
static const char *const from_columns[] = { "cluster", "from_node", NULL };
static const char *const to_columns[] = { "cluster", "to_node", NULL };

/* Rows of nodes, and of links between nodes. */
struct measured {
	struct rows nodes, links;
};

static int measurements_write(struct connection *connection,
			      void *const items[], size_t count UNUSED,
			      void *keep_days, struct sp_error *err)
{
	struct measured *m = items[0];
	const struct {
		const struct statement *statement;
		const struct rows *rows;
		const char *const *names;
	} steps[] = {
		{ &statement_clusters, &m->nodes, cluster_column },
		{ &statement_clusters, &m->links, cluster_column },
		{ &statement_nodes, &m->nodes, node_columns },
		{ &statement_nodes, &m->links, from_columns },
		{ &statement_nodes, &m->links, to_columns },
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (batch_run_columns(connection, steps[i].statement,
				      steps[i].rows, steps[i].names, err) < 0)
			return -1;
	if (batch_run_rows(connection, &statement_measurements, &m->nodes,
			   keep_days, err) < 0)
		return -1;
	return batch_run_rows(connection, &statement_links, &m->links,
			      keep_days, err);
}

static void measurements_refused(void *item, void *context UNUSED,
				 const struct sp_error *why)
{
	struct measured *m = item;

	log_error("measurements are not stored: %s", why->text);
	rows_clear(&m->nodes);
	rows_clear(&m->links);
}

static const struct batch_writer measurements_writer = {
	.write = measurements_write,
	.refused = measurements_refused,
};

static void measured_add(const struct measurements_item *item,
			 struct measured *measured)
{
	struct rows *rows = item->links ? &measured->links : &measured->nodes;
	const struct row_table *table =
		item->links ? &link_columns : &measurement_columns;

	for (size_t i = 0; i < item->count; i++)
		if (rows_check(table, &item->rows[i], "measurement", NULL) == 0)
			rows_add(rows, &item->rows[i]);
}

int write_measurements(struct connection *connection, int keep_days,
		       struct measurements_item *list, size_t *ret_dropped,
		       struct sp_error *err)
{
	struct measured measured;
	void *items[] = { &measured };
	int64_t days = keep_days;
	size_t total = 0, taken;
	int rc = 0;

	rows_init(&measured.nodes, &measurement_columns);
	rows_init(&measured.links, &link_columns);
	for (struct measurements_item *item = list; item;
	     item = fifo_next(&item->link)) {
		total += item->count;
		measured_add(item, &measured);
	}
	if (measured.nodes.columns[0].count + measured.links.columns[0].count)
		rc = batch_write(connection, &measurements_writer, items, 1,
				 &days, err);
	taken = measured.nodes.columns[0].count +
		measured.links.columns[0].count;
	*ret_dropped = total - taken;
	rows_clear(&measured.nodes);
	rows_clear(&measured.links);
	return rc;
}
