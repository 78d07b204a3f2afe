/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trace_file.c - bounded files: blocks, their ends, and a dead writer */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/profilers/mpi/trace/trace_file.h"
#include "tests/unit/suite.h"

static char path[64];

static void make_path(void)
{
	char folder[] = "/tmp/test_trace_fileXXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/file", folder);
}

static void drop_path(void)
{
	unlink(path);
	*strrchr(path, '/') = '\0';
	ck_assert_int_eq(rmdir(path), 0);
}

static off_t size_of_file(void)
{
	struct stat st;

	ck_assert_int_eq(stat(path, &st), 0);
	return st.st_size;
}

/* Piece i is 7 bytes that say i. */
static void piece_make(unsigned i, uint8_t piece[7])
{
	for (int k = 0; k < 7; k++)
		piece[k] = (uint8_t)(i * 37 + (unsigned)k + 1);
}

/* How many whole pieces the file begins with. */
static unsigned pieces_read(void)
{
	FILE *file = fopen(path, "r");
	uint8_t piece[7], seen[7];
	unsigned i = 0;

	ck_assert_ptr_nonnull(file);
	for (; fread(seen, 1, 7, file) == 7; i++) {
		piece_make(i, piece);
		if (memcmp(piece, seen, 7) != 0)
			break;
	}
	fclose(file);
	return i;
}

START_TEST(test_across_blocks)
{
	struct trace_file file;
	uint8_t piece[7];

	make_path();
	ck_assert_int_eq(trace_file_open(&file, path, TRACE_FILE_MAX), 0);
	for (unsigned i = 0; i < 30000; i++) {
		piece_make(i, piece);
		ck_assert_int_eq(trace_file_add(&file, piece, 7), 0);
	}
	ck_assert_int_eq(size_of_file() % TRACE_FILE_BLOCK, 0);
	trace_file_close(&file);
	ck_assert_int_eq(size_of_file(), 210000);
	ck_assert_uint_eq(pieces_read(), 30000);
	ck_assert_int_eq(trace_file_add(&file, piece, 7), -1);
	trace_file_close(&file);
	ck_assert_int_eq(trace_file_open(&file, path, TRACE_FILE_MAX),
			 -1); /* it is there */
	drop_path();
}
END_TEST

START_TEST(test_bounded)
{
	struct trace_file file;
	uint8_t piece[7];
	unsigned i = 0;

	make_path();
	ck_assert_int_eq(trace_file_open(&file, path, TRACE_FILE_MAX), 0);
	do
		piece_make(i, piece);
	while (trace_file_add(&file, piece, 7) == 0 && ++i);
	ck_assert_uint_eq(i, TRACE_FILE_MAX / 7);
	ck_assert_int_eq(file.fd, -1);
	ck_assert_int_eq(size_of_file(), i * 7);
	ck_assert_uint_eq(pieces_read(), i);
	drop_path();
}
END_TEST

/* A program that may not write larger files, which would kill it. */
START_TEST(test_limit_of_the_program)
{
	struct trace_file file;
	uint8_t piece[7];
	struct rlimit limit;
	unsigned i = 0;

	make_path();
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = TRACE_FILE_BLOCK + 100;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(trace_file_open(&file, path, TRACE_FILE_MAX), 0);
	do
		piece_make(i, piece);
	while (trace_file_add(&file, piece, 7) == 0 && ++i);
	ck_assert_uint_eq(i, TRACE_FILE_BLOCK / 7);
	ck_assert_uint_eq(pieces_read(), i);
	drop_path();
}
END_TEST

START_TEST(test_killed)
{
	int status;

	make_path();

	pid_t child = fork();

	if (child == 0) {
		struct trace_file file;
		uint8_t piece[7];

		trace_file_open(&file, path, TRACE_FILE_MAX);
		for (unsigned i = 0; i < 20000; i++) {
			piece_make(i, piece);
			trace_file_add(&file, piece, 7);
		}
		kill(getpid(), SIGKILL);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	ck_assert_uint_eq(pieces_read(), 20000);
	drop_path();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_across_blocks, test_bounded,
				       test_limit_of_the_program, test_killed,
				       NULL };

	return suite_run("trace_file", tests);
}
