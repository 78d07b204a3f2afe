/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_crowd.c - a user who connects all the time, beside operators
 *
 * Needs root, to be two users.
 */
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predictor/base/trusted_socket.h"
#include "predictor/http/http.h"
#include "tests/unit/suite.h"

#define USER     30017
#define OPERATOR 30018
#define CONNECTS 100

static char folder[64], address[LISTEN_ADDRESS_SIZE];
static atomic_bool ready = true;
static const struct store_ops ops;
static struct engine *engine;
static struct http *http;
static struct http_limits limits;

static void set_up(void)
{
	struct http_config config = {
		.store_ops = &ops,
		.answers = &ready,
		.ready = &ready,
		.munge_socket = "/nonexistent/munge",
		.limits = &limits,
	};
	struct listener listener;
	struct sp_error err;

	limits = http_limits_default;
	limits.user.requests_per_s = 1;
	strcpy(folder, "/tmp/test_crowd.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chmod(folder, 0755), 0);
	snprintf(address, sizeof(address), "unix:%s/socket", folder);
	access_list_add(&config.access.operators, OPERATOR, &err);
	ck_assert_msg(!listener_open(address, 0666, &listener, &err), "%s",
		      err.text);
	config.engine = engine = engine_create();
	ck_assert_ptr_nonnull(engine);
	http = http_create(&config, &listener, 1, &err);
	ck_assert_msg(http != NULL, "%s", err.text);
}

static void tear_down(void)
{
	char lock[LISTEN_ADDRESS_SIZE];

	http_destroy(http);
	engine_destroy(engine);
	snprintf(lock, sizeof(lock), "%s/socket.lock", folder);
	unlink(lock);
	/* Neither socket is left. */
	ck_assert_int_eq(rmdir(folder), 0);
}

/* A child process of that user. */
static pid_t user_start(uid_t uid)
{
	pid_t pid = fork();

	if (pid == 0 && (setgroups(0, NULL) || setgid(uid) || setuid(uid)))
		_exit(255);
	return pid;
}

static int result_of(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) < 255);
	return WEXITSTATUS(status);
}

/* Whether a request on a new connection to `path` gets any reply. */
static bool is_replied(const char *path)
{
	static const char request[] = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	char reply[16];
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(name.sun_path, sizeof(name.sun_path), "%s", path);

	bool replied = !connect(fd, (struct sockaddr *)&name, sizeof(name)) &&
		       send(fd, request, strlen(request), MSG_NOSIGNAL) > 0 &&
		       recv(fd, reply, sizeof(reply), 0) > 0;

	close(fd);
	return replied;
}

static int count_replies(const char *path)
{
	int count = 0;

	for (int i = 0; i < CONNECTS; i++)
		count += is_replied(path);
	return count;
}

/* Four connections for each request of five seconds' budget. */
START_TEST(test_a_user_is_cut_off)
{
	if (geteuid())
		return;

	pid_t pid = user_start(USER);

	if (pid == 0)
		_exit(count_replies(address + strlen("unix:")));

	int replied = result_of(pid);

	ck_assert_int_ge(replied, 20);
	ck_assert_int_lt(replied, CONNECTS);
	/* Nobody else is. */
	pid = user_start(USER + 2);
	if (pid == 0)
		_exit(is_replied(address + strlen("unix:")));
	ck_assert_int_eq(result_of(pid), 1);
	ck_assert_int_eq(count_replies(address + strlen("unix:")), CONNECTS);
}
END_TEST

/* The kernel lets an operator connect to it, and nobody else. */
START_TEST(test_trusted_socket)
{
	static const struct {
		uid_t uid;
		int replies;
	} rows[] = { { 0, CONNECTS }, { OPERATOR, CONNECTS }, { USER, 0 } };
	const uid_t nobody[] = { USER };
	char path[SOCKET_PATH_SIZE], other[LISTEN_ADDRESS_SIZE];

	if (geteuid())
		return;
	/* Else /tmp has no access control lists. */
	snprintf(other, sizeof(other), "%s/file", folder);
	fclose(fopen(other, "w"));

	bool has_lists = !trusted_socket_admit(other, nobody, 1);

	unlink(other);
	ck_assert_int_eq(trusted_socket_path(address + strlen("unix:"), path),
			 0);
	for (int i = 0; i < 3; i++) {
		pid_t pid = user_start(rows[i].uid);

		if (pid == 0)
			_exit(count_replies(path));
		ck_assert_int_eq(result_of(pid), has_lists || !rows[i].uid
							 ? rows[i].replies
							 : 0);
	}
}
END_TEST

/* An operator is added, and removed, while predictd runs. */
START_TEST(test_access_changes)
{
	struct access_lists access = { .operators = { .count = 0 } };
	char path[SOCKET_PATH_SIZE];

	if (geteuid())
		return;
	ck_assert_int_eq(trusted_socket_path(address + strlen("unix:"), path),
			 0);
	http_set_access(http, &access);

	pid_t pid = user_start(OPERATOR);

	if (pid == 0)
		_exit(is_replied(path));
	ck_assert_int_eq(result_of(pid), 0);
	/* It has the public one. */
	pid = user_start(OPERATOR);
	if (pid == 0)
		_exit(is_replied(address + strlen("unix:")));
	ck_assert_int_eq(result_of(pid), 1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_a_user_is_cut_off,
				       test_trusted_socket, test_access_changes,
				       NULL };

	return suite_run_each("crowd", tests, set_up, tear_down);
}
