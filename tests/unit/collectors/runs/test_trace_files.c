/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trace_files.c - which blocks of traced jobs are sent, and what stays */
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/runs/trace_files.h"
#include "collectors/runs/trace_path.h"
#include "predictor/base/log.h"
#include "predictor/features/trace_block.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

#define JOB 4294967295u

static int fd;
static struct spool *spool;
static struct user_folders *users;
static struct trace_files *files;
static double now_s;

static void begin(void)
{
	struct sp_error err;

	log_open("/dev/null", LOG_LEVEL_ERROR, NULL);
	folder_make();
	spool = spool_open(folder, 1 << 20, &err);
	ck_assert_msg(spool != NULL, "%s", err.text);
	fd = spool_folders(spool)->traces;
	users = user_folders_create(spool_folders(spool), 1 << 20, &err);
	ck_assert_msg(users != NULL, "%s", err.text);
	files = trace_files_create(fd, users);
	now_s = 100;
}

static void end(void)
{
	trace_files_destroy(files);
	user_folders_destroy(users);
	spool_close(spool);
	folder_remove();
}

/* As the SPANK plugin and the collector do. */
static void job_ends(uint32_t job)
{
	char name[32], ended[64];

	snprintf(name, sizeof(name), "%u", job);
	snprintf(ended, sizeof(ended), "%u-%u-1700000000", job, getuid());
	ck_assert_int_eq(renameat(fd, name, fd, ended), 0);
	trace_files_ended(files, job, getuid(), 1700000000.25, now_s);
}

static int count_folders(void)
{
	struct dirent *entry;
	DIR *stream = opendir(folder_path("users/traces"));
	int count = 0;

	while ((entry = readdir(stream)))
		count += entry->d_name[0] != '.';
	closedir(stream);
	return count;
}

static void make_job(const char *job)
{
	ck_assert_int_eq(mkdirat(fd, job, 0700), 0);
	ck_assert_int_eq(fchmodat(fd, job, 0770, 0), 0);
}

/* `size` bytes, of which those behind `written` are 0. */
static void make_file(const char *path, int rank, size_t written, size_t size)
{
	int file = openat(fd, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	unsigned char *bytes = calloc(1, size + 10);

	ck_assert_int_ge(file, 0);
	for (size_t i = 0; i < written; i++)
		bytes[i] = (unsigned char)(1 + i % 251);
	memcpy(bytes, "SPTRACE1", 8);
	bytes[8] = (unsigned char)rank;
	bytes[9] = 3; /* ranks */
	ck_assert_int_eq(write(file, bytes, size), (ssize_t)size);
	free(bytes);
	close(file);
}

static bool there(const char *name)
{
	return faccessat(fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

struct sent {
	struct trace_block block;
	size_t size;
	unsigned char raw[TRACE_BLOCK_BYTES];
};

/* The next block after a scan, stored. */
static bool next(struct sent *ret)
{
	now_s += 11;

	bool found = trace_files_next(files, now_s, &ret->block, ret->raw,
				      &ret->size);

	if (found)
		trace_files_stored(files, true, now_s);
	return found;
}

static int count_blocks(void)
{
	struct sent sent;
	int count = 0;

	while (next(&sent))
		ck_assert_int_lt(++count, 1000);
	return count;
}

START_TEST(test_while_it_runs)
{
	struct sent sent;

	ck_assert(!next(&sent));
	ck_assert(isinf(trace_files_at_s(files)));
	make_job("7");
	trace_files_started(files, now_s);
	ck_assert_double_le(trace_files_at_s(files), now_s + 10);

	/* The second block has only begun. */
	make_file("7/00ff.2", 2, 65536, 131072);
	ck_assert(next(&sent));
	ck_assert_uint_eq(sent.block.job_id, 7);
	ck_assert_uint_eq(sent.block.user_id, getuid());
	ck_assert_str_eq(sent.block.mpi_run, "00ff");
	ck_assert_int_eq(sent.block.ranks, 3);
	ck_assert_int_eq(sent.block.rank, 2);
	ck_assert_int_eq(sent.block.block, 0);
	ck_assert(!sent.block.last);
	ck_assert_uint_eq(sent.size, 65536);
	ck_assert_int_eq(sent.raw[65535], 1 + 65535 % 251);
	ck_assert(!next(&sent));

	/* Cut: the process has ended. */
	make_file("7/00ff.2", 2, 65536 + 1000, 65536 + 1000);
	ck_assert(next(&sent));
	ck_assert_int_eq(sent.block.block, 1);
	ck_assert(sent.block.last);
	ck_assert_uint_eq(sent.size, 1000);
	ck_assert(!next(&sent));
	ck_assert(there("7/00ff.2"));

	job_ends(7);
	ck_assert(!next(&sent));
	ck_assert(!there("7"));
	ck_assert(isinf(trace_files_at_s(files)));
}
END_TEST

/* Its end is kept over a death of ours; then all is sent again. */
START_TEST(test_end)
{
	struct sent sent;

	make_job("9");
	make_file("9/a.0", 0, 65536 + 70, 131072);
	make_file("9/a.1", 1, 65536, 65536);
	trace_files_started(files, now_s);
	ck_assert(next(&sent));
	job_ends(9);
	ck_assert(next(&sent));
	trace_files_destroy(files);
	files = trace_files_create(fd, users);
	ck_assert_double_le(trace_files_at_s(files), 0);
	ck_assert_int_eq(count_blocks(), 3);
	now_s += 11;
	ck_assert(!next(&sent));
	ck_assert(isinf(trace_files_at_s(files)));
	ck_assert_int_eq(count_folders(), 0);
}
END_TEST

START_TEST(test_not_wanted)
{
	struct sent sent;

	make_job("9");
	make_file("9/a.0", 0, 600000, 600000);
	trace_files_started(files, now_s);
	now_s += 11;
	ck_assert(trace_files_next(files, now_s, &sent.block, sent.raw,
				   &sent.size));
	trace_files_stored(files, false, now_s);
	ck_assert(!next(&sent));
	job_ends(9);
	ck_assert(!next(&sent));
	ck_assert(!there("9"));
}
END_TEST

/* What a user can put there. */
START_TEST(test_hostile)
{
	struct sent sent;

	make_job("4294967295");
	make_file("4294967295/secret", 0, 5000, 5000);
	make_file("4294967295/../outside", 1, 5000, 5000);
	ck_assert_int_eq(symlinkat("../outside", fd, "4294967295/a.1"), 0);
	ck_assert_int_eq(linkat(fd, "outside", fd, "4294967295/b.1", 0), 0);
	ck_assert_int_eq(mkfifoat(fd, "4294967295/c.1", 0600), 0);
	ck_assert_int_eq(mkdirat(fd, "4294967295/d.1", 0700), 0);
	make_file("4294967295/e.2", 1, 5000, 5000); /* another rank */
	make_file("4294967295/f.1", 1, 5, 5);
	make_file("4294967295/A.1", 1, 5000, 5000);
	make_file("4294967295/00000000000000000.1", 1, 5000, 5000);
	make_file("4294967295/a.-1", 1, 5000, 5000);
	make_file("4294967295/a.", 1, 5000, 5000);
	make_file("4294967295/a.10001", 1, 5000, 5000);
	make_file("4294967295/good.1", 1, 5000, 5000);
	if (getuid() == 0) {
		make_file("4294967295/c0.1", 1, 5000, 5000);
		ck_assert_int_eq(fchownat(fd, "4294967295/c0.1", 1, 1, 0), 0);
	}
	make_job("4294967296");
	make_file("4294967296/a.1", 1, 5000, 5000);
	make_job("08");
	make_file("08/a.1", 1, 5000, 5000);
	ck_assert_int_eq(symlinkat("08", fd, "8"), 0);
	trace_files_started(files, now_s);
	ck_assert(!next(&sent));
	make_file("4294967295/ab.1", 1, 5000, 5000);
	ck_assert(next(&sent));
	ck_assert_str_eq(sent.block.mpi_run, "ab");
	ck_assert(!next(&sent));
	job_ends(JOB);
	ck_assert(!next(&sent));
	ck_assert(!there("4294967295"));
	ck_assert(there("outside"));
}
END_TEST

/* 16 MiB count, and what the file lost meanwhile does not. */
START_TEST(test_sizes)
{
	struct sent sent;

	make_job("9");
	make_file("9/a.0", 0, 600000, 600000);
	int file = openat(fd, "9/a.0", O_WRONLY);

	ck_assert_int_eq(ftruncate(file, (off_t)64 << 20), 0);
	job_ends(9);

	int count = 0, last = 0;

	while (next(&sent)) {
		ck_assert_int_eq(sent.block.block, count++);
		last += sent.block.last;
	}
	ck_assert_int_eq(count, 256);
	ck_assert_int_eq(last, 1);
	ck_assert_int_eq(sent.block.block, 255);

	make_job("10");
	make_file("10/a.0", 0, 600000, 600000);
	trace_files_started(files, now_s);
	ck_assert(next(&sent));
	ck_assert(next(&sent));
	make_file("10/a.0", 0, 100, 100);
	ck_assert(next(&sent));
	ck_assert(sent.block.last && sent.size == 0);
	close(file);
}
END_TEST

/* What was dropped is not sent. */
START_TEST(test_dropped)
{
	struct sent sent;

	make_job("1");
	make_file("1/a.0", 0, 400000, 400000);
	trace_files_started(files, now_s);
	ck_assert(next(&sent));
	user_folders_drop(users, fd, "1");
	ck_assert(!next(&sent));
	ck_assert(!there("1"));
	ck_assert(isinf(trace_files_at_s(files)));
}
END_TEST

START_TEST(test_header)
{
	static const struct {
		const char *bytes;
		size_t size;
		int rank, ranks; /* 0: it is none */
	} rows[] = {
		{ "SPTRACE1\0\1", 10, 0, 1 },
		{ "SPTRACE1\xff\x1f\x80\x20", 12, 4095, 4096 },
		{ "SPTRACE1\xff\x1f\x81\x20", 12, 0, 0 },
		{ "SPTRACE1\xff\x1f\xff\x1f", 12, 0, 0 },
		{ "SPTRACE1\1\1", 10, 0, 0 },
		{ "SPTRACE1\1\x80", 10, 0, 0 },
		{ "SPTRACE1\xff\xff\xff\xff\xff\1", 14, 0, 0 },
		{ "SPTRACE2\0\1", 10, 0, 0 },
		{ "SPTRACE1\0", 9, 0, 0 },
		{ "", 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int rank = -5, ranks = -5;
		int rc = trace_path_header((const void *)rows[i].bytes,
					   rows[i].size, &rank, &ranks);

		ck_assert_int_eq(rc, rows[i].ranks ? 0 : -1);
		ck_assert_int_eq(rank, rc ? -5 : rows[i].rank);
		ck_assert_int_eq(ranks, rc ? -5 : rows[i].ranks);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_while_it_runs, test_end,     test_not_wanted, test_hostile,
		test_sizes,         test_dropped, test_header,     NULL,
	};

	return suite_run_each("trace_files", tests, begin, end);
}
