/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_server_threads.c - the server between its clients and a slow store
 *
 * The engine is the real one; the store is scripted, because what is tested
 * here is what a real one does only rarely: reply from its own thread at once,
 * late, never, or after the server was destroyed.
 */
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
static atomic_bool ready;
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
			store_accuracy_fn *done, void *done_context,
			struct sp_error *why)
{
	(void)context;
	ck_assert_uint_eq(query->by, ACCURACY_BY_USER);
	ck_assert_str_eq(query->application, "a b#");
	sp_error_set(why, "it is down");
	done(done_context, STORE_AGAIN, NULL, 0, 0, why);
	return 0;
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

/* --- The tests ------------------------------------------------------------ */

static void set_up(void)
{
	struct listener listener;
	struct http_config config = {
		.store_ops = &ops,
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

START_TEST(test_run_is_acknowledged)
{
	char text[8192];

	store.behaviour = (enum behaviour)_i;
	for (int i = 0; i < 5; i++) {
		ck_assert_int_eq(send_post("/v1/runs", "", SHARE, text), 200);
		ck_assert_ptr_nonnull(strstr(text, "\"stored\":1"));
	}
	ck_assert_int_eq(store.calls, 5);
}
END_TEST

START_TEST(test_run_is_not_stored)
{
	char text[8192];

	store.behaviour = FROM_A_THREAD;
	store.rc = STORE_AGAIN;
	ck_assert_int_eq(send_post("/v1/runs", "", SHARE, text), 503);
	ck_assert_ptr_nonnull(strstr(text, "the reason"));
	store.rc = STORE_REFUSED;
	ck_assert_int_eq(send_post("/v1/runs", "", SHARE, text), 400);
	store.behaviour = REFUSE;
	ck_assert_int_eq(send_post("/v1/runs", "", SHARE, text), 503);
	ck_assert_ptr_nonnull(strstr(text, "it is down"));
}
END_TEST

START_TEST(test_bad_runs)
{
	static const char *const bad[] = {
		"",
		"[]",
		"{}",
		"{\"runs\":[]}",
		"{\"runs\":7}",
		SHARE "x",
		"{\"shares\":[{}]}",
		("{\"cluster\":\"c\",\"measurements\":[{\"node\":\"n\","
		 "\"time_s\":3}]}"),
	};
	char text[8192];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(send_post("/v1/runs", "", bad[i], text) == 400,
			      "%s: %s", bad[i], text);
	ck_assert_int_eq(store.calls, 0);
}
END_TEST

static int get(const char *path, char ret_text[8192])
{
	char text[512];
	int fd = connect_to();
	int length = snprintf(text, sizeof(text),
			      "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);

	ck_assert_int_eq(send(fd, text, (size_t)length, MSG_NOSIGNAL), length);

	int code = reply(fd, ret_text);

	close(fd);
	return code;
}

START_TEST(test_queries)
{
	char text[8192];

	ck_assert_int_eq(get("/v1/predictions/00ff00ff00ff00ff", text), 404);
	ck_assert_int_eq(get("/v1/predictions/00ff00ff00ff00ff0", text), 404);
	ck_assert_int_eq(get("/v1/accuracy?by=week", text), 400);
	ck_assert_int_eq(get("/v1/accuracy?by=user&since=x", text), 400);
	ck_assert_int_eq(get("/v1/accuracy?by=user&limit=0", text), 400);

	/* Without the store, the figures of the engine. */
	ck_assert_int_eq(get("/v1/accuracy?by=user&application=a%20b%23", text),
			 200);
	ck_assert_ptr_nonnull(strstr(text, "\"warning\":\"these are figures "
					   "from memory, by model: it is "
					   "down\""));
	ck_assert_ptr_nonnull(strstr(text, "\"model\":\"chosen\""));
}
END_TEST

/* Replies from the history are made under a lock, and read the engine.  A
 * missing topology.conf is logged. */
START_TEST(test_replies_take_locks_in_order)
{
	struct prediction *p = &store.prediction.stages[STAGE_SUBMISSION];
	struct node_facts *facts = node_facts_create("c");
	char text[8192];

	facts->nodes_hidden = true;
	ck_assert_int_eq(node_facts_arrange(facts, NULL), 0);
	engine_set_node_facts(engine, facts);
	engine_predict(engine, &(struct submission){ .cluster = "c" },
		       MODE_ADVISE, 0.9, 1e9, true, p);
	store.prediction.known[STAGE_SUBMISSION] = true;
	p->user_id = geteuid();
	ck_assert_int_eq(get("/v1/predictions/00ff00ff00ff00ff", text), 200);
	ck_assert(ordered_lock_nested(LOCK_PENDING, LOCK_FACTS));
	ck_assert_int_eq(get("/v1/accuracy?by=user&application=a%20b%23", text),
			 200);
	ck_assert(ordered_lock_nested(LOCK_PENDING, LOCK_ENGINE));
	ck_assert_msg(
		send_post(
			"/v1/whatif", "",
			"{\"job_id\":7,\"swap\":true,\"conditions\":\"then\"}",
			text) == 200,
		"%s", text);
	ck_assert_int_eq(get("/v1/probes?cluster=c&node=n", text), 200);
	ck_assert(ordered_lock_nested(LOCK_ROSTER, LOCK_LOG));
}
END_TEST

/* The run of a job named "heat" on c. */
static void learn_run(uint32_t id, uint32_t nodes, double runtime_s)
{
	struct run run = {
		.cluster = "c",
		.job_name = "heat",
		.job_id = id,
		.user_id = geteuid(),
		.nodes = nodes,
		.tasks = nodes,
		.cpus = nodes,
		.limit_s = 900,
		.submitted_at_s = 1.7e9 + 1000 * id,
		.started_at_s = 1.7e9 + 1000 * id,
		.ended_at_s = 1.7e9 + 1000 * id + runtime_s,
		.state = RUN_COMPLETED,
	};

	engine_complete_run(engine, &run);
	ck_assert_int_eq(engine_learn(engine, &run, &err), 0);
}

START_TEST(test_curve)
{
	struct wire_request request = { .dry_run = true, .quantile = .9 };
	struct json_object *body;
	char text[8192], job[4096];

	submission_init(&request.job);
	request.job.cluster = "c";
	request.job.name = "heat";
	request.job.user_id = geteuid();
	request.job.size.nodes_min = 1;
	body = wire_request_encode(&request);
	ck_assert_ptr_nonnull(body);
	snprintf(job, sizeof(job), "%s", json_object_to_json_string(body));
	json_object_put(body);
	ck_assert_int_eq(send_post("/v1/curve", "", job, text), 404);
	ck_assert_ptr_nonnull(strstr(text, "no runs"));
	for (uint32_t i = 0; i < 9; i++)
		learn_run(i + 1, 1U << i % 3, 5 + 80.0 / (1U << i % 3));
	ck_assert_msg(send_post("/v1/curve", "", job, text) == 200, "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "\"application\":\"heat\""));
	ck_assert_ptr_nonnull(strstr(text, "\"runs\":9"));
	ck_assert_ptr_nonnull(strstr(text, "\"fastest\":8"));
	ck_assert_ptr_nonnull(strstr(text, "{\"nodes\":8,"));
	ck_assert_int_eq(send_post("/v1/curve", "", "{}", text), 400);
	atomic_store(&ready, false);
	ck_assert_int_eq(send_post("/v1/curve", "", job, text), 503);
}
END_TEST

START_TEST(test_measurements)
{
	char text[8192];

	ck_assert_int_eq(
		send_post("/v1/measurements", "",
			  "{\"cluster\":\"c\",\"measurements\":[{\"node\":"
			  "\"n\",\"time_s\":33,\"cpu_load\":0.75}]}",
			  text),
		200);
	ck_assert_ptr_nonnull(strstr(text, "\"taken\":1"));
	ck_assert_int_eq(send_post("/v1/measurements", "", SHARE, text), 400);
}
END_TEST

START_TEST(test_many_at_once_are_suspended)
{
	enum { CLIENTS = 40 };
	int fds[CLIENTS];
	char text[8192];

	store.behaviour = FROM_A_THREAD;
	for (int i = 0; i < CLIENTS; i++) {
		fds[i] = connect_to();
		post(fds[i], "/v1/runs", "", SHARE);
	}
	for (int i = CLIENTS - 1; i >= 0; i--) {
		ck_assert_int_eq(reply(fds[i], text), 200);
		close(fds[i]);
	}
	ck_assert_int_eq(store.calls, CLIENTS);
}
END_TEST

static void wait_for_calls(int count)
{
	for (int i = 0; i < 2000 && store.calls < count; i++)
		usleep(1000);
	ck_assert_int_eq(store.calls, count);
}

/* The server ends while the store is still busy, which answers when both
 * connection and server are gone. */
START_TEST(test_end_before_the_commit)
{
	struct sp_error none = { "" };
	char text[8192];
	int fds[3];

	store.behaviour = NOT_YET;
	for (int i = 0; i < 3; i++) {
		fds[i] = connect_to();
		post(fds[i], "/v1/runs", "", SHARE);
	}
	wait_for_calls(3);
	close(fds[1]); /* one client gives up */
	http_destroy(http);
	http = NULL;
	/* The reply may get lost with the connection; a 200 would be a lie. */
	ck_assert_int_ne(reply(fds[0], text), 200);
	ck_assert_int_ne(reply(fds[2], text), 200);
	for (int i = 0; i < 3; i++)
		store.done[i](store.context[i], STORE_STORED, &none);
	close(fds[0]);
	close(fds[2]);
}
END_TEST

START_TEST(test_kept_alive_connection)
{
	char text[8192];
	int fd = connect_to();

	for (int i = 0; i < 50; i++) {
		post(fd, "/v1/predictions", "",
		     "{\"job\":{\"user_id\":0,\"name\":\"x\"}}");
		ck_assert_int_eq(reply(fd, text), 200);
		ck_assert_ptr_nonnull(strstr(text, "\"id\":\""));
	}
	/* A refusal after the body was read does not end the connection. */
	post(fd, "/v1/predictions", "", "{\"job\":{\"user_id\":-1}}");
	ck_assert_int_eq(reply(fd, text), 400);
	post(fd, "/v1/predictions", "", "{\"job\":{\"user_id\":0}}");
	ck_assert_int_eq(reply(fd, text), 200);
	close(fd);
}
END_TEST

START_TEST(test_not_ready)
{
	char text[8192];

	atomic_store(&ready, false);
	ck_assert_int_eq(send_post("/v1/predictions", "", "{}", text), 503);
	atomic_store(&ready, true);
	ck_assert_int_eq(send_post("/v1/predictions", "", "{}", text), 400);
}
END_TEST

START_TEST(test_munged_is_away)
{
	char text[8192];

	ck_assert_int_eq(send_post("/v1/runs", "Authorization: MUNGE xyz\r\n",
				   SHARE, text),
			 503);
	ck_assert_int_eq(send_post("/v1/runs", "Authorization: Basic xyz\r\n",
				   SHARE, text),
			 401);
	ck_assert_ptr_nonnull(strstr(text, "WWW-Authenticate: MUNGE"));
	ck_assert_int_eq(store.calls, 0);
}
END_TEST

START_TEST(test_no_more_than_it_said)
{
	char text[8192];
	int fd = connect_to();
	static const char large[] = "POST /v1/runs HTTP/1.1\r\nHost: x\r\n"
				    "Content-Length: 1048577\r\n\r\n";
	static const char chunked[] = "POST /v1/runs HTTP/1.1\r\nHost: x\r\n"
				      "Transfer-Encoding: chunked\r\n\r\n";

	send(fd, large, sizeof(large) - 1, MSG_NOSIGNAL);
	ck_assert_int_eq(reply(fd, text), 413);
	close(fd);
	fd = connect_to();
	send(fd, chunked, sizeof(chunked) - 1, MSG_NOSIGNAL);
	ck_assert_int_eq(reply(fd, text), 411);
	close(fd);
	fd = connect_to();
	send(fd, "\x16\x03\x01 garbage\r\n\r\n", 15, MSG_NOSIGNAL);
	ck_assert_int_ne(reply(fd, text), 200);
	close(fd);
	ck_assert_int_eq(http->body_bytes, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("server");
	TCase *tests = tcase_create("server");
	SRunner *runner = srunner_create(suite);

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, test_run_is_acknowledged, AT_ONCE, REFUSE);
	tcase_add_test(tests, test_run_is_not_stored);
	tcase_add_test(tests, test_bad_runs);
	tcase_add_test(tests, test_queries);
	tcase_add_test(tests, test_replies_take_locks_in_order);
	tcase_add_test(tests, test_curve);
	tcase_add_test(tests, test_measurements);
	tcase_add_test(tests, test_many_at_once_are_suspended);
	tcase_add_test(tests, test_end_before_the_commit);
	tcase_add_test(tests, test_kept_alive_connection);
	tcase_add_test(tests, test_not_ready);
	tcase_add_test(tests, test_munged_is_away);
	tcase_add_test(tests, test_no_more_than_it_said);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
