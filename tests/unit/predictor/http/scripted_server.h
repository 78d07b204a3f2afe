/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scripted_server.h - a server with the real engine and a scripted store
 *
 * The store is scripted, because what is tested is what a real one does only
 * rarely: reply from its own thread at once, late, never, or after the server
 * was destroyed.
 */
#pragma once

#include <check.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <zlib.h>

#include "predictor/base/ordered_lock.h"
#include "predictor/features/node_facts.h"
#include "predictor/http/http.h"
#include "predictor/http/server.h"
#include "predictor/wire/wire.h"

#define SHARE                                                          \
	"{\"shares\":[{\"cluster\":\"c\",\"job_id\":7,\"node\":\"n\"," \
	"\"started_at_s\":11,\"ended_at_s\":13.5}]}"

static char address[LISTEN_ADDRESS_SIZE];
static struct engine *engine;
static struct http *http;
static atomic_bool answers, ready;
static struct sp_error err;

/* --- The scripted store ------------------------------------------------- */

enum behaviour { AT_ONCE, FROM_A_THREAD, REFUSE, NOT_YET };

static struct {
	enum behaviour behaviour;
	int rc;
	atomic_int calls;
	store_done_fn *done[64];
	void *context[64];
	pthread_t threads[64];
	struct store_prediction prediction;
	atomic_int uses;
	store_rows_fn *use_done;
	void *use_context;
} store;

static void *reply_later(void *context)
{
	int i = (int)(intptr_t)context;
	struct sp_error why = { "the reason" };

	usleep(2000);
	store.done[i](store.context[i], store.rc, &why);
	return NULL;
}

static int put_report(void *context, const struct store_report *report,
		      store_done_fn *done, void *done_context,
		      struct sp_error *why)
{
	struct sp_error none = { "the reason" };
	int i = store.calls;

	(void)context;
	ck_assert_uint_eq(report->shares_count, 1);
	ck_assert_uint_eq(report->shares[0].job_id, 7);
	store.done[i] = done;
	store.context[i] = done_context;
	switch (store.behaviour) {
	case AT_ONCE:
		done(done_context, store.rc, &none);
		break;
	case FROM_A_THREAD:
		pthread_create(&store.threads[i], NULL, reply_later,
			       (void *)(intptr_t)i);
		break;
	case REFUSE:
		return sp_error_set(why, "it is down");
	case NOT_YET:
		break;
	}
	store.calls++;
	return 0;
}

static int get_prediction(void *context, const char *id,
			  store_prediction_fn *done, void *done_context,
			  struct sp_error *why)
{
	(void)context;
	(void)why;
	ck_assert_uint_lt(strlen(id), PREDICTION_ID_SIZE);
	done(done_context, STORE_STORED, &store.prediction, NULL);
	return 0;
}

/* It has one, of one rank that ends at once. */
static int get_traces(void *context, const struct store_trace_query *query,
		      store_traces_fn *done, void *done_context,
		      struct sp_error *why)
{
	static const unsigned char events[] = "SPTRACE1\0\1\5\200\1";
	unsigned char data[64];
	uLongf size = sizeof(data);

	(void)context;
	(void)why;
	ck_assert_uint_eq(query->job_id, 7);
	ck_assert_int_eq(compress(data, &size, events, sizeof(events) - 1),
			 Z_OK);

	struct store_trace_part part = { .raw_bytes = sizeof(events) - 1,
					 .size = size,
					 .data = data };
	struct store_trace trace = { .run = { .cluster = "c",
					      .job_id = 7,
					      .job_s = 3.5,
					      .ranks = 1,
					      .nodes_count = 1 },
				     .parts_count = 1,
				     .parts = &part };

	trace.run.nodes = malloc(sizeof(trace.run.nodes[0]));
	ck_assert_ptr_nonnull(trace.run.nodes);
	trace.run.nodes[0] = (struct traced_node){ "n", 2, NAN, NAN, NAN };
	done(done_context, STORE_STORED, &trace, 1, NULL);
	free(trace.run.nodes); /* unless it was taken */
	return 0;
}

/* It is not available. */
static int get_accuracy(void *context, const struct store_accuracy_query *query,
			store_rows_fn *done, void *done_context,
			struct sp_error *why)
{
	(void)context;
	ck_assert_uint_eq(query->by, ACCURACY_BY_USER);
	ck_assert_str_eq(query->application, "a b#");
	sp_error_set(why, "it is down");
	done(done_context, STORE_AGAIN, NULL, 0, why);
	return 0;
}

static int get_use(void *context, const struct store_use_query *query,
		   store_rows_fn *done, void *done_context,
		   struct sp_error *why)
{
	(void)context;
	ck_assert_uint_eq(query->job_id, 7);
	store.use_done = done;
	store.use_context = done_context;
	store.uses++;
	return store.behaviour == NOT_YET ? 0 : sp_error_set(why, "it is down");
}

static void put_prediction(void *context, const struct prediction *p)
{
	(void)context;
	ck_assert_uint_eq(strlen(p->id), 16);
}

static void put_measurements(void *context, const char *cluster,
			     const struct measurement *m, size_t count)
{
	(void)context;
	ck_assert_str_eq(cluster, "c");
	ck_assert_uint_eq(count, 1);
	ck_assert_str_eq(m->node, "n");
}

static void status(void *context, struct store_status *ret)
{
	(void)context;
	*ret = (struct store_status){ .up = true };
}

static const struct store_ops ops = {
	.put_report = put_report,
	.put_prediction = put_prediction,
	.put_measurements = put_measurements,
	.get_prediction = get_prediction,
	.get_accuracy = get_accuracy,
	.get_traces = get_traces,
	.get_use = get_use,
	.status = status,
};

/* --- A client ------------------------------------------------------------- */

static int connect_to(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	struct timeval timeout = { .tv_sec = 10 };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(name.sun_path, address + strlen("unix:"));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&name, sizeof(name)),
			 0);
	return fd;
}

static void post(int fd, const char *path, const char *headers,
		 const char *body)
{
	char text[4096];
	int length = snprintf(text, sizeof(text),
			      "POST %s HTTP/1.1\r\nHost: x\r\n%s"
			      "Content-Length: %zu\r\n\r\n%s",
			      path, headers, strlen(body), body);

	ck_assert_int_eq(send(fd, text, (size_t)length, MSG_NOSIGNAL), length);
}

/* Read one reply into `ret_text` (all of it); gives its status, 0: none. */
static int reply(int fd, char ret_text[8192])
{
	size_t size = 0;
	const char *body = NULL, *length = NULL;
	int code = 0;

	do {
		ssize_t got = recv(fd, ret_text + size, 8191 - size, 0);

		if (got <= 0)
			return 0;
		size += (size_t)got;
		ret_text[size] = '\0';
		body = strstr(ret_text, "\r\n\r\n");
		length = strstr(ret_text, "Content-Length: ");
	} while (!body || !length ||
		 size < (size_t)(body + 4 - ret_text) +
				 strtoul(length + 16, NULL, 10));
	sscanf(ret_text, "HTTP/1.1 %d", &code);
	return code;
}

static int send_post(const char *path, const char *headers, const char *body,
		     char ret_text[8192])
{
	int fd = connect_to();

	post(fd, path, headers, body);

	int code = reply(fd, ret_text);

	close(fd);
	return code;
}

/* --- The fixture --------------------------------------------------------- */

static void set_up(void)
{
	struct listener listener;
	struct http_config config = {
		.store_ops = &ops,
		.answers = &answers,
		.ready = &ready,
		.munge_socket = "/nonexistent/munge",
		.topology = "/nonexistent/topology.conf",
	};

	memset(&store, 0, sizeof(store));
	snprintf(address, sizeof(address), "unix:/tmp/test_server.%d",
		 (int)getpid());
	access_list_add(&config.access.collectors, geteuid(), &err);
	ck_assert_msg(!listener_open(address, 0600, &listener, &err), "%s",
		      err.text);
	config.engine = engine = engine_create();
	ck_assert_ptr_nonnull(engine);
	atomic_store(&answers, true);
	atomic_store(&ready, true);
	http = http_create(&config, &listener, 1, &err);
	ck_assert_msg(http != NULL, "%s", err.text);
	ck_assert_int_eq(listener.fd, -1);
}

static void tear_down(void)
{
	char lock[LISTEN_ADDRESS_SIZE + 8];

	http_destroy(http);
	engine_destroy(engine);
	for (int i = 0; i < store.calls; i++)
		if (store.threads[i])
			pthread_join(store.threads[i], NULL);
	ck_assert_int_ne(access(address + strlen("unix:"), F_OK), 0);
	snprintf(lock, sizeof(lock), "%s.lock", address + strlen("unix:"));
	unlink(lock);
}

/* Be main(): run these tests, of which the first is run for AT_ONCE and for
 * FROM_A_THREAD if `loop`. */
static int run_tests(const TTest *const tests[], bool loop)
{
	Suite *suite = suite_create("server");
	TCase *tcase = tcase_create("server");
	SRunner *runner = srunner_create(suite);

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	for (int i = 0; tests[i]; i++)
		tcase_add_loop_test(tcase, tests[i], AT_ONCE,
				    i == 0 && loop ? REFUSE : AT_ONCE + 1);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);

	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
