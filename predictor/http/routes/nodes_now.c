/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes_now.c - nodes and links as the engine knows them, for a replay
 *
 * The same that GET /v1/nodes and GET /v1/links say.  The engine's lists are
 * read a page at a time, each with its lock for a moment.
 */
#include <stdlib.h>

#include "predictor/base/clock.h"
#include "predictor/base/priority.h"
#include "predictor/engine/resources.h"
#include "predictor/http/routes/nodes_now.h"

#define PAGE 64

static int set_nodes(struct engine *engine, const char *cluster,
		     struct traced_place *place, struct sp_error *err)
{
	struct engine_nodes_query query = {
		.cluster = cluster,
		.now_s = clock_now_s(),
		.limit = PAGE,
	};
	struct engine_node *page = calloc(PAGE, sizeof(*page));
	size_t count, total = 1;
	int rc = page ? 0 : sp_error_set(err, "out of memory for nodes");

	for (; !rc && query.offset < total; query.offset += PAGE) {
		rc = engine_list_nodes(engine, &query, page, &count, &total,
				       err);
		for (size_t i = 0; !rc && i < count; i++) {
			const struct measurement *m = &page[i].last;

			whatif_set_node(place, m->node, m->cpu_available,
					m->cpu_speed, m->cpu_turn_s);
		}
	}
	free(page);
	return rc;
}

/* Set those that begin or end at one of the nodes. */
static int set_links(struct engine *engine, const char *cluster,
		     struct traced_place *place, struct sp_error *err)
{
	struct engine_link *page = calloc(PAGE, sizeof(*page));

	if (!page)
		return sp_error_set(err, "out of memory for links");
	for (int n = 0; n < place->count; n++) {
		struct engine_links_query query = {
			.cluster = cluster,
			.node = place->nodes[n].name,
			.now_s = clock_now_s(),
			.limit = PAGE,
		};
		size_t count, total = 1;

		for (; query.offset < total; query.offset += PAGE) {
			engine_list_links(engine, &query, page, &count, &total);
			for (size_t i = 0; i < count; i++)
				whatif_set_link(place, page[i].from, page[i].to,
						page[i].forecast.latency_s,
						page[i].forecast.bandwidth_bps);
		}
	}
	free(page);
	return 0;
}

int nodes_now(void *context, const char *cluster, struct traced_place *place,
	      struct sp_error *err)
{
	int nice = priority_of_thread();

	/* Others wait for the locks that it takes. */
	priority_set(priority_of_process());

	int rc = set_nodes(context, cluster, place, err) ||
				 whatif_check_nodes(place,
						    "conditions \"then\"", err)
			 ? -1
			 : set_links(context, cluster, place, err);

	priority_set(nice);
	return rc;
}
