/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_descriptors.c - all file descriptors but some are closed */
#include <fcntl.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predictor/base/descriptors.h"
#include "tests/unit/suite.h"

#define OPENED 300

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

START_TEST(test_keep_only)
{
	int opened[OPENED], kept[2];
	struct sp_error err;

	for (int i = 0; i < OPENED; i++)
		ck_assert_int_ge(opened[i] = open("/dev/null", O_RDONLY), 3);
	kept[0] = opened[OPENED - 1];
	kept[1] = opened[7];

	/* In a child, as its users do: Check has descriptors of its own. */
	pid_t child = fork();

	if (child == 0) {
		int wrong = descriptors_keep_only(kept, 2, &err) != 0;

		for (int i = 0; i < OPENED; i++)
			wrong += is_open(opened[i]) !=
				 (i == 7 || i == OPENED - 1);
		for (int fd = 0; fd < 3; fd++)
			wrong += !is_open(fd);
		_exit(wrong != 0);
	}

	int status = -1;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	for (int i = 0; i < OPENED; i++) {
		ck_assert(is_open(opened[i]));
		close(opened[i]);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_keep_only, NULL };

	return suite_run("descriptors", tests);
}
