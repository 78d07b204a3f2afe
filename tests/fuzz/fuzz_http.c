/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_http.c - whatever bytes come to predictd's socket
 *
 * The input is what a client sends before it hangs up, to the real server with
 * the real engine, as root: everything is reachable.  Only what the store
 * would do is left out: it takes all at once.
 */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "predictor/http/http.h"

static struct sockaddr_un name = { .sun_family = AF_UNIX };

static int put_report(void *store, const struct store_report *report,
		      store_done_fn *done, void *context, struct sp_error *err)
{
	(void)store;
	(void)err;
	assert(report->runs_count + report->shares_count > 0);
	done(context, STORE_STORED, NULL);
	return 0;
}

static int put_import(void *store, const struct store_import *import,
		      store_imported_fn *done, void *context,
		      struct sp_error *err)
{
	const struct store_imported result = {
		.stored = import->runs_count,
	};

	(void)store;
	(void)err;
	assert(import->last || import->runs_count > 0);
	for (size_t i = 0; i < import->runs_count; i++)
		assert(import->runs[i].application.name[0] &&
		       import->runs[i].cluster[0] && import->runs[i].job_id);
	done(context, STORE_STORED, &result, NULL);
	return 0;
}

static int get_runs(void *store, const struct store_runs_query *query,
		    store_rows_fn *done, void *context, struct sp_error *err)
{
	(void)store;
	(void)err;
	assert(query->limit > 0);
	done(context, STORE_STORED, NULL, 0, NULL);
	return 0;
}

static int get_prediction(void *store, const char *id,
			  store_prediction_fn *done, void *context,
			  struct sp_error *err)
{
	static const struct store_prediction none;

	(void)store;
	(void)err;
	assert(id[0] && strlen(id) < PREDICTION_ID_SIZE);
	done(context, STORE_STORED, &none, NULL);
	return 0;
}

static int get_accuracy(void *store, const struct store_accuracy_query *query,
			store_rows_fn *done, void *context,
			struct sp_error *err)
{
	(void)store;
	(void)err;
	assert(query->limit > 0 && query->by < ACCURACY_BY_COUNT);
	done(context, STORE_STORED, NULL, 0, NULL);
	return 0;
}

static int get_use(void *store, const struct store_use_query *query,
		   store_rows_fn *done, void *context, struct sp_error *err)
{
	(void)store;
	(void)err;
	assert(query->limit > 0 && query->by < USE_BY_COUNT);
	done(context, STORE_STORED, NULL, 0, NULL);
	return 0;
}

static int put_trace(void *store, const struct trace_block *block,
		     store_trace_kept_fn *done, void *context,
		     struct sp_error *err)
{
	(void)store;
	(void)err;
	assert(block->data && block->rank < block->ranks);
	done(context, STORE_STORED, true, NULL);
	return 0;
}

static int get_traces(void *store, const struct store_trace_query *query,
		      store_traces_fn *done, void *context,
		      struct sp_error *err)
{
	(void)store;
	(void)err;
	assert(!query->job_id != !query->application[0]);
	done(context, STORE_STORED, NULL, 0, NULL);
	return 0;
}

static void put_prediction(void *store, const struct prediction *p)
{
	(void)store;
	assert(strlen(p->id) == PREDICTION_ID_SIZE - 1);
}

static void put_measurements(void *store, const char *cluster,
			     const struct measurement *m, size_t count)
{
	(void)store;
	assert(cluster[0] && m[0].node[0] && count > 0);
}

static void put_links(void *store, const char *cluster,
		      const struct link_measurement *m, size_t count)
{
	(void)store;
	assert(cluster[0] && m[0].from[0] && m[0].to[0] && count > 0);
}

static void status(void *store, struct store_status *ret)
{
	(void)store;
	*ret = (struct store_status){ .up = true, .ready = true };
}

static const struct store_ops ops = {
	.put_report = put_report,
	.put_prediction = put_prediction,
	.put_measurements = put_measurements,
	.put_links = put_links,
	.put_import = put_import,
	.get_prediction = get_prediction,
	.get_runs = get_runs,
	.get_accuracy = get_accuracy,
	.get_use = get_use,
	.put_trace = put_trace,
	.get_traces = get_traces,
	.status = status,
};
static struct engine *engine;
static struct http *http;
static char lock_path[sizeof(name.sun_path) + 8];

static void finish(void)
{
	http_destroy(http);
	engine_destroy(engine);
	unlink(lock_path);
}

static void start(void)
{
	static atomic_bool ready = true;
	char address[LISTEN_ADDRESS_SIZE];
	struct listener listener;
	struct http_config config = { .engine = engine = engine_create(),
				      .store_ops = &ops,
				      .answers = &ready,
				      .ready = &ready };

	snprintf(name.sun_path, sizeof(name.sun_path), "/tmp/fuzz_http.%d",
		 (int)getpid());
	snprintf(lock_path, sizeof(lock_path), "%s.lock", name.sun_path);
	snprintf(address, sizeof(address), "unix:%s", name.sun_path);
	access_list_add(&config.access.operators, geteuid(), NULL);
	access_list_add(&config.access.collectors, geteuid(), NULL);
	if (!config.engine || listener_open(address, 0600, &listener, NULL) ||
	    !(http = http_create(&config, &listener, 1, NULL)))
		abort();
	atexit(finish);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char reply[4096];
	/* For a reply; whatever is not a whole request gets none. */
	struct timeval timeout = { .tv_usec = 1000 };

	if (!http)
		start();

	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert(fd >= 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	if (connect(fd, (struct sockaddr *)&name, sizeof(name)))
		abort();
	/* The server may close before it has read all of it. */
	for (size_t sent = 0; sent < size;) {
		ssize_t n = send(fd, data + sent, size - sent, MSG_NOSIGNAL);

		if (n <= 0)
			break;
		sent += (size_t)n;
	}
	if (recv(fd, reply, sizeof(reply), 0) > 9)
		assert(!memcmp(reply, "HTTP/1.", 7));
	close(fd);
	return 0;
}
