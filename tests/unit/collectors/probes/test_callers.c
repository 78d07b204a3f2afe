/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_callers.c - who may wait at the door of a collectord, and for
 * how long */
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collectors/probes/callers.h"
#include "collectors/probes/probe.h"
#include "predictor/base/clock.h"
#include "tests/unit/suite.h"

#define PATIENCE_S 20

static struct sp_error err;
static struct callers callers;
static int port;
static char answered[8][64];
static int answers;

static void answer(void *context, struct caller *caller, const char *line)
{
	(void)context;
	ck_assert_int_ge(caller->fd, 0);
	ck_assert_uint_eq(strlen(caller->nonce), NONCE_SIZE - 1);
	snprintf(answered[answers++], sizeof(answered[0]), "%.60s", line);
}

static void open_door(void)
{
	struct sockaddr_in at;
	socklen_t size = sizeof(at);

	callers_init(&callers);
	ck_assert_msg(!callers_open(&callers, "127.0.0.1", 0, &err), "%s",
		      err.text);
	getsockname(callers.listener, (struct sockaddr *)&at, &size);
	port = ntohs(at.sin_port);
}

static int present(void)
{
	int count = 0;

	for (int i = 0; i < CALLERS_MAX; i++)
		count += callers.of[i].fd >= 0;
	return count;
}

/* What a prober's thread does, once. */
static void turn(double wait_s)
{
	struct pollfd fds[1 + CALLERS_MAX];
	double left_s = callers_wait(&callers, fds) - clock_monotonic_s();

	left_s = fmax(0, fmin(left_s, wait_s));
	poll(fds, 1 + CALLERS_MAX, (int)ceil(left_s * 1e3));
	callers_run(&callers, fds, answer, NULL);
}

/* On a busy machine a test takes longer than callers may: the newest is given
 * `more_s`. */
static int call_in(double more_s)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons((uint16_t)port),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	ck_assert_int_eq(connect(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	turn(1);

	struct caller *newest = callers.of;

	for (int i = 1; i < CALLERS_MAX; i++)
		if (callers.of[i].fd > newest->fd)
			newest = &callers.of[i];
	newest->until_s += more_s;
	return fd;
}

/* True: nothing more will come. */
static bool ended(int fd)
{
	char bytes[256];
	ssize_t got;

	do
		got = recv(fd, bytes, sizeof(bytes), 0);
	while (got > 0);
	return got == 0 || errno == ECONNRESET;
}

START_TEST(test_greeted_and_answered)
{
	char greeting[128] = "";

	open_door();
	ck_assert(isinf(
		callers_wait(&callers, (struct pollfd[1 + CALLERS_MAX]){ 0 })));
	int fd = call_in(PATIENCE_S);

	ck_assert_int_eq(present(), 1);
	ck_assert_int_gt(recv(fd, greeting, sizeof(greeting) - 1, 0), 0);
	ck_assert_int_eq(
		strncmp(greeting, PROBE_GREETING, sizeof(PROBE_GREETING) - 1),
		0);
	ck_assert_ptr_nonnull(strstr(greeting, callers.of[0].nonce));
	/* Half a line is none. */
	send(fd, "it is", 5, 0);
	turn(1);
	ck_assert_int_eq(answers, 0);
	ck_assert_int_eq(present(), 1);
	send(fd, " me\n", 4, 0);
	turn(1);
	ck_assert_int_eq(answers, 1);
	ck_assert_str_eq(answered[0], "it is me");
	ck_assert_int_eq(present(), 0);
	ck_assert(ended(fd));
	close(fd);
	callers_close(&callers);
}
END_TEST

START_TEST(test_silence)
{
	open_door();
	int fd = call_in(0);
	double began_s = clock_monotonic_s();

	while (present() && clock_monotonic_s() < began_s + PATIENCE_S)
		turn(0.1);
	ck_assert_int_eq(present(), 0);
	ck_assert_double_gt(clock_monotonic_s() - began_s, 0.5);
	ck_assert_int_eq(answers, 0);
	ck_assert(ended(fd));
	close(fd);
	callers_close(&callers);
}
END_TEST

/* They can't keep anybody out. */
START_TEST(test_a_crowd)
{
	int fds[CALLERS_MAX + 1];

	open_door();
	for (int i = 0; i <= CALLERS_MAX; i++)
		fds[i] = call_in(PATIENCE_S);
	ck_assert_int_eq(present(), CALLERS_MAX);
	ck_assert(ended(fds[0])); /* silent for longest */
	send(fds[CALLERS_MAX], "last\n", 5, 0);
	turn(1);
	ck_assert_int_eq(answers, 1);
	ck_assert_str_eq(answered[0], "last");
	for (int i = 0; i <= CALLERS_MAX; i++)
		close(fds[i]);
	callers_close(&callers);
}
END_TEST

START_TEST(test_gone_and_endless)
{
	char bytes[LINE_SIZE + 100];

	open_door();
	close(call_in(PATIENCE_S));
	turn(1);
	ck_assert_int_eq(present(), 0);

	int fd = call_in(PATIENCE_S);

	memset(bytes, 'x', sizeof(bytes));
	ck_assert_int_gt(send(fd, bytes, sizeof(bytes), MSG_NOSIGNAL), 0);
	for (int i = 0; i < 10 && present(); i++)
		turn(0.1);
	ck_assert_int_eq(present(), 0);
	ck_assert_int_eq(answers, 0);
	close(fd);
	callers_close(&callers);
}
END_TEST

START_TEST(test_where)
{
	struct callers second;

	callers_init(&second);
	ck_assert_int_eq(callers_open(&second, "localhost", 0, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "numeric"));
	open_door();
	ck_assert_int_eq(callers_open(&second, "127.0.0.1", port, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, strerror(EADDRINUSE)));
	callers_close(&second);
	callers_close(&callers);
	callers_close(&callers);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_greeted_and_answered, test_silence, test_a_crowd,
		test_gone_and_endless,     test_where,   NULL,
	};

	return suite_run("callers", tests);
}
