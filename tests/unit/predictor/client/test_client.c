/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_client.c - a request, its deadline, and what a server can do wrong */
#include <check.h>
#include <math.h>

#include "predictor/base/clock.h"
#include "predictor/base/trusted_socket.h"
#include "predictor/client/client.h"
#include "tests/unit/predictor/client/canned.h"
#include "tests/unit/suite.h"

static struct canned server;
static struct client *client;
static struct client_reply reply;
static struct sp_error err;

static void start(const char *text)
{
	server.reply = text;
	canned_start(&server);
	client = client_create(server.url, "", &err);
	ck_assert_msg(client != NULL, "%s", err.text);
}

static void stop(void)
{
	client_destroy(client);
	canned_stop(&server);
}

static int post(const char *body, long deadline_ms)
{
	return client_request(client, "/v1/predictions", body, strlen(body),
			      deadline_ms, &reply, &err);
}

START_TEST(test_keeps_its_connection)
{
	start(OK_HEAD "Content-Length: 7\r\n\r\n{\"a\":1}");
	for (int i = 0; i < 20; i++) {
		ck_assert_msg(!post("{\"b\": 2}", 2000), "%s", err.text);
		ck_assert_int_eq(reply.status, 200);
		ck_assert_uint_eq(reply.size, 7);
		ck_assert_str_eq(reply.body, "{\"a\":1}");
	}
	ck_assert_int_eq(server.connections, 1);
	ck_assert_ptr_nonnull(
		strstr(server.request, "POST /v1/predictions HTTP/1.1\r\n"));
	ck_assert_ptr_nonnull(strstr(server.request, "\r\n\r\n{\"b\": 2}"));
	ck_assert_ptr_null(strstr(server.request, "Expect"));
	/* A Unix socket identifies the client: no credential is used. */
	ck_assert_ptr_null(strstr(server.request, "Authorization"));
	stop();
}
END_TEST

START_TEST(test_get)
{
	start("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
	ck_assert_msg(!client_request(client, "/v1/nodes", NULL, 0, 2000,
				      &reply, &err),
		      "%s", err.text);
	ck_assert_int_eq(reply.status, 404);
	ck_assert_str_eq(reply.body, "");
	ck_assert_ptr_nonnull(strstr(server.request, "GET /v1/nodes HTTP"));
	stop();
}
END_TEST

/* A URL is kept between requests: nothing of the last one may stay in it. */
START_TEST(test_each_path_is_asked_for)
{
	static const char *const paths[] = {
		"/v1/runs?limit=3&since=1.5",
		"/v1/runs?limit=3&since=1.5",
		"/v1/nodes",
		"/v1/runs?limit=17",
		"/livez",
	};

	start(OK_HEAD "Content-Length: 2\r\n\r\n{}");
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		char line[64];

		snprintf(line, sizeof(line), "GET %s HTTP/1.1\r\n", paths[i]);
		ck_assert_msg(!client_request(client, paths[i], NULL, 0, 2000,
					      &reply, &err),
			      "%s", err.text);
		ck_assert_ptr_eq(strstr(server.request, line), server.request);

		/* What is no URL is refused, and leaves no trace. */
		ck_assert_int_eq(client_request(client, "/v1/a b", NULL, 0,
						2000, &reply, &err),
				 -1);
		ck_assert_ptr_nonnull(strstr(err.text, "/v1/a b: "));
	}
	ck_assert_int_eq(server.connections, 1);
	stop();
}
END_TEST

START_TEST(test_large_body_goes_whole)
{
	static char body[40000];

	memset(body, 'x', sizeof(body) - 1);
	start(OK_HEAD "Content-Length: 2\r\n\r\n{}");
	ck_assert_msg(!post(body, 2000), "%s", err.text);
	ck_assert_uint_eq(strlen(strstr(server.request, "\r\n\r\n") + 4),
			  sizeof(body) - 1);
	stop();
}
END_TEST

START_TEST(test_survives_closed_connections)
{
	server.requests_each = 1;
	start(OK_HEAD "Content-Length: 2\r\n\r\n{}");
	for (int i = 0; i < 50; i++)
		ck_assert_msg(!post("{}", 2000), "request %d: %s", i, err.text);
	ck_assert_int_eq(server.connections, 50);
	stop();
}
END_TEST

static void expect_deadline(long deadline_ms)
{
	double began_s = clock_monotonic_s();

	ck_assert_int_eq(post("{}", deadline_ms), -1);

	double took_ms = (clock_monotonic_s() - began_s) * 1e3;

	ck_assert_msg(strstr(err.text, "no reply within"), "%s", err.text);
	/* Generous: sanitizers and busy machines are slow. */
	ck_assert_double_ge(took_ms, (double)deadline_ms - 1);
	ck_assert_double_le(took_ms, (double)deadline_ms + 250);
}

START_TEST(test_silence_ends_at_deadline)
{
	start(NULL);
	expect_deadline(17);
	stop();
}
END_TEST

START_TEST(test_dribbling_ends_at_deadline)
{
	server.piece = 1;
	server.pause_ms = 3;
	start(OK_HEAD "Content-Length: 2\r\n\r\n{}");
	expect_deadline(37);
	stop();
}
END_TEST

/* However long it stays awake: less than the first piece takes, less than the
 * last one, or longer than there is time for. */
START_TEST(test_awake_or_asleep)
{
	static const double awake_s[] = { 0.001, 0.03, 60 };

	server.piece = 20;
	server.pause_ms = 20;
	start(OK_HEAD "Content-Length: 2\r\n\r\n{}");
	for (size_t i = 0; i < sizeof(awake_s) / sizeof(awake_s[0]); i++) {
		client_stay_awake(client, awake_s[i]);
		ck_assert_msg(!post("{}", 5000), "%s", err.text);
		ck_assert_str_eq(reply.body, "{}");
	}
	stop();
}
END_TEST

START_TEST(test_awake_ends_at_deadline)
{
	start(NULL);
	client_stay_awake(client, 60);
	expect_deadline(30);
	stop();
}
END_TEST

/* What came of an abandoned exchange must not be taken for the next reply. */
START_TEST(test_late_reply_is_not_mixed_up)
{
	server.piece = 19;
	server.pause_ms = 30;
	start(OK_HEAD "Content-Length: 2\r\n\r\n{}");
	expect_deadline(11);
	server.pause_ms = 0;
	ck_assert_msg(!post("{}", 5000), "%s", err.text);
	ck_assert_str_eq(reply.body, "{}");
	ck_assert_int_eq(server.connections, 2);
	stop();
}
END_TEST

static void expect_refusal(void)
{
	ck_assert_int_eq(post("{}", 3000), -1);
	ck_assert_msg(!strstr(err.text, "no reply within"), "%s", err.text);
}

START_TEST(test_limits_the_reply)
{
	start(OK_HEAD "Content-Length: 7\r\n\r\n{\"a\":1}");
	client_limit_reply(client, 7);
	ck_assert_msg(!post("{}", 2000), "%s", err.text);
	client_limit_reply(client, 6);
	ck_assert_int_eq(post("{}", 2000), -1);
	ck_assert_msg(strstr(err.text, "larger than 6 bytes"), "%s", err.text);
	stop();
}
END_TEST

START_TEST(test_endless_body)
{
	server.endless = true;
	/* Without a length the reply ends with the connection, that
	 * is, never. */
	start(OK_HEAD "\r\nand so on and on and on");
	client_limit_reply(client, 20000);
	expect_refusal();
	stop();
}
END_TEST

START_TEST(test_endless_headers)
{
	server.endless = true;
	start("HTTP/1.1 200 OK\r\nX-A: b\r\nX-C: d\r\nX-E: f\r\nX-G: h");
	expect_refusal();
	stop();
}
END_TEST

START_TEST(test_continue_storm)
{
	server.endless = true;
	start("HTTP/1.1 100 Continue\r\n\r\n");
	expect_refusal();
	stop();
}
END_TEST

START_TEST(test_length_beyond_reason)
{
	start(OK_HEAD "Content-Length: 5368709120\r\n\r\n{}");
	expect_refusal();
	stop();
}
END_TEST

START_TEST(test_not_http)
{
	server.requests_each = 1;
	start("SSH-2.0-OpenSSH_9.2\r\n");
	expect_refusal();
	stop();
}
END_TEST

START_TEST(test_redirect_is_not_followed)
{
	start("HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\n"
	      "Content-Length: 0\r\n\r\n");
	ck_assert_msg(!post("{}", 2000), "%s", err.text);
	ck_assert_int_eq(reply.status, 302);
	stop();
}
END_TEST

START_TEST(test_nobody_listens)
{
	client = client_create("unix:/nonexistent/predictd.sock", NULL, &err);
	ck_assert_ptr_nonnull(client);
	for (int i = 0; i < 3; i++)
		expect_refusal();
	client_destroy(client);
}
END_TEST

/* A predictd that was killed left its trusted socket behind; one without such a
 * socket, of an older release, listens now. */
START_TEST(test_dead_trusted_socket)
{
	struct sockaddr_un dead = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	start(OK_HEAD "Content-Length: 2\r\n\r\n{}");
	ck_assert_int_eq(
		trusted_socket_path(server.address.sun_path, dead.sun_path), 0);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&dead, sizeof(dead)), 0);
	close(fd);
	for (int i = 0; i < 3; i++) {
		ck_assert_msg(!post("{}", 2000), "%s", err.text);
		ck_assert_int_eq(reply.status, 200);
	}
	unlink(dead.sun_path);
	ck_assert_msg(!post("{}", 2000), "%s", err.text);
	stop();
}
END_TEST

START_TEST(test_odd_paths)
{
	static char path[4000];

	start(OK_HEAD "Content-Length: 2\r\n\r\n{}");
	memset(path, '/', sizeof(path) - 1);
	ck_assert_int_eq(
		client_request(client, path, NULL, 0, 100, &reply, &err), -1);
	ck_assert_int_eq(
		client_request(client, "v1", NULL, 0, 100, &reply, &err), -1);
	ck_assert_int_eq(server.connections, 0);
	stop();
}
END_TEST

START_TEST(test_credential_needs_munge)
{
	client =
		client_create("http://127.0.0.1:9", "/nonexistent/munge", &err);
	ck_assert_msg(client != NULL, "%s", err.text);
	ck_assert_int_eq(post("{}", 2000), -1);
	ck_assert_msg(strstr(err.text, "MUNGE"), "%s", err.text);
	client_destroy(client);
	client_destroy(NULL);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_keeps_its_connection,
		test_get,
		test_each_path_is_asked_for,
		test_large_body_goes_whole,
		test_survives_closed_connections,
		test_silence_ends_at_deadline,
		test_dribbling_ends_at_deadline,
		test_awake_or_asleep,
		test_awake_ends_at_deadline,
		test_late_reply_is_not_mixed_up,
		test_limits_the_reply,
		test_endless_body,
		test_endless_headers,
		test_continue_storm,
		test_length_beyond_reason,
		test_not_http,
		test_redirect_is_not_followed,
		test_nobody_listens,
		test_dead_trusted_socket,
		test_odd_paths,
		test_credential_needs_munge,
		NULL,
	};

	return suite_run("client", tests);
}
