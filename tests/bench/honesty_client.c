/* SPDX-License-Identifier: GPL-2.0-or-later */
/* honesty_client.c - a site's submissions and reports, for bench_honesty_* */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/client/client.h"
#include "predictor/wire/wire.h"
#include "tests/bench/honesty_client.h"

#define DEADLINE_MS 20000
#define CLUSTER     "honest"
/* Far beyond all runs, so that it bounds nothing. */
#define LIMIT_S (1000 * 86400.0)
/* Runs in a message, whose body stays below a megabyte. */
#define BATCH 200

struct honesty_client {
	struct client *client;
	uint32_t jobs;
	size_t learned; /* runs that predictd has been given */
	struct json_object *runs;
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "bench-honesty: %s: %.300s\n", what, why);
	exit(1);
}

struct honesty_client *honesty_client_create(const char *url)
{
	struct honesty_client *c = calloc(1, sizeof(*c));
	struct sp_error err;

	if (!c)
		die("client", "out of memory");
	c->client = client_create(url, NULL, &err);
	if (!c->client)
		die(url, err.text);
	c->runs = json_object_new_array();
	return c;
}

void honesty_client_destroy(struct honesty_client *c)
{
	json_object_put(c->runs);
	client_destroy(c->client);
	free(c);
}

/* The reply, lent until the next request. */
static const char *request(struct honesty_client *c, const char *path,
			   const char *body)
{
	struct client_reply reply;
	struct sp_error err;

	if (client_request(c->client, path, body, body ? strlen(body) : 0,
			   DEADLINE_MS, &reply, &err))
		die(path, err.text);
	if (reply.status != 200)
		die(path, reply.body);
	return reply.body;
}

void honesty_predict(struct honesty_client *c, uint32_t user_id,
		     const char *name, const char *command, bool kept,
		     struct prediction *ret)
{
	struct wire_request asked;
	char script[512];
	struct sp_error err;

	snprintf(script, sizeof(script), "#!/bin/bash\n%s\n", command);
	wire_request_init(&asked);
	asked.dry_run = !kept;
	asked.job.cluster = CLUSTER;
	asked.job.user_id = user_id;
	asked.job.name = name;
	asked.job.partition = "main";
	asked.job.script = script;
	asked.job.size.nodes_min = asked.job.size.nodes_max = 1;
	asked.job.size.tasks = 1;
	asked.job.limit_s = LIMIT_S;

	struct json_object *body = wire_request_encode(&asked);
	const char *text =
		request(c, "/v1/predictions", json_object_to_json_string(body));
	struct json_object *reply = wire_parse(text, strlen(text), &err);

	json_object_put(body);
	if (!reply ||
	    wire_prediction_decode(json_object_object_get(reply, "prediction"),
				   ret, &err))
		die("/v1/predictions", err.text);
	json_object_put(reply);
}

static void batch_send(struct honesty_client *c)
{
	struct json_object *body = json_object_new_object();
	size_t count = json_object_array_length(c->runs);

	json_object_object_add(body, "runs", c->runs);
	if (count)
		request(c, "/v1/runs", json_object_to_json_string(body));
	json_object_put(body);
	c->learned += count;
	c->runs = json_object_new_array();
}

void honesty_end(struct honesty_client *c, const struct prediction *p,
		 double runtime_s, enum run_state state)
{
	double now_s = clock_now_s();
	struct run run = {
		.job_id = ++c->jobs,
		.user_id = p->user_id,
		.nodes = p->nodes,
		.tasks = p->tasks,
		.cpus = p->cpus,
		.limit_s = p->limit_s,
		.submitted_at_s = now_s - runtime_s,
		.started_at_s = now_s - runtime_s,
		.ended_at_s = now_s,
		.think_s = NAN,
		.state = state,
	};

	strcpy(run.cluster, CLUSTER);
	strcpy(run.partition, p->partition);
	strcpy(run.job_name, p->job_name);
	strcpy(run.prediction_id, p->id);
	strcpy(run.node_list, "n1");
	conditions_init(&run.before);
	json_object_array_add(c->runs, wire_run_encode(&run));
	if (json_object_array_length(c->runs) >= BATCH)
		batch_send(c);
}

void honesty_report(struct honesty_client *c)
{
	static const char member[] = "\"runs\":";

	batch_send(c);
	for (int i = 0; i < 10000; i++) {
		const char *at = strstr(request(c, "/readyz", NULL), member);

		if (at && strtoul(at + strlen(member), NULL, 10) >= c->learned)
			return;
		usleep(2000);
	}
	die("/readyz", "runs are not learned");
}
