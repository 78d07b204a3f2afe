/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif_conditions.c - what nodes and links are like now, for a replay
 *
 * The same that GET /v1/nodes and GET /v1/links say.  The engine's lists are
 * read a page at a time, each with its lock for a moment.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/clock.h"
#include "predictor/engine/resources.h"
#include "predictor/http/routes/whatif_conditions.h"
#include "predictor/http/routes/whatif_worker.h"

#define PAGE 64

static void take_number(double number, double *into)
{
	if (number > 0 && isfinite(number))
		*into = number;
}

static int take_nodes(const struct whatif_task *task,
		      struct traced_place *place, bool found[],
		      struct sp_error *err)
{
	struct engine_nodes_query query = {
		.cluster = task->cluster,
		.now_s = clock_now_s(),
		.limit = PAGE,
	};
	struct engine_node *page = calloc(PAGE, sizeof(*page));
	size_t count, total = 1;
	int rc = page ? 0 : sp_error_set(err, "out of memory for nodes");

	for (; !rc && query.offset < total; query.offset += PAGE) {
		rc = engine_list_nodes(task->engine, &query, page, &count,
				       &total, err);
		for (size_t i = 0; !rc && i < count; i++) {
			const struct measurement *m = &page[i].last;
			int n = traced_place_find(place, m->node);

			if (n < 0)
				continue;
			found[n] = true;
			take_number(fmin(m->cpu_available, 1),
				    &place->nodes[n].cpu_available);
			take_number(m->cpu_speed, &place->nodes[n].cpu_speed);
			take_number(m->cpu_turn_s, &place->nodes[n].cpu_turn_s);
			place->replay[n] = traced_node_replay(&place->nodes[n]);
		}
	}
	free(page);
	return rc;
}

/* Of all that begin or end at one of the nodes. */
static int take_links(const struct whatif_task *task,
		      struct traced_place *place, struct sp_error *err)
{
	struct engine_link *page = calloc(PAGE, sizeof(*page));

	if (!page)
		return sp_error_set(err, "out of memory for links");
	for (int n = 0; n < place->count; n++) {
		struct engine_links_query query = {
			.cluster = task->cluster,
			.node = place->nodes[n].name,
			.now_s = clock_now_s(),
			.limit = PAGE,
		};
		size_t count, total = 1;

		for (; query.offset < total; query.offset += PAGE) {
			engine_list_links(task->engine, &query, page, &count,
					  &total);
			for (size_t i = 0; i < count; i++) {
				int to = traced_place_find(place, page[i].to);
				struct replay_link *link;
				double back_s = 0, bps = 0;

				if (to < 0 ||
				    traced_place_find(place, page[i].from) != n)
					continue;
				link = &place->links[n * place->count + to];
				take_number(page[i].forecast.latency_s,
					    &back_s);
				take_number(page[i].forecast.bandwidth_bps,
					    &bps);
				take_number(back_s / 2, &link->latency_s);
				take_number(bps / 8, &link->bandwidth_bps);
			}
		}
	}
	free(page);
	return 0;
}

int whatif_conditions_now(void *context, struct traced_place *place,
			  struct sp_error *err)
{
	const struct whatif_task *task = context;
	bool *found = calloc((size_t)place->count + 1, sizeof(*found));
	int rc = found ? take_nodes(task, place, found, err)
		       : sp_error_set(err, "out of memory for nodes");

	for (int n = 0; !rc && n < place->count; n++)
		if (!found[n])
			rc = sp_error_set(err,
					  "node %s was not measured: "
					  "conditions \"then\" replays without",
					  place->nodes[n].name);
	free(found);
	return rc ? rc : take_links(task, place, err);
}
