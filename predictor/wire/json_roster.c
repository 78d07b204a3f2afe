/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_roster.c - the nodes that take part in probes, as a message */
#include <stdlib.h>
#include <string.h>

#include "predictor/features/topology.h"
#include "predictor/wire/fields.h"
#include "predictor/wire/json_roster.h"

#define NODES_BYTES_MAX (700 << 10)

static const struct field roster_fields[] = {
	FIELD(probe_roster, id, TEXT, .required = true),
	FIELD(probe_roster, ask_again_s, KNOWN, .required = true, .max = 86400),
	FIELD(probe_roster, nodes, LENT, .max = NODES_BYTES_MAX),
	FIELD(probe_roster, topology, LENT, .max = TOPOLOGY_BYTES_MAX),
	{ .name = NULL },
};

struct json_object *wire_roster_encode(const struct probe_roster *roster)
{
	return fields_encode(roster_fields, roster);
}

int wire_roster_decode(struct json_object *message, struct probe_roster *ret,
		       struct sp_error *err)
{
	struct probe_roster roster = { .nodes = NULL };

	if (fields_decode(roster_fields, message, &roster, err) < 0)
		return -1;
	/* What was lent becomes a copy. */
	if ((roster.nodes && !(roster.nodes = strdup(roster.nodes))))
		return sp_error_set(err, "nodes: out of memory");
	if (roster.topology && !(roster.topology = strdup(roster.topology))) {
		free(roster.nodes);
		return sp_error_set(err, "topology: out of memory");
	}
	*ret = roster;
	return 0;
}
