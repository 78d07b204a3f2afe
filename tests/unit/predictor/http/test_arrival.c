/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_arrival.c - what a new client on TCP says first */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "predictor/http/arrival.h"
#include "tests/unit/suite.h"

#define MUNGE "Authorization: MUNGE MUNGE:AwQ:\r\n"

static const struct {
	const char *text;
	enum arrival arrival;
} rows[] = {
	{ "", ARRIVAL_ANYBODY },
	{ "POST /v1/runs HTTP/1.1\r\nHost: x\r\n", ARRIVAL_ANYBODY },
	{ "POST /v1/runs HTTP/1.1\r\n" MUNGE "\r\n", ARRIVAL_DAEMON },
	{ "POST /v1/measurements HTTP/1.1\r\nHost: x\r\n" MUNGE,
	  ARRIVAL_DAEMON },
	{ "GET /v1/snapshot?cluster=c HTTP/1.1\r\nauthorization: Bearer x\r\n",
	  ARRIVAL_DAEMON },
	{ "GET /v1/nodes HTTP/1.1\r\nX-slurm-user-token: x\r\n\r\n",
	  ARRIVAL_CREDENTIAL },
	{ "GET /v1/measurements HTTP/1.1\r\n" MUNGE, ARRIVAL_CREDENTIAL },
	{ "GET /none HTTP/1.1\r\n" MUNGE, ARRIVAL_CREDENTIAL },
	{ "nonsense\r\n" MUNGE, ARRIVAL_CREDENTIAL },
	{ "GET /livez HTTP/1.1\r\nX: ", ARRIVAL_ANYBODY },
};

START_TEST(test_looks)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t size = strlen(rows[i].text);
		char back[256];
		int fds[2];

		ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
		ck_assert_int_eq(send(fds[0], rows[i].text, size, 0), size);
		ck_assert_int_eq(arrival_look(routes, fds[1]), rows[i].arrival);
		/* It is still there. */
		ck_assert_int_eq(recv(fds[1], back, sizeof(back), MSG_DONTWAIT),
				 size ? (ssize_t)size : -1);
		close(fds[0]);
		ck_assert_int_eq(arrival_look(routes, fds[1]), ARRIVAL_GONE);
		close(fds[1]);
	}
}
END_TEST

/* More than it looks at, with bytes that end no text. */
START_TEST(test_long)
{
	char text[9000];
	int fds[2];

	memset(text, 'a', sizeof(text));
	memcpy(text, "POST /v1/runs HTTP/1.1\r\n" MUNGE, 56);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	ck_assert_int_eq(send(fds[0], text, sizeof(text), 0), sizeof(text));
	ck_assert_int_eq(arrival_look(routes, fds[1]), ARRIVAL_DAEMON);
	close(fds[0]);
	close(fds[1]);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_looks, test_long, NULL };

	return suite_run("arrival", tests);
}
