/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_probes.c - the nodes that probe links */
#include "predictor/base/clock.h"
#include "predictor/conditions/roster.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"
#include "predictor/wire/json_roster.h"

int probes_show(struct request *r)
{
	char cluster[RUN_NAME_SIZE], node[HOSTLIST_NAME_SIZE];
	char known[PROBE_ROSTER_ID_SIZE];
	struct probe_roster roster;
	struct sp_error err;
	int status;

	if (request_query_text(r, "cluster", cluster, sizeof(cluster), &err) ||
	    request_query_text(r, "node", node, sizeof(node), &err) ||
	    request_query_text(r, "known", known, sizeof(known), &err))
		return request_fail(r, 400, "%s", err.text);
	if (!cluster[0])
		return request_fail(r, 400, "cluster: missing");
	if (node[0] && !request_has_role(r, ROLE_COLLECTOR))
		return request_fail(r, 403, "node: only for collectors");
	status = request_check_nodes(r, cluster);
	if (status)
		return status;
	if (roster_poll(r->http->roster, cluster, node, known,
			clock_monotonic_s(), &roster, &err))
		return request_fail(r, 503, "%s", err.text);
	status = request_reply(r, "roster", wire_roster_encode(&roster));
	probe_roster_clear(&roster);
	return status;
}
