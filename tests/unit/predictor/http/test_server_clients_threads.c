/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_server_clients_threads.c - clients that are many, rude, or in a hurry */
#include "tests/unit/predictor/http/scripted_server.h"

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
	const TTest *const tests[] = {
		test_many_at_once_are_suspended, test_end_before_the_commit,
		test_kept_alive_connection,      test_munged_is_away,
		test_no_more_than_it_said,       NULL,
	};

	return run_tests(tests, false);
}
