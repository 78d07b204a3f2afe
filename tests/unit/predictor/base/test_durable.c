/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_durable.c - files are there in whole or not at all */
#include <errno.h>
#include <sys/stat.h>

#include "predictor/base/durable.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

static int open_test_folder(void)
{
	struct sp_error err;
	int fd;

	folder_make();
	fd = durable_folder(AT_FDCWD, folder, 0, &err);
	ck_assert_msg(fd >= 0, "%s", err.text);
	return fd;
}

START_TEST(test_writes_and_reads)
{
	int fd = open_test_folder();
	struct sp_error err;
	char *text = NULL;
	size_t size;

	ck_assert_int_eq(durable_write(fd, "a", "one\0two", 7, &err), 0);
	ck_assert_int_eq(durable_read(fd, "a", 7, &text, &size, &err), 0);
	ck_assert_uint_eq(size, 7);
	ck_assert_mem_eq(text, "one\0two", 8);
	free(text);
	ck_assert_int_eq(durable_write(fd, "a", "3", 1, &err), 0);
	ck_assert_int_eq(durable_read(fd, "a", 7, &text, &size, &err), 0);
	ck_assert_str_eq(text, "3");
	free(text);
	close(fd);
	folder_remove();
}
END_TEST

START_TEST(test_refuses_to_read)
{
	int fd = open_test_folder();
	struct sp_error err;
	char *text = NULL;
	size_t size = 77;

	folder_put("long", "12345678");
	ck_assert_int_eq(mkfifo(folder_path("fifo"), 0600), 0);
	ck_assert_int_eq(symlink("long", folder_path("link")), 0);
	ck_assert_int_eq(mkdir(folder_path("dir"), 0700), 0);

	static const char *const names[] = { "long", "fifo", "link",
					     "dir",  "none", NULL };

	for (int i = 0; names[i]; i++) {
		ck_assert_int_eq(
			durable_read(fd, names[i], 7, &text, &size, &err), -1);
		ck_assert_ptr_nonnull(strstr(err.text, names[i]));
		ck_assert_ptr_null(text);
		ck_assert_uint_eq(size, 77);
	}
	close(fd);
	folder_remove();
}
END_TEST

START_TEST(test_failed_write_changes_nothing)
{
	int fd = open_test_folder();
	struct sp_error err;
	char name[400];
	char **names;
	size_t count;

	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(durable_write(fd, name, "1", 1, &err), -1);
	ck_assert_int_eq(mkdir(folder_path("there"), 0700), 0);
	ck_assert_int_eq(durable_write(fd, "there", "1", 1, &err), -1);
	ck_assert_int_eq(durable_names(fd, 10, &names, &count, &err), 0);
	ck_assert_uint_eq(count, 1);
	durable_names_free(names, count);
	close(fd);
	folder_remove();
}
END_TEST

START_TEST(test_names_are_sorted_and_bounded)
{
	int fd = open_test_folder();
	struct sp_error err;
	char **names;
	size_t count;

	folder_put("b", "");
	folder_put("a", "");
	folder_put("c", "");
	folder_put(".tmp-d-123", "");
	ck_assert_int_eq(durable_names(fd, 10, &names, &count, &err), 0);
	ck_assert_uint_eq(count, 3);
	ck_assert_str_eq(names[0], "a");
	ck_assert_str_eq(names[2], "c");
	durable_names_free(names, count);
	ck_assert_int_eq(durable_names(fd, 2, &names, &count, &err), 0);
	ck_assert_uint_eq(count, 2);
	durable_names_free(names, count);
	durable_clean(fd);
	ck_assert_int_eq(access(folder_path(".tmp-d-123"), F_OK), -1);
	ck_assert_int_eq(access(folder_path("a"), F_OK), 0);
	close(fd);
	folder_remove();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_writes_and_reads,
		test_refuses_to_read,
		test_failed_write_changes_nothing,
		test_names_are_sorted_and_bounded,
		NULL,
	};

	return suite_run("durable", tests);
}
