/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif_conditions.c - what nodes and links of a placement are like now */
#include <math.h>

#include "predictor/whatif/whatif_conditions.h"

static void set_number(double number, double *into)
{
	if (number > 0 && isfinite(number))
		*into = number;
}

void whatif_set_node(struct traced_place *place, const char *name,
		     double cpu_available, double cpu_speed, double cpu_turn_s)
{
	int n = traced_place_find(place, name);

	if (n < 0)
		return;

	struct traced_node *node = &place->nodes[n];

	set_number(cpu_available, &node->cpu_available);
	node->cpu_available = fmin(node->cpu_available, 1);
	set_number(cpu_speed, &node->cpu_speed);
	set_number(cpu_turn_s, &node->cpu_turn_s);
	place->replay[n] = traced_node_replay(node);
	place->is_now[n] = true;
}

void whatif_set_link(struct traced_place *place, const char *from,
		     const char *to, double latency_s, double bandwidth_bps)
{
	int a = traced_place_find(place, from);
	int b = traced_place_find(place, to);

	if (a < 0 || b < 0)
		return;

	struct replay_link *link = &place->links[a * place->count + b];

	set_number(latency_s / 2, &link->latency_s);
	set_number(bandwidth_bps / 8, &link->bandwidth_bps);
}

int whatif_check_nodes(const struct traced_place *place, const char *instead,
		       struct sp_error *err)
{
	for (int n = 0; n < place->count; n++)
		if (!place->is_now[n])
			return sp_error_set(err,
					    "node %s was not measured: "
					    "%s replays without",
					    place->nodes[n].name, instead);
	return 0;
}
