/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_log_stream.c - the lines of a file, which may be compressed */
#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/predictor/logs/logs.h"
#include "tests/unit/suite.h"

static struct sp_error err;

static void expect(struct log_stream *stream, const char *line)
{
	char *got;
	size_t length;

	ck_assert_msg(log_stream_line(stream, &got, &length, &err) ==
			      LOG_STREAM_LINE,
		      "%s: %s", line, err.text);
	ck_assert_str_eq(got, line);
	ck_assert_uint_eq(length, strlen(line));
}

static int next(struct log_stream *stream)
{
	char *line;
	size_t length;

	return log_stream_line(stream, &line, &length, &err);
}

typedef int add_filter(struct archive *archive);
static const struct {
	const char *name;
	add_filter *add;
} filters[] = {
	{ "gzip", archive_write_add_filter_gzip },
	{ "xz", archive_write_add_filter_xz },
	{ "zstd", archive_write_add_filter_zstd },
	{ "bzip2", archive_write_add_filter_bzip2 },
};
#define FILTERS 4

/* Compress `text` into ret[max]; returns the size. */
static size_t pack(int filter, const void *text, size_t size,
		   unsigned char *ret, size_t max)
{
	struct archive *a = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	size_t used = 0;

	archive_write_set_format_raw(a);
	ck_assert_int_eq(filters[filter].add(a), ARCHIVE_OK);
	archive_write_set_bytes_in_last_block(a, 1);
	archive_entry_set_filetype(entry, AE_IFREG);
	ck_assert_int_eq(archive_write_open_memory(a, ret, max, &used),
			 ARCHIVE_OK);
	ck_assert_int_eq(archive_write_header(a, entry), ARCHIVE_OK);
	ck_assert_int_eq(archive_write_data(a, text, size), size);
	ck_assert_int_eq(archive_write_close(a), ARCHIVE_OK);
	archive_entry_free(entry);
	archive_write_free(a);
	return used;
}

/* Expect an error that names the file and its kind, after any lines. */
static void expect_broken(const void *bytes, size_t size, const char *kind)
{
	struct log_stream *s = stream_of(bytes, size);
	char expected[64];
	int rc;

	while ((rc = next(s)) > 0)
		;
	snprintf(expected, sizeof(expected),
		 "test: the %s data is truncated or damaged: ", kind);
	ck_assert_msg(rc == -1, "%s: %zu bytes are taken", kind, size);
	ck_assert_msg(!strncmp(err.text, expected, strlen(expected)), "%s",
		      err.text);
	ck_assert_uint_gt(strlen(err.text), strlen(expected));
	log_stream_close(s);
}

START_TEST(test_lines)
{
	struct log_stream *s = stream_of("one\ntwo\r\n\n\xff last", 16);

	ck_assert_uint_eq(log_stream_size(s), 16);
	expect(s, "one");
	expect(s, "two");
	expect(s, "");
	expect(s, "\xff last");
	ck_assert_uint_eq(log_stream_position(s), 16);
	ck_assert_int_eq(next(s), LOG_STREAM_END);
	ck_assert_int_eq(next(s), LOG_STREAM_END);
	log_stream_close(s);
	s = stream_of("", 0);
	ck_assert_int_eq(next(s), LOG_STREAM_END);
	log_stream_close(s);
	s = stream_of("\x1f", 1);
	expect(s, "\x1f");
	log_stream_close(s);
	log_stream_close(NULL);
}
END_TEST

START_TEST(test_compressed)
{
	const char *kind = filters[_i].name;
	unsigned char packed[4096];
	size_t first = pack(_i, "one\ntw", 6, packed, 2048);
	size_t size = first + pack(_i, "o\nthree", 7, packed + first, 2048);
	struct log_stream *s = stream_of(packed, size);

	expect(s, "one");
	expect(s, "two");
	expect(s, "three");
	ck_assert_int_eq(next(s), LOG_STREAM_END);
	ck_assert_uint_eq(log_stream_position(s), size);
	log_stream_close(s);

	/* Cut in the middle, anywhere. */
	for (size_t cut = 6; cut < first; cut++)
		expect_broken(packed, cut, kind);
	packed[first / 2] ^= 0x55;
	expect_broken(packed, first, kind);
	/* Garbage behind a head. */
	memset(packed + 6, 0xa5, 2000);
	expect_broken(packed, 2000, kind);
}
END_TEST

/* Lines around the longest one, and a bomb. */
START_TEST(test_long_lines)
{
	size_t size = 3 * LOG_STREAM_LINE_MAX;
	char *text = malloc(size);
	unsigned char *packed = malloc(size);

	memset(text, 'x', size);
	text[LOG_STREAM_LINE_MAX] = '\n';
	text[2 * LOG_STREAM_LINE_MAX + 2] = '\n';
	memcpy(text + 2 * LOG_STREAM_LINE_MAX + 3, "end\n", 4);
	for (int i = 0; i <= FILTERS; i++) {
		size_t length = 2 * LOG_STREAM_LINE_MAX + 7;
		struct log_stream *s =
			i == FILTERS ? stream_of(text, length)
				     : stream_of(packed, pack(i, text, length,
							      packed, size));

		ck_assert_int_eq(next(s), LOG_STREAM_LINE);
		ck_assert_int_eq(next(s), LOG_STREAM_TOO_LONG);
		expect(s, "end");
		ck_assert_int_eq(next(s), LOG_STREAM_END);
		log_stream_close(s);
	}
	memset(text, 'x', size);

	struct log_stream *s = stream_of(text, size);

	ck_assert_int_eq(next(s), LOG_STREAM_TOO_LONG);
	ck_assert_int_eq(next(s), LOG_STREAM_END);
	log_stream_close(s);
	free(text);
	free(packed);
}
END_TEST

/* A pipe that gives byte after byte. */
START_TEST(test_pipe)
{
	unsigned char packed[1024];
	size_t size = pack(_i, "one\ntwo\n", 8, packed, sizeof(packed));
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);

	struct log_stream *s = log_stream_open_fd(ends[0], "pipe", &err);

	for (size_t i = 0; i < size; i++)
		ck_assert_int_eq(write(ends[1], packed + i, 1), 1);
	close(ends[1]);
	ck_assert_uint_eq(log_stream_size(s), 0);
	expect(s, "one");
	expect(s, "two");
	ck_assert_int_eq(next(s), LOG_STREAM_END);
	log_stream_close(s);
}
END_TEST

/* An error says how what is no text, and is not read, is packed. */
START_TEST(test_other_data)
{
	static const char *const data[][2] = {
		{ "PK\x03\x04", "zip" },
		{ "\xff\xfe", "UTF-16" },
	};

	for (size_t i = 0; i < sizeof(data) / sizeof(data[0]); i++) {
		struct log_stream *s =
			stream_of(data[i][0], strlen(data[i][0]));
		struct sp_error why;
		size_t length;
		char *line;

		ck_assert_int_eq(log_stream_line(s, &line, &length, &why), -1);
		ck_assert_msg(strstr(why.text, data[i][1]) != NULL, "%s",
			      why.text);
		log_stream_close(s);
	}
}
END_TEST

START_TEST(test_what_cannot_be_opened)
{
	ck_assert_ptr_null(log_stream_open("/nonexistent/log", &err));
	ck_assert_ptr_nonnull(strstr(err.text, "/nonexistent/log: No such"));
	ck_assert_ptr_null(log_stream_open("/", &err));
	ck_assert_str_eq(err.text, "/: is a folder");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stream");
	TCase *tests = tcase_create("stream");
	SRunner *runner = srunner_create(suite);

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, test_lines);
	tcase_add_loop_test(tests, test_compressed, 0, FILTERS);
	tcase_add_test(tests, test_long_lines);
	tcase_add_loop_test(tests, test_pipe, 0, FILTERS);
	tcase_add_test(tests, test_other_data);
	tcase_add_test(tests, test_what_cannot_be_opened);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);

	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed != 0;
}
