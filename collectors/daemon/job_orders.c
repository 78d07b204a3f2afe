/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_orders.c - the order of ranks on the nodes of jobs that began here */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/daemon/job_answer.h"
#include "collectors/daemon/job_orders.h"
#include "predictor/base/clock.h"
#include "predictor/base/hostlist.h"
#include "predictor/base/log.h"

/* A job that started longer ago was started before collectord. */
#define LATE_S 5.0

/* A search ends within ten seconds, but another may be before it. */
#define AGAIN_S     0.5
#define AGAIN_MAX_S 16.0
#define GIVE_UP_S   60.0

struct job_order {
	uint32_t job_id; /* 0: the place is free */
	uint32_t user_id;
	double begun_s, at_s, pause_s;
	char path[JOB_ANSWER_PATH_SIZE];
};

struct job_orders {
	int folder;
	struct job_order of[JOB_ORDERS_MAX];
};

struct job_orders *job_orders_create(int folder)
{
	struct job_orders *orders = calloc(1, sizeof(*orders));

	if (orders)
		orders->folder = folder;
	return orders;
}

void job_orders_destroy(struct job_orders *orders)
{
	free(orders);
}

/* --- The file ------------------------------------------------------------- */

static bool is_node_name(const char *name)
{
	size_t length = strlen(name);

	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-._", *c))
			return false;
	return length > 0 && length < HOSTLIST_NAME_SIZE;
}

static size_t add_names(struct json_object *ranks, size_t used,
			char text[JOB_ORDERS_TEXT_SIZE])
{
	for (size_t r = 0; r < json_object_array_length(ranks); r++) {
		struct json_object *element =
			json_object_array_get_idx(ranks, r);
		const char *name =
			json_object_is_type(element, json_type_string)
				? json_object_get_string(element)
				: "";

		if (!is_node_name(name) ||
		    used + strlen(name) + 2 > JOB_ORDERS_TEXT_SIZE)
			return 0;
		used += (size_t)snprintf(
			text + used, JOB_ORDERS_TEXT_SIZE - used, "%s\n", name);
	}
	return used;
}

size_t job_order_text(struct json_object *reply, char ret[JOB_ORDERS_TEXT_SIZE])
{
	const char *mode = wire_find_text(reply, "mode", "");
	struct json_object *gain, *ranks;

	if ((strcmp(mode, "act") != 0 && strcmp(mode, "advise") != 0) ||
	    !json_object_object_get_ex(reply, "gain", &gain) ||
	    !json_object_object_get_ex(reply, "ranks", &ranks) ||
	    !json_object_is_type(ranks, json_type_array) ||
	    json_object_array_length(ranks) < 2)
		return 0;

	double factor = json_object_get_double(gain);

	if (!(factor >= 1 && factor < 1000))
		return 0;
	return add_names(ranks,
			 (size_t)snprintf(ret, JOB_ORDERS_TEXT_SIZE,
					  "# slurm-predict mode=%s gain=%.2f\n",
					  mode, factor),
			 ret);
}

static void write_order(const struct job_orders *orders,
			const struct job_order *job, struct json_object *reply)
{
	char name[16], *text = malloc(JOB_ORDERS_TEXT_SIZE);
	size_t size = text ? job_order_text(reply, text) : 0;
	struct sp_error err;

	snprintf(name, sizeof(name), "%u", job->job_id);
	if (size && job_answer_write(orders->folder, name, false, job->user_id,
				     text, size, &err))
		log_debug("job %u: hosts/%s", job->job_id, err.text);
	free(text);
}

/* --- Questions ------------------------------------------------------------ */

/* Return whether there is an answer for good. */
static bool order_fetch(const struct job_orders *orders, struct sender *sender,
			const struct job_order *job, double now_s)
{
	struct client_reply reply;
	struct sp_error err;

	if (sender_ask_soon(sender, job->path, now_s, &reply, &err))
		return false;
	if (reply.status != 200)
		return reply.status == 404 || reply.status == 400;

	struct json_object *message = wire_parse(reply.body, reply.size, &err);

	if (!message)
		return true;

	const char *state = wire_find_text(message, "state", "");
	bool computing = !strcmp(state, "computing");

	if (!strcmp(state, "ready"))
		write_order(orders, job, message);
	json_object_put(message);
	return !computing;
}

static void order_ask(struct job_orders *orders, struct sender *sender,
		      struct job_order *job, double now_s)
{
	if (order_fetch(orders, sender, job, now_s) ||
	    now_s - job->begun_s > GIVE_UP_S) {
		job->job_id = 0;
		return;
	}
	job->pause_s = fmin(2 * job->pause_s, AGAIN_MAX_S);
	job->at_s = now_s + job->pause_s;
}

/* Return whether this node is the first of several. */
static bool is_first(const struct job_event *event)
{
	struct hostlist list;
	bool first;

	if (hostlist_expand(event->nodes, &list, NULL))
		return false;
	first = list.count > 1 && !strcmp(list.names[0], event->node);
	hostlist_clear(&list);
	return first;
}

static int format_path(const struct job_event *event,
		       char ret[JOB_ANSWER_PATH_SIZE])
{
	char before[PREDICTION_ID_SIZE + 32];

	for (const char *c = event->prediction_id; *c; c++)
		if (!isalnum((unsigned char)*c))
			return -1;
	snprintf(before, sizeof(before),
		 "/v1/order?prediction=%s&nodes=", event->prediction_id);
	return job_answer_path(before, event->nodes, ret);
}

/* Return a place for it; where there is none, the job starts without
 * an order. */
static struct job_order *place_find(struct job_orders *orders)
{
	for (int i = 0; i < JOB_ORDERS_MAX; i++)
		if (!orders->of[i].job_id)
			return &orders->of[i];
	return NULL;
}

void job_orders_started(struct job_orders *orders, struct sender *sender,
			const struct job_event *event, double now_s)
{
	struct job_order *job = place_find(orders);

	if (!job || !event->prediction_id[0] || !event->nodes[0] ||
	    fabs(clock_now_s() - event->time_s) > LATE_S || !is_first(event) ||
	    format_path(event, job->path))
		return;
	job->job_id = event->job_id;
	job->user_id = event->user_id;
	job->begun_s = now_s;
	job->pause_s = AGAIN_S / 2;
	order_ask(orders, sender, job, now_s);
}

void job_orders_ended(struct job_orders *orders, uint32_t job_id)
{
	char name[16];

	for (int i = 0; i < JOB_ORDERS_MAX; i++)
		if (orders->of[i].job_id == job_id)
			orders->of[i].job_id = 0;
	snprintf(name, sizeof(name), "%u", job_id);
	unlinkat(orders->folder, name, 0);
}

double job_orders_at_s(const struct job_orders *orders)
{
	double at_s = HUGE_VAL;

	for (int i = 0; i < JOB_ORDERS_MAX; i++)
		if (orders->of[i].job_id)
			at_s = fmin(at_s, orders->of[i].at_s);
	return at_s;
}

void job_orders_run(struct job_orders *orders, struct sender *sender,
		    double now_s)
{
	for (int i = 0; i < JOB_ORDERS_MAX; i++)
		if (orders->of[i].job_id && orders->of[i].at_s <= now_s)
			order_ask(orders, sender, &orders->of[i], now_s);
}
