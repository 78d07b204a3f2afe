/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_listen.c - sockets: addresses; predecessors, dead and alive */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predictor/base/trusted_socket.h"
#include "predictor/http/gate/listen.h"

static char dir[] = "/tmp/test_listen.XXXXXX";
static char address[LISTEN_ADDRESS_SIZE];
static struct sp_error err;

static const char *path(void)
{
	return address + strlen("unix:");
}

static void set_up(void)
{
	strcpy(dir, "/tmp/test_listen.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(address, sizeof(address), "unix:%s/socket", dir);
}

static void tear_down(void)
{
	char lock[LISTEN_ADDRESS_SIZE + 8];

	snprintf(lock, sizeof(lock), "%s.lock", path());
	unlink(path());
	unlink(lock);
	ck_assert_int_eq(rmdir(dir), 0);
}

START_TEST(test_addresses)
{
	static const char *const good[] = {
		"unix:/a", "127.0.0.1:7380", "[::1]:7380", "*:1", "0.0.0.0:80",
	};
	static const char *const bad[] = {
		"",          "unix:",     "unix:a",      "unix:./a",
		"localhost", ":7380",     "127.0.0.1",   "127.0.0.1:",
		"host:1",    "1.2.3.4:x", "1.2.3.4:-1x", "[::1:7380",
		"[",         "]:1",       "[]:1",        "http://127.0.0.1:1",
	};
	char text[300];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		ck_assert_msg(!listener_check(good[i], &err), "%s: %s", good[i],
			      err.text);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(listener_check(bad[i], &err) == -1, "%s", bad[i]);

	/* The kernel accepts 107 bytes. */
	snprintf(text, sizeof(text), "unix:/%0106d", 0);
	ck_assert_int_eq(listener_check(text, &err), 0);
	snprintf(text, sizeof(text), "unix:/%0107d", 0);
	ck_assert_int_eq(listener_check(text, &err), -1);
	snprintf(text, sizeof(text), "%0290d:80", 0);
	ck_assert_int_eq(listener_check(text, &err), -1);
}
END_TEST

static const char *trusted(void)
{
	static char name[SOCKET_PATH_SIZE];

	ck_assert_int_eq(trusted_socket_path(path(), name), 0);
	return name;
}

START_TEST(test_permissions_and_close)
{
	struct listener l;
	struct stat status;

	ck_assert_msg(!listener_open(address, 0640, &l, &err), "%s", err.text);
	ck_assert_int_eq(stat(path(), &status), 0);
	ck_assert_int_eq(status.st_mode & 0777, 0640);
	ck_assert_int_eq(stat(trusted(), &status), 0);
	ck_assert_int_eq(status.st_mode & 0777, 0600);
	listener_close(&l);
	listener_close(&l);
	ck_assert_int_ne(stat(path(), &status), 0);
	ck_assert_int_ne(stat(trusted(), &status), 0);
}
END_TEST

START_TEST(test_living_one_is_left_alone)
{
	struct listener first, second = { .fd = 77, .lock_fd = 78 };

	ck_assert_int_eq(listener_open(address, 0666, &first, &err), 0);
	ck_assert_int_eq(listener_open(address, 0666, &second, &err), -1);
	ck_assert_int_eq(second.fd, 77);
	ck_assert_int_eq(access(path(), F_OK), 0);
	listener_close(&first);
}
END_TEST

START_TEST(test_foreign_one_is_left_alone)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	struct listener l;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(name.sun_path, path());
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&name, sizeof(name)), 0);
	ck_assert_int_eq(listen(fd, 1), 0);
	ck_assert_int_eq(listener_open(address, 0666, &l, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "another process listens"));
	close(fd);
}
END_TEST

START_TEST(test_file_is_left_alone)
{
	struct listener l;
	int fd = open(path(), O_CREAT | O_WRONLY, 0600);

	close(fd);
	ck_assert_int_eq(listener_open(address, 0666, &l, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "not a socket"));
	ck_assert_int_eq(access(path(), F_OK), 0);
}
END_TEST

START_TEST(test_dead_one_is_replaced)
{
	struct listener l;
	pid_t child = fork();
	int status;

	if (child == 0) {
		listener_open(address, 0666, &l, NULL);
		_exit(0); /* without listener_close(), as when killed */
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(access(path(), F_OK), 0);
	ck_assert_msg(!listener_open(address, 0666, &l, &err), "%s", err.text);
	listener_close(&l);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("listen");
	TCase *tests = tcase_create("listen");
	SRunner *runner = srunner_create(suite);

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, test_addresses);
	tcase_add_test(tests, test_permissions_and_close);
	tcase_add_test(tests, test_living_one_is_left_alone);
	tcase_add_test(tests, test_foreign_one_is_left_alone);
	tcase_add_test(tests, test_file_is_left_alone);
	tcase_add_test(tests, test_dead_one_is_replaced);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
