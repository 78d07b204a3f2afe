/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_liveness.c - the watchdog is fed only when a reply comes */
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "predictor/daemon/liveness.h"
#include "tests/unit/suite.h"

#define ASKED_MS 20000

static char path[64];
static struct listener listeners[2];
static struct engine *engine;
static int manager;
static const char *reply; /* NULL: none comes */
static int turns;         /* calls until it was known */

static void *serve(void *context)
{
	struct pollfd asked = { listeners[1].trusted_fd, POLLIN, 0 };
	char request[512];
	int fd;

	(void)context;
	/* accept() alone does not wait: the socket is predictd's. */
	if (poll(&asked, 1, ASKED_MS) < 1)
		return NULL;
	fd = accept(asked.fd, NULL, NULL);
	if (fd < 0)
		return NULL;
	if (recv(fd, request, sizeof(request), 0) > 0 && reply)
		send(fd, reply, strlen(reply), MSG_NOSIGNAL);
	else
		sleep(1);
	close(fd);
	return NULL;
}

static void set_up(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct sp_error err;

	snprintf(path, sizeof(path), "/tmp/test_liveness.%d", (int)getpid());
	strcpy(address.sun_path, path);
	manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	ck_assert_int_eq(
		bind(manager, (struct sockaddr *)&address, sizeof(address)), 0);
	setenv("NOTIFY_SOCKET", path, 1);
	setenv("WATCHDOG_USEC", "1800000", 1);
	unsetenv("WATCHDOG_PID");
	listeners[0] =
		(struct listener){ .fd = -1, .lock_fd = -1, .trusted_fd = -1 };

	char socket_path[96];

	snprintf(socket_path, sizeof(socket_path), "unix:%s.sock", path);
	ck_assert_int_eq(listener_open(socket_path, 0600, &listeners[1], &err),
			 0);
	engine = engine_create();
	ck_assert_ptr_nonnull(engine);
}

static void tear_down(void)
{
	engine_destroy(engine);
	listener_close(&listeners[1]);
	close(manager);
	unlink(path);
}

/* Whether the watchdog was fed when the server gave `text`. */
static bool fed(const char *text, struct liveness *ret)
{
	pthread_t server;
	char got[32] = "";

	reply = text;
	liveness_init(ret, engine, listeners, 2);
	ck_assert_int_eq(pthread_create(&server, NULL, serve, NULL), 0);
	turns = 0;
	do {
		liveness_run(ret);
		turns++;
	} while (ret->fd >= 0);
	pthread_join(server, NULL);
	return recv(manager, got, sizeof(got), 0) > 0 &&
	       !strcmp(got, "WATCHDOG=1");
}

START_TEST(test_reply)
{
	struct liveness l;

	/* The reply has time on a busy machine, too. */
	setenv("WATCHDOG_USEC", "18000000", 1);
	ck_assert(fed("HTTP/1.1 200 OK\r\n\r\n", &l));
	ck_assert_double_gt(liveness_wait_s(&l, 30), 3);
	ck_assert_double_le(liveness_wait_s(&l, 30), 6);
	ck_assert_double_eq(liveness_wait_s(&l, 0.125), 0.125);
	/* Not due again yet: nobody serves a second request. */
	liveness_run(&l);
	ck_assert(fed("HTTP/1.1 503 Service Unavailable\r\n\r\n", &l));
}
END_TEST

START_TEST(test_no_reply)
{
	struct liveness l;

	ck_assert(!fed(NULL, &l));
	/* The thread handled signals in between. */
	ck_assert_int_gt(turns, 1);
	ck_assert_double_le(liveness_wait_s(&l, 30), 0.2); /* soon again */
	ck_assert(!fed("SSH-2.0-OpenSSH\r\n", &l));
	ck_assert(!fed("HTT", &l));
	listener_close(&listeners[1]);
	liveness_init(&l, engine, listeners, 2);
	liveness_run(&l);
	ck_assert_double_le(liveness_wait_s(&l, 30), 0.2);
}
END_TEST

/* Without a watchdog no request is sent. */
START_TEST(test_no_watchdog)
{
	struct liveness l;
	char got[32];

	unsetenv("WATCHDOG_USEC");
	liveness_init(&l, engine, listeners, 2);
	liveness_run(&l);
	ck_assert_int_eq(recv(manager, got, sizeof(got), 0), -1);
	ck_assert_double_eq(liveness_wait_s(&l, 30), 30);
}
END_TEST

/* Without a Unix socket the engine alone is checked. */
START_TEST(test_tcp_alone)
{
	struct liveness l;
	char got[32];

	liveness_init(&l, engine, listeners, 1);
	liveness_run(&l);
	ck_assert_int_gt(recv(manager, got, sizeof(got), 0), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_reply, test_no_reply,
				       test_no_watchdog, test_tcp_alone, NULL };

	return suite_run_each("liveness", tests, set_up, tear_down);
}
