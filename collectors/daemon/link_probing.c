/* SPDX-License-Identifier: GPL-2.0-or-later */
/* link_probing.c - probing of links in collectord
 *
 * The roster of nodes is requested from predictd, often while it is not known,
 * then at its own interval; a changed roster is passed to the prober, whose
 * measurements go to the sender.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/daemon/link_probing.h"
#include "collectors/probes/prober.h"
#include "predictor/base/log.h"
#include "predictor/wire/json_roster.h"
#include "predictor/wire/wire.h"

#define AGAIN_S   30.0 /* when predictd does not reply */
#define AGAIN_MIN 1.0
#define TAKE_MAX  16

struct link_probing {
	struct sender *sender;
	struct prober *prober;
	char node[HOSTLIST_NAME_SIZE];
	char known[PROBE_ROSTER_ID_SIZE]; /* the roster in use; empty: none */
	double ask_at_s;
	bool failing;
};

struct link_probing *links_create(const struct collectord_config *config,
				  struct sender *sender, struct sp_error *err)
{
	struct prober_config wanted = {
		.node = config->node,
		.munge_socket = config->munge_socket,
		.listen = config->probe_listen,
		.port = config->probe_port,
		.interval_s = config->probe_interval_s,
	};
	struct link_probing *links;

	if (config->probe_interval_s <= 0)
		return sp_error_null(err, "links are not probed");
	links = calloc(1, sizeof(*links));
	if (!links)
		return sp_error_null(err, "out of memory");
	links->sender = sender;
	strcpy(links->node, config->node);
	links->prober = prober_create(&wanted, err);
	if (links->prober)
		return links;
	free(links);
	return NULL;
}

void links_destroy(struct link_probing *links)
{
	if (!links)
		return;
	prober_destroy(links->prober);
	free(links);
}

int links_fd(const struct link_probing *links)
{
	return prober_fd(links->prober);
}

double links_at_s(const struct link_probing *links)
{
	return links->ask_at_s;
}

static int use_roster(struct link_probing *links,
		      const struct probe_roster *roster, struct sp_error *err)
{
	struct hostlist nodes = { 0 };
	struct topology topology = { 0 };
	struct schedule *schedule = NULL;

	if (!roster->nodes) /* nothing has changed */
		return 0;
	if ((roster->nodes[0] && hostlist_expand(roster->nodes, &nodes, err)) ||
	    (roster->topology &&
	     topology_parse(roster->topology, strlen(roster->topology),
			    &topology, err)))
		goto out;
	schedule = schedule_create(&nodes, &topology, err);
	if (!schedule)
		goto out;
	log_info("links are probed among %zu nodes", schedule_count(schedule));
	prober_set_schedule(links->prober, schedule);
	strcpy(links->known, roster->id);
out:
	hostlist_clear(&nodes);
	topology_clear(&topology);
	return schedule ? 0 : -1;
}

static int read_roster(struct link_probing *links,
		       const struct client_reply *reply, double *ret_again_s,
		       struct sp_error *err)
{
	struct json_object *message = NULL, *value;
	struct probe_roster roster;
	int rc = -1;

	if (reply->status != 200)
		return sp_error_set(err, "predictd replied with status %d",
				    reply->status);
	message = wire_parse(reply->body, reply->size, err);
	if (!message)
		return -1;
	if (!json_object_object_get_ex(message, "roster", &value))
		sp_error_set(err, "the reply holds no roster");
	else if (!wire_roster_decode(value, &roster, err)) {
		*ret_again_s = fmax(AGAIN_MIN, roster.ask_again_s);
		rc = use_roster(links, &roster, err);
		probe_roster_clear(&roster);
	}
	json_object_put(message);
	return rc;
}

static void request_roster(struct link_probing *links, const char *cluster,
			   double now_s)
{
	char path[256];
	struct client_reply reply;
	struct sp_error err;
	double again_s = AGAIN_S;
	int rc;

	snprintf(path, sizeof(path), "/v1/probes?cluster=%s&node=%s&known=%s",
		 cluster, links->node, links->known);
	rc = sender_ask(links->sender, path, &reply, &err);
	if (!rc)
		rc = read_roster(links, &reply, &again_s, &err);
	if (rc && !links->failing)
		log_warning("no roster of nodes to probe: %s", err.text);
	links->failing = rc != 0;
	links->ask_at_s = now_s + again_s;
}

void links_run(struct link_probing *links, const char *cluster, double now_s)
{
	struct link_measurement taken[TAKE_MAX];
	size_t count;

	do {
		count = prober_take(links->prober, taken, TAKE_MAX);
		for (size_t i = 0; i < count; i++)
			sender_link_measured(links->sender, &taken[i]);
	} while (count == TAKE_MAX);
	if (links->ask_at_s <= now_s && *cluster)
		request_roster(links, cluster, now_s);
	else if (links->ask_at_s <= now_s)
		links->ask_at_s = now_s + AGAIN_MIN;
}
