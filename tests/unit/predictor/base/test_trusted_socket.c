/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trusted_socket.c - who may use the socket of operators and collectors
 *
 * Other users are tried where the test is run by root.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predictor/base/trusted_socket.h"

static char folder[64], path[96], trusted[SOCKET_PATH_SIZE];

static void file_make(const char *name, mode_t mode)
{
	int fd = open(name, O_CREAT | O_WRONLY, 0600);

	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(chmod(name, mode), 0);
}

static void set_up(void)
{
	strcpy(folder, "/tmp/test_trusted.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chmod(folder, 0755), 0);
	snprintf(path, sizeof(path), "%s/sock", folder);
	ck_assert_int_eq(trusted_socket_path(path, trusted), 0);
	file_make(path, 0666);
}

static void tear_down(void)
{
	unlink(path);
	unlink(trusted);
	rmdir(folder);
}

/* Whether a process of that user takes the trusted socket. */
static bool chooses_trusted(uid_t uid)
{
	char chosen[SOCKET_PATH_SIZE];
	pid_t child = fork();
	int status;

	if (child == 0) {
		if (setuid(uid))
			_exit(2);
		trusted_socket_choose(path, chosen);
		_exit(strcmp(chosen, trusted) != 0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) < 2);
	return WEXITSTATUS(status) == 0;
}

START_TEST(test_public_one_where_there_is_no_other)
{
	char chosen[SOCKET_PATH_SIZE];

	trusted_socket_choose(path, chosen);
	ck_assert_str_eq(chosen, path);
	file_make(trusted, 0600);
	trusted_socket_choose(path, chosen);
	ck_assert_str_eq(chosen, trusted);
}
END_TEST

START_TEST(test_long_path)
{
	char text[SOCKET_PATH_SIZE], chosen[SOCKET_PATH_SIZE];

	/* The kernel accepts 107 bytes. */
	snprintf(text, sizeof(text), "/%098d", 0);
	ck_assert_int_eq(trusted_socket_path(text, chosen), 0);
	ck_assert_uint_eq(strlen(chosen), 107);
	snprintf(text, sizeof(text), "/%099d", 0);
	ck_assert_int_eq(trusted_socket_path(text, chosen), -1);
	trusted_socket_choose(text, chosen);
	ck_assert_str_eq(chosen, text);
}
END_TEST

START_TEST(test_users_who_are_admitted)
{
	static const uid_t uids[] = { 30017, 0, 30019, 30017 };
	struct stat status;

	file_make(trusted, 0600);
	if (trusted_socket_admit(trusted, uids, 4)) {
		ck_assert_int_eq(errno, ENOTSUP);
		return; /* /tmp has no access control lists */
	}
	ck_assert_int_eq(stat(trusted, &status), 0);
	ck_assert_int_eq(status.st_mode & 0007, 0);
	if (geteuid())
		return;
	ck_assert(chooses_trusted(0));
	ck_assert(chooses_trusted(30017));
	ck_assert(!chooses_trusted(30018));
	ck_assert(chooses_trusted(30019));
	ck_assert_int_eq(trusted_socket_admit(trusted, uids + 2, 1), 0);
	ck_assert(!chooses_trusted(30017));
	ck_assert(chooses_trusted(30019));
	ck_assert_int_eq(trusted_socket_admit(trusted, NULL, 0), 0);
	ck_assert(!chooses_trusted(30019));
	ck_assert_int_eq(trusted_socket_admit("/nonexistent", uids, 1), -1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trusted_socket");
	TCase *tests = tcase_create("trusted_socket");
	SRunner *runner = srunner_create(suite);

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, test_public_one_where_there_is_no_other);
	tcase_add_test(tests, test_long_path);
	tcase_add_test(tests, test_users_who_are_admitted);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
