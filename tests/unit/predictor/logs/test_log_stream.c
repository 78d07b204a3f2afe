/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_log_stream.c - the lines of a file, which may be compressed */
#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>

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

static size_t gz(const void *text, size_t size, unsigned char *ret, size_t max)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)text,
		       .avail_in = (uInt)size,
		       .next_out = ret,
		       .avail_out = (uInt)max };

	ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, 0), Z_OK);
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

static size_t xz(const void *text, size_t size, unsigned char *ret, size_t max)
{
	size_t used = 0;

	ck_assert_int_eq(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL,
						 text, size, ret, &used, max),
			 LZMA_OK);
	return used;
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

typedef size_t compress_fn(const void *text, size_t size, unsigned char *ret,
			   size_t max);
static compress_fn *const compressors[] = { gz, xz };

START_TEST(test_compressed)
{
	unsigned char packed[4096];
	size_t first = compressors[_i]("one\ntw", 6, packed, 2048);
	size_t size =
		first + compressors[_i]("o\nthree", 7, packed + first, 2048);
	struct log_stream *s = stream_of(packed, size);

	expect(s, "one");
	expect(s, "two");
	expect(s, "three");
	ck_assert_int_eq(next(s), LOG_STREAM_END);
	log_stream_close(s);

	/* Cut in the middle, anywhere. */
	for (size_t cut = 6; cut < first; cut++) {
		int rc;

		s = stream_of(packed, cut);
		while ((rc = next(s)) > 0)
			;
		ck_assert_int_eq(rc, -1);
		ck_assert_ptr_nonnull(strstr(err.text, "is truncated"));
		log_stream_close(s);
	}
	packed[first / 2] ^= 0x55;
	s = stream_of(packed, size);

	int rc;

	while ((rc = next(s)) > 0)
		;
	ck_assert_int_eq(rc, -1);
	log_stream_close(s);
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
	for (int i = 0; i < 3; i++) {
		size_t length = 2 * LOG_STREAM_LINE_MAX + 7;
		struct log_stream *s =
			i == 0 ? stream_of(text, length)
			       : stream_of(packed,
					   compressors[i - 1](text, length,
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
	size_t size = xz("one\ntwo\n", 8, packed, sizeof(packed));
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

/* What is no text, and is not read, says how it is packed. */
START_TEST(test_other_data)
{
	static const char *const data[][2] = {
		{ "\x28\xb5\x2f\xfd", "zstd" },
		{ "BZh91AY", "bzip2" },
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
	tcase_add_loop_test(tests, test_compressed, 0, 2);
	tcase_add_test(tests, test_long_lines);
	tcase_add_test(tests, test_pipe);
	tcase_add_test(tests, test_other_data);
	tcase_add_test(tests, test_what_cannot_be_opened);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);

	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed != 0;
}
