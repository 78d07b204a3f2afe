/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_notify.c - what the service manager gets, from a socket like its own */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "predictor/base/notify.h"
#include "tests/unit/suite.h"

static char path[64];
static int fd;

/* '@' stands for an abstract socket. */
static void manager_listen(const char *at)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", at);
	if (*at == '@')
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(
		bind(fd, (struct sockaddr *)&address,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
				 strlen(at))),
		0);
	setenv("NOTIFY_SOCKET", at, 1);
}

static void expect_report(const char *state)
{
	char got[64] = "";

	ck_assert_int_gt(recv(fd, got, sizeof(got) - 1, 0), 0);
	ck_assert_str_eq(got, state);
}

static void expect_silence(void)
{
	char got[64];

	ck_assert_int_eq(recv(fd, got, sizeof(got), 0), -1);
}

static void set_up(void)
{
	snprintf(path, sizeof(path), "/tmp/test_notify.%d", (int)getpid());
	manager_listen(path);
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

static void tear_down(void)
{
	close(fd);
	unlink(path);
}

START_TEST(test_reports)
{
	ck_assert(notify_send(NOTIFY_READY));
	expect_report("READY=1");
	ck_assert(notify_send(NOTIFY_STOPPING));
	expect_report("STOPPING=1");
	expect_silence();
}
END_TEST

START_TEST(test_abstract)
{
	close(fd);
	path[0] = '@';
	manager_listen(path);
	path[0] = '/';
	ck_assert(notify_send(NOTIFY_READY));
	expect_report("READY=1");
}
END_TEST

START_TEST(test_nobody_listens)
{
	static const char *const sockets[] = { "", "/", "relative",
					       "/tmp/there/is/none" };
	char longest[200];

	unsetenv("NOTIFY_SOCKET");
	ck_assert(!notify_send(NOTIFY_READY));
	for (size_t i = 0; i < sizeof(sockets) / sizeof(*sockets); i++) {
		setenv("NOTIFY_SOCKET", sockets[i], 1);
		ck_assert(!notify_send(NOTIFY_READY));
	}
	memset(longest, 'x', sizeof(longest) - 1);
	longest[0] = '/';
	longest[sizeof(longest) - 1] = '\0';
	setenv("NOTIFY_SOCKET", longest, 1);
	ck_assert(!notify_send(NOTIFY_READY));
	expect_silence();
}
END_TEST

START_TEST(test_watchdog)
{
	struct watchdog watchdog;
	char pid[16];

	setenv("WATCHDOG_USEC", "6300000", 1);
	watchdog_init(&watchdog);
	ck_assert_double_eq_tol(watchdog.period_s, 2.1, 1e-9);
	ck_assert_double_eq(watchdog.due_s, 0);
	expect_silence();
	watchdog_feed(&watchdog, 17.25);
	expect_report("WATCHDOG=1");
	ck_assert_double_eq_tol(watchdog.due_s, 19.35, 1e-9);

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv("WATCHDOG_PID", pid, 1);
	watchdog_init(&watchdog);
	ck_assert_double_eq(watchdog.due_s, 0);
}
END_TEST

/* Values of another process, none, or nonsense. */
START_TEST(test_no_watchdog)
{
	static const char *const values[] = { "", "0", "-5", "soon", "nan" };
	struct watchdog watchdog;

	watchdog_init(&watchdog);
	ck_assert(isinf(watchdog.due_s));
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		setenv("WATCHDOG_USEC", values[i], 1);
		watchdog_init(&watchdog);
		ck_assert(isinf(watchdog.due_s));
	}
	setenv("WATCHDOG_USEC", "6300000", 1);
	setenv("WATCHDOG_PID", "1", 1);
	watchdog_init(&watchdog);
	ck_assert(isinf(watchdog.due_s));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_reports,        test_abstract,
				       test_nobody_listens, test_watchdog,
				       test_no_watchdog,    NULL };

	return suite_run_each("notify", tests, set_up, tear_down);
}
