/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_shares_file.c - what a job gets of its nodes comes to its tasks
 * in time */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "plugin/spank/shares_file.h"
#include "predictor/base/clock.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

static void fill(const char *text)
{
	FILE *file = fopen(folder_path("shares/17"), "we");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void begin(void)
{
	struct sp_error err;

	folder_make();
	ck_assert_int_eq(mkdir(folder_path("shares"), 0711), 0);
	ck_assert_int_eq(shares_expect(folder, 17, getuid(), &err), 0);
}

/* The job's user may read it, and nobody may do more: with a list of access the
 * mode's group is its mask. */
START_TEST(test_mode)
{
	struct stat about;

	begin();
	ck_assert_int_eq(stat(folder_path("shares/17"), &about), 0);
	ck_assert_uint_eq(about.st_mode & 07733, 0400);
	folder_remove();
}
END_TEST

START_TEST(test_no_collectord)
{
	struct job_shares found;
	struct sp_error err;
	double start_s = clock_monotonic_s();

	folder_make();
	ck_assert_int_eq(shares_expect(folder, 17, getuid(), &err), 0);
	shares_read(folder, 17, &found);
	ck_assert_ptr_null(found.shares);
	ck_assert_ptr_null(found.slowdown);
	ck_assert(clock_monotonic_s() - start_s < SHARES_WAIT_S / 2);
	shares_forget(folder, 17);
	folder_remove();
}
END_TEST

START_TEST(test_comes_through)
{
	struct job_shares found;

	begin();
	fill("slowdown=2.04\nshares=n1=0.49,n2=1.00\nend=1\n");
	shares_read(folder, 17, &found);
	ck_assert_str_eq(found.shares, "n1=0.49,n2=1.00");
	ck_assert_str_eq(found.slowdown, "2.04");
	fill("shares=n1=0.49\nend=1\n");
	shares_read(folder, 17, &found);
	ck_assert_str_eq(found.shares, "n1=0.49");
	ck_assert_ptr_null(found.slowdown);
	fill("shares=\nend=1\n");
	shares_read(folder, 17, &found);
	ck_assert_ptr_null(found.shares);
	shares_forget(folder, 17);
	ck_assert_int_eq(access(folder_path("shares/17"), F_OK), -1);
	rmdir(folder_path("shares"));
	folder_remove();
}
END_TEST

/* A file that is not whole says nothing, nor does one that is no file. */
START_TEST(test_not_whole)
{
	static const char *const texts[] = {
		"slowdown=2.04\nshares=n1=0.4",
		"end=1\n",
		"slowdown=3\nend=1",
		"x",
	};
	struct job_shares found;

	begin();
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		fill(texts[i]);
		shares_read(folder, 17, &found);
		ck_assert_ptr_null(found.shares);
		ck_assert_ptr_null(found.slowdown);
	}
	shares_forget(folder, 17);
	ck_assert_int_eq(symlink("/etc/hostname", folder_path("shares/17")), 0);
	shares_read(folder, 17, &found);
	ck_assert_ptr_null(found.shares);
	shares_forget(folder, 17);
	ck_assert_int_eq(mkfifo(folder_path("shares/17"), 0600), 0);
	shares_read(folder, 17, &found);
	ck_assert_ptr_null(found.shares);
	shares_forget(folder, 17);
	rmdir(folder_path("shares"));
	folder_remove();
}
END_TEST

/* A task waits once, and for a short time: collectord may hang. */
START_TEST(test_waits_for_a_while)
{
	struct job_shares found;
	double start_s = clock_monotonic_s();

	begin();
	shares_read(folder, 17, &found);

	double first_s = clock_monotonic_s() - start_s;

	ck_assert_ptr_null(found.shares);
	ck_assert(first_s > SHARES_WAIT_S / 2 && first_s < 20 * SHARES_WAIT_S);
	start_s = clock_monotonic_s();
	shares_read(folder, 17, &found);
	ck_assert(clock_monotonic_s() - start_s < SHARES_WAIT_S / 2);

	/* nor when the clock was set back since */
	struct timeval later[2] = { { (time_t)clock_now_s() + 3600, 0 },
				    { (time_t)clock_now_s() + 3600, 0 } };

	ck_assert_int_eq(utimes(folder_path("shares/17"), later), 0);
	start_s = clock_monotonic_s();
	shares_read(folder, 17, &found);
	ck_assert(clock_monotonic_s() - start_s < SHARES_WAIT_S / 2);
	shares_forget(folder, 17);
	rmdir(folder_path("shares"));
	folder_remove();
}
END_TEST

/* A job that is requeued to the same node. */
START_TEST(test_starts_again)
{
	struct job_shares found;
	struct sp_error err;

	begin();
	fill("slowdown=2.04\nshares=n1=0.49\nend=1\n");
	ck_assert_int_eq(shares_expect(folder, 17, getuid(), &err), 0);
	shares_read(folder, 17, &found);
	ck_assert_ptr_null(found.shares);
	shares_forget(folder, 17);
	rmdir(folder_path("shares"));
	folder_remove();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_mode,
				       test_no_collectord,
				       test_comes_through,
				       test_not_whole,
				       test_waits_for_a_while,
				       test_starts_again,
				       NULL };

	return suite_run("shares_file", tests);
}
