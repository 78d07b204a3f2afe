/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_file_size.c - how large a file is */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "predictor/base/file_size.h"
#include "tests/unit/suite.h"

START_TEST(test_sizes)
{
	char folder[] = "/tmp/test_file_size.XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(folder));

	int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int file = openat(fd, "a", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_eq(write(file, "12345", 5), 5);
	ck_assert_int_eq(mkfifoat(fd, "fifo", 0600), 0);
	ck_assert_double_eq(file_size(fd, "a"), 5);
	ck_assert_double_eq(file_size(fd, "b"), -1);
	ck_assert_double_eq(file_size(fd, "."), -1);
	ck_assert_double_eq(file_size(fd, "fifo"), -1);
	ck_assert_double_eq(file_size(fd, ""), -1);
	ck_assert_double_eq(file_size(AT_FDCWD, "/proc/self/stat"), -1);
	ck_assert_double_eq(file_size(-1, "a"), -1);
	unlinkat(fd, "a", 0);
	unlinkat(fd, "fifo", 0);
	close(file);
	close(fd);
	rmdir(folder);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_sizes, NULL };

	return suite_run("file_size", tests);
}
