/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trace_path.c - where the trace of a process is, and whether it is one */
#include <string.h>
#include <sys/stat.h>

#include "collectors/runs/trace_path.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

static struct trace_path path;

static void begin(void)
{
	folder_make();
	path = (struct trace_path){ .job_id = 7, .rank = 8, .ranks = 9 };
}

START_TEST(test_folders)
{
	static const char *const bad[] = {
		"",
		"0",
		"x",
		"17x",
		"017",
		"4294967296",
		"-17",
		"17-",
		"17-1000",
		"17-1000-",
		"17-1000-5x",
		"17--1-5",
		"17-4294967296-5",
		"17-1000-5-",
		" 17",
	};

	ck_assert_int_eq(trace_path_folder("4294967295", &path), 0);
	ck_assert_uint_eq(path.job_id, 4294967295);
	ck_assert_uint_eq(path.user_id, 0);
	ck_assert(!path.ended);
	ck_assert_str_eq(path.folder, "4294967295");
	ck_assert_int_eq(trace_path_folder("17-1000-1795000000", &path), 0);
	ck_assert_uint_eq(path.job_id, 17);
	ck_assert_uint_eq(path.user_id, 1000);
	ck_assert(path.ended);
	ck_assert_str_eq(path.folder, "17-1000-1795000000");
	ck_assert_int_eq(trace_path_folder("17-0-5", &path), 0);
	ck_assert_uint_eq(path.user_id, 0);
	ck_assert_int_eq(path.rank, 8); /* the rest stays */
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(trace_path_folder(bad[i], &path) == -1, "%s",
			      bad[i]);
}
END_TEST

START_TEST(test_files)
{
	static const char *const bad[] = {
		"",      ".",        "a1",   "a1.",   ".5",   "g1.5",  "a1.x",
		"a1.5x", "a1.12345", "A1.5", "a1..5", "a1:5", "a1.-5",
	};
	char name[TRACE_RUN_SIZE + 8];

	ck_assert_int_eq(trace_path_file("0badf00d.4095", &path), 0);
	ck_assert_str_eq(path.mpi_run, "0badf00d");
	ck_assert_str_eq(path.name, "0badf00d.4095");
	ck_assert_int_eq(path.rank, 4095);
	ck_assert_int_eq(trace_path_file("a.018", &path), 0);
	ck_assert_int_eq(path.rank, 18); /* decimal */
	ck_assert_uint_eq(path.job_id, 7);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(trace_path_file(bad[i], &path) == -1, "%s",
			      bad[i]);
	/* As long as there is room for, and no longer. */
	memset(name, 'a', sizeof(name));
	strcpy(name + TRACE_RUN_SIZE - 1, ".1");
	ck_assert_int_eq(trace_path_file(name, &path), 0);
	ck_assert_uint_eq(strlen(path.mpi_run), TRACE_RUN_SIZE - 1);
	memset(name, 'a', sizeof(name));
	strcpy(name + TRACE_RUN_SIZE, ".1");
	ck_assert_int_eq(trace_path_file(name, &path), -1);
}
END_TEST

#define HEAD "SPTRACE1"

static int header(const char *bytes, size_t size)
{
	path.rank = path.ranks = -7;
	return trace_path_header((const unsigned char *)bytes, size, &path.rank,
				 &path.ranks);
}

START_TEST(test_headers)
{
	ck_assert_int_eq(header(HEAD "\x03\x04", 10), 0);
	ck_assert_int_eq(path.rank, 3);
	ck_assert_int_eq(path.ranks, 4);
	/* Seven bits a byte, the low ones first. */
	ck_assert_int_eq(header(HEAD "\x81\x02\xa0\x03", 12), 0);
	ck_assert_int_eq(path.rank, 257);
	ck_assert_int_eq(path.ranks, 416);
	ck_assert_int_eq(header(HEAD "\x00\x01", 10), 0);
	ck_assert_int_eq(header(HEAD "\x04\x04", 10), -1);
	ck_assert_int_eq(header(HEAD "\x00\x00", 10), -1);
	ck_assert_int_eq(header("SPTRACE2\x03\x04", 10), -1);
	ck_assert_int_eq(header(HEAD "\x03\x04", 9), -1);
	ck_assert_int_eq(header(HEAD "\x03\x84", 10), -1); /* cut */
	ck_assert_int_eq(header(HEAD "\x80\x80\x80\x80\x00\x04", 14), -1);
	ck_assert_int_eq(path.rank, -7);
}
END_TEST

/* A plain file of the job's user, and of that rank. */
START_TEST(test_check)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY);
	off_t size;

	path.user_id = getuid();
	ck_assert_int_eq(trace_path_file("a1.3", &path), 0);
	ck_assert(!trace_path_check(fd, &path)); /* there is none */
	folder_put("a1.3", "");
	ck_assert(!trace_path_check(fd, &path));
	folder_put("a1.3", HEAD "\x03\x04 and more");
	ck_assert(trace_path_check(fd, &path));
	ck_assert_int_eq(path.ranks, 4);
	close(trace_path_open(fd, &path, &size));
	ck_assert_int_eq(size, 19);
	path.rank = 2;
	ck_assert(!trace_path_check(fd, &path));
	path.rank = 3;
	path.user_id = getuid() + 1;
	ck_assert(!trace_path_check(fd, &path));
	path.user_id = getuid();
	/* What counts of a large one. */
	ck_assert_int_eq(truncate(folder_path("a1.3"), 16777217), 0);
	close(trace_path_open(fd, &path, &size));
	ck_assert_int_eq(size, 16777216);
	/* A link, a second name, or no file. */
	ck_assert_int_eq(linkat(fd, "a1.3", fd, "a2.3", 0), 0);
	ck_assert(!trace_path_check(fd, &path));
	ck_assert_int_eq(unlinkat(fd, "a1.3", 0), 0);
	ck_assert_int_eq(symlinkat("a2.3", fd, "a1.3"), 0);
	ck_assert(!trace_path_check(fd, &path));
	ck_assert_int_eq(unlinkat(fd, "a1.3", 0), 0);
	ck_assert_int_eq(mkfifoat(fd, "a1.3", 0600), 0);
	ck_assert(!trace_path_check(fd, &path));
	close(fd);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_folders, test_files, test_headers,
				       test_check, NULL };

	return suite_run_each("trace_path", tests, begin, folder_remove);
}
