/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sender.c - sends records, measurements and traces to predictd
 *
 * Three channels, each with its own backoff.  Records come from the spool in
 * batches and are removed when predictd has stored them; a refused batch is
 * halved to find the bad record.  Measurements are queued in memory.  Traces
 * are sent a block at a time, from their files.  After a failure the next
 * predictd is tried; after a round of failures the pause doubles, with a random
 * share.  One thread; no lock.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/daemon/send_batch.h"
#include "collectors/daemon/sender.h"
#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/wire/block/json_trace_block.h"

#define DEADLINE_MS      2000
#define SOON_MS          200
#define SOON_AGAIN_S     10.0
#define GATHER_S         0.1 /* wait for more records to share a message */
#define PAUSE_MIN_S      1.0
#define PAUSE_MAX_S      60.0
#define MEASUREMENTS_MAX 256 /* kept; at defaults more than 20 minutes */
#define LINKS_MAX        128 /* likewise, 10 minutes */

/* Records and measurements fail separately: predictd accepts measurements even
 * if its database is not available. */
struct send_channel {
	const char *what;
	double at_s;    /* not before */
	double pause_s; /* the next one; 0: no failure */
	int failures;   /* since the last success */
};

struct sender {
	struct spool *spool;
	size_t clients_count, current;
	double ahead_s;   /* the clock, of the caller's */
	double soon_at_s; /* of sender_ask_soon() */
	struct client *clients[CONFIG_URLS_MAX];
	char urls[CONFIG_URLS_MAX][CLIENT_URL_SIZE];
	double report_interval_s;
	char cluster[RUN_NAME_SIZE], node[HOSTLIST_NAME_SIZE];
	struct send_channel records, measurements, blocks;
	struct trace_files *traces; /* NULL: none */
	size_t batch_max; /* narrowed to find a record that is refused */
	size_t count;     /* queued measurements, oldest first */
	struct measurement waiting[MEASUREMENTS_MAX];
	size_t links_count; /* likewise */
	struct link_measurement links[LINKS_MAX];
	unsigned seed;
};

static void destroy_clients(struct client **clients, size_t count)
{
	for (size_t i = 0; i < count; i++)
		client_destroy(clients[i]);
}

int sender_configure(struct sender *sender,
		     const struct collectord_config *config,
		     struct sp_error *err)
{
	struct client *clients[CONFIG_URLS_MAX] = { NULL };

	for (size_t i = 0; i < config->urls_count; i++) {
		clients[i] = client_create(config->urls[i],
					   config->munge_socket, err);
		if (!clients[i]) {
			destroy_clients(clients, i);
			return -1;
		}
	}
	destroy_clients(sender->clients, sender->clients_count);
	memcpy(sender->clients, clients, sizeof(clients));
	memcpy(sender->urls, config->urls, sizeof(sender->urls));
	sender->clients_count = config->urls_count;
	sender->current = 0;
	sender->report_interval_s = config->report_interval_s;
	strcpy(sender->node, config->node);
	sender->records.at_s = sender->measurements.at_s = 0;
	sender->blocks.at_s = 0;
	return 0;
}

struct sender *sender_create(struct spool *spool,
			     const struct collectord_config *config,
			     struct sp_error *err)
{
	struct sender *sender = calloc(1, sizeof(*sender));

	if (!sender)
		return sp_error_null(err, "out of memory");
	sender->spool = spool;
	sender->records.what = "runs";
	sender->measurements.what = "measurements";
	sender->blocks.what = "traces";
	sender->batch_max = BATCH_RECORDS_MAX;
	sender->seed =
		(unsigned)getpid() ^ (unsigned)(fmod(clock_now_s(), 1e5) * 1e4);
	if (sender_configure(sender, config, err)) {
		free(sender);
		return NULL;
	}
	return sender;
}

void sender_destroy(struct sender *sender)
{
	if (!sender)
		return;
	destroy_clients(sender->clients, sender->clients_count);
	free(sender);
}

void sender_set_cluster(struct sender *sender, const char *cluster)
{
	snprintf(sender->cluster, sizeof(sender->cluster), "%s", cluster);
}

void sender_set_traces(struct sender *sender, struct trace_files *traces)
{
	sender->traces = traces;
}

/* Keep the newest. */
static void drop_measurements(struct sender *sender, size_t count)
{
	sender->count -= count;
	memmove(sender->waiting, sender->waiting + count,
		sender->count * sizeof(*sender->waiting));
}

void sender_measured(struct sender *sender, const struct measurement *m)
{
	if (sender->count == MEASUREMENTS_MAX)
		drop_measurements(sender, 1);
	sender->waiting[sender->count++] = *m;
}

static void drop_links(struct sender *sender, size_t count)
{
	sender->links_count -= count;
	memmove(sender->links, sender->links + count,
		sender->links_count * sizeof(*sender->links));
}

void sender_link_measured(struct sender *sender,
			  const struct link_measurement *m)
{
	if (sender->links_count == LINKS_MAX)
		drop_links(sender, 1);
	sender->links[sender->links_count++] = *m;
}

static bool has_measurements(const struct sender *sender)
{
	return (sender->count || sender->links_count) && sender->cluster[0];
}

double sender_at_s(const struct sender *sender)
{
	double at_s = HUGE_VAL;

	if (spool_count(sender->spool))
		at_s = sender->records.at_s;
	if (has_measurements(sender))
		at_s = fmin(at_s, sender->measurements.at_s);
	if (sender->traces && sender->cluster[0])
		at_s = fmin(at_s, fmax(sender->blocks.at_s,
				       trace_files_at_s(sender->traces)));
	return at_s;
}

static void channel_succeeded(struct sender *sender,
			      struct send_channel *channel, double next_s)
{
	if (channel->failures >= (int)sender->clients_count)
		log_info("%s are accepted again by %s", channel->what,
			 sender->urls[sender->current]);
	channel->failures = 0;
	channel->pause_s = 0;
	channel->at_s = next_s;
}

static void channel_failed(struct sender *sender, struct send_channel *channel,
			   const char *why)
{
	const char *url = sender->urls[sender->current];

	sender->current = (sender->current + 1) % sender->clients_count;
	if (++channel->failures % (int)sender->clients_count) {
		log_debug("%s are not accepted by %s: %s", channel->what, url,
			  why);
		channel->at_s = 0; /* try the next one now */
		return;
	}
	if (channel->failures == (int)sender->clients_count)
		log_error("%s are not accepted by %s, and are kept: %s",
			  channel->what, url, why);
	channel->pause_s =
		fmin(fmax(2 * channel->pause_s, PAUSE_MIN_S), PAUSE_MAX_S);
	channel->at_s = clock_monotonic_s() - sender->ahead_s +
			channel->pause_s *
				(0.5 + 0.5 * rand_r(&sender->seed) / RAND_MAX);
}

/* The status of the reply, or -1. */
static int post_message(struct sender *sender, const char *path,
			const char *body, size_t size, struct sp_error *err)
{
	struct client_reply reply;

	if (client_request(sender->clients[sender->current], path, body, size,
			   DEADLINE_MS, &reply, err))
		return -1;
	if (reply.status != 200)
		sp_error_set(err, "%s replied with status %d: %.150s", path,
			     reply.status, reply.body);
	return reply.status;
}

/* Return whether it will be refused whenever it is sent. */
static bool is_refusal(int status)
{
	return status == 400 || status == 413 || status == 422;
}

/* One of these records is bad: halve the batch until it is alone. */
static void halve_batch(struct sender *sender, size_t count, const char *why)
{
	if (count > 1) {
		sender->batch_max = count / 2;
		return;
	}
	spool_refuse(sender->spool, 0, why);
	sender->batch_max = BATCH_RECORDS_MAX;
}

static void send_records(struct sender *sender, double now_s)
{
	struct batch batch;
	struct sp_error err;

	if (batch_make(sender->spool, sender->batch_max, &batch, &err)) {
		channel_failed(sender, &sender->records, err.text);
		return;
	}
	if (!batch.count)
		return;

	int status =
		post_message(sender, "/v1/runs", batch.body, batch.size, &err);

	if (status == 200) {
		for (size_t i = batch.count; i-- > 0;)
			spool_done(sender->spool, i);
		if (sender->batch_max < BATCH_RECORDS_MAX)
			sender->batch_max *= 2;
		channel_succeeded(sender, &sender->records, now_s + GATHER_S);
	} else if (is_refusal(status)) {
		halve_batch(sender, batch.count, err.text);
	} else {
		channel_failed(sender, &sender->records, err.text);
	}
	batch_clear(&batch);
}

static void send_measurements(struct sender *sender, double now_s)
{
	struct sp_error err;
	size_t size, count = sender->count, links_count = sender->links_count;
	char *body = batch_measurements(sender->cluster, sender->waiting, count,
					sender->links, links_count, &size);
	int status = body ? post_message(sender, "/v1/measurements", body, size,
					 &err)
			  : sp_error_set(&err, "out of memory");

	if (status == 200 || is_refusal(status)) {
		drop_measurements(sender, count);
		drop_links(sender, links_count);
	}
	if (status == 200)
		channel_succeeded(sender, &sender->measurements,
				  now_s + sender->report_interval_s);
	else
		channel_failed(sender, &sender->measurements, err.text);
	free(body);
}

/* One block of a file. */
static int post_block(struct sender *sender, const struct trace_block *block,
		      const unsigned char *raw, size_t raw_size, bool *ret_kept,
		      struct sp_error *err)
{
	struct client_reply reply;
	size_t size;
	char *body = wire_trace_block_encode(block, raw, raw_size, &size);
	int status = -1;

	*ret_kept = false;
	if (!body)
		return sp_error_set(err, "out of memory");
	if (!client_request(sender->clients[sender->current], "/v1/traces",
			    body, size, DEADLINE_MS, &reply, err)) {
		status = reply.status;
		*ret_kept = status == 200 &&
			    strstr(reply.body, "\"kept\":true") != NULL;
		if (status != 200)
			sp_error_set(err, "/v1/traces: status %d: %.150s",
				     status, reply.body);
	}
	free(body);
	return status;
}

static void send_block(struct sender *sender, double now_s)
{
	static unsigned char raw[TRACE_BLOCK_BYTES];
	struct trace_block block = { .data = NULL };
	struct sp_error err;
	size_t size;
	bool kept;

	if (!trace_files_next(sender->traces, now_s, &block, raw, &size))
		return;
	strcpy(block.cluster, sender->cluster);
	strcpy(block.node, sender->node);

	int status = post_block(sender, &block, raw, size, &kept, &err);

	if (status == 200 || is_refusal(status)) {
		if (status != 200)
			log_error("traces: a block of job %u is refused: %s",
				  block.job_id, err.text);
		else if (!kept)
			log_info("traces: that of job %u is not kept by "
				 "predictd",
				 block.job_id);
		trace_files_stored(sender->traces, kept, now_s);
		channel_succeeded(sender, &sender->blocks, 0);
	} else {
		channel_failed(sender, &sender->blocks, err.text);
	}
}

void sender_run(struct sender *sender, double now_s)
{
	sender->ahead_s = clock_monotonic_s() - now_s;
	if (spool_count(sender->spool) && sender->records.at_s <= now_s)
		send_records(sender, now_s);
	if (has_measurements(sender) && sender->measurements.at_s <= now_s)
		send_measurements(sender, now_s);
	if (sender->traces && sender->cluster[0] &&
	    sender->blocks.at_s <= now_s &&
	    trace_files_at_s(sender->traces) <= now_s)
		send_block(sender, now_s);
}

int sender_ask(struct sender *sender, const char *path,
	       struct client_reply *ret, struct sp_error *err)
{
	int rc = -1;

	/* From the last, so that the first one's reply is lent at the end. */
	for (size_t i = sender->clients_count; i-- > 0;) {
		struct client_reply reply;

		if (client_request(sender->clients[i], path, NULL, 0,
				   DEADLINE_MS, &reply, rc ? err : NULL))
			continue;
		*ret = reply;
		rc = 0;
	}
	return rc;
}

int sender_ask_soon(struct sender *sender, const char *path, double now_s,
		    struct client_reply *ret, struct sp_error *err)
{
	if (now_s < sender->soon_at_s)
		return sp_error_set(err, "predictd did not reply");
	sender->soon_at_s = 0;
	if (client_request(sender->clients[sender->current], path, NULL, 0,
			   SOON_MS, ret, err) == 0)
		return 0;
	sender->soon_at_s = now_s + SOON_AGAIN_S;
	return -1;
}
