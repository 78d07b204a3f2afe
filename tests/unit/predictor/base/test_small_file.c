/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_small_file.c - files of a few lines */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "predictor/base/small_file.h"
#include "tests/unit/suite.h"

START_TEST(test_reads)
{
	char folder[] = "/tmp/test_small_file.XXXXXX", text[8] = "before";

	ck_assert_ptr_nonnull(mkdtemp(folder));

	int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int file = openat(fd, "a", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_eq(small_file_line(folder, "a", text, sizeof(text)), -1);
	ck_assert_str_eq(text, "");
	ck_assert_int_eq(write(file, "123\n567890", 10), 10);
	ck_assert_int_eq(small_file_read(fd, "a", text, sizeof(text)), 7);
	ck_assert_str_eq(text, "123\n567");
	ck_assert_int_eq(small_file_line(folder, "a", text, sizeof(text)), 0);
	ck_assert_str_eq(text, "123\n");
	ck_assert_int_eq(small_file_line(folder, "a", text, 3), 0);
	ck_assert_str_eq(text, "12");
	ck_assert_int_eq(small_file_read(fd, "b", text, sizeof(text)), -1);
	ck_assert_str_eq(text, "");
	unlinkat(fd, "a", 0);
	rmdir(folder);
	close(file);
	close(fd);
}
END_TEST

START_TEST(test_writes)
{
	static const char nowhere[] = "/proc/self/no/such/file";
	struct sp_error err;

	ck_assert_int_eq(
		small_file_finish(fopen(nowhere, "we"), nowhere, 0, &err), -1);
	ck_assert_str_eq(err.text, "/proc/self/no/such/file: No such file or "
				   "directory");
	ck_assert_int_eq(small_file_finish(fopen("/dev/null", "we"),
					   "/dev/null", 0, &err),
			 0);
	ck_assert_int_eq(small_file_finish(fopen("/dev/null", "we"),
					   "/dev/null", -1, &err),
			 -1);
	/* What is written last shows only now. */
	FILE *full = fopen("/dev/full", "we");

	fputs("text", full);
	ck_assert_int_eq(small_file_finish(full, "/dev/full", 0, &err), -1);
	ck_assert_str_eq(err.text, "/dev/full: not written: No space left on "
				   "device");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_reads, test_writes, NULL };

	return suite_run("small_file", tests);
}
