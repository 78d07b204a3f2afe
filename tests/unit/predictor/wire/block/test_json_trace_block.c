/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json_trace_block.c - blocks of traces as messages */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/wire/base64.h"
#include "predictor/wire/block/json_trace_block.h"
#include "predictor/wire/wire.h"
#include "tests/unit/suite.h"

static const struct trace_block example = {
	.cluster = "c1",
	.job_id = 4294967295,
	.user_id = 4294967294,
	.mpi_run = "0123456789abcdef",
	.ranks = 4096,
	.rank = 4095,
	.block = 256,
	.last = true,
	.node = "n17",
};

static unsigned char raw[TRACE_BLOCK_BYTES + 1];

static void fill(int kind)
{
	uint32_t x = 12345;

	for (size_t i = 0; i < sizeof(raw); i++) {
		x = x * 1664525 + 1013904223;
		raw[i] = kind ? (unsigned char)(x >> 24) : (unsigned char)i;
	}
}

static struct json_object *message_of(const struct trace_block *block,
				      size_t size)
{
	struct sp_error err;
	size_t length;
	char *text = wire_trace_block_encode(block, raw, size, &length);

	ck_assert_ptr_nonnull(text);
	ck_assert_uint_eq(strlen(text), length);

	struct json_object *message = wire_parse(text, length, &err);

	ck_assert_msg(message != NULL, "%s", err.text);
	free(text);
	return message;
}

/* Bytes that shrink, and such as do not. */
START_TEST(test_there_and_back)
{
	static const size_t tried[] = { 0, 1, 2, 65535, 65536 };

	for (size_t i = 0; i < 2 * sizeof(tried) / sizeof(tried[0]); i++) {
		size_t size = tried[i / 2];
		struct trace_block got;
		struct sp_error err;

		fill((int)i % 2);

		struct json_object *message = message_of(&example, size);
		unsigned char *deflated, back[TRACE_BLOCK_BYTES];

		ck_assert_msg(!wire_trace_block_decode(message, &got, &err),
			      "%s", err.text);
		ck_assert_str_eq(got.cluster, "c1");
		ck_assert_uint_eq(got.job_id, 4294967295);
		ck_assert_uint_eq(got.user_id, 4294967294);
		ck_assert_str_eq(got.mpi_run, "0123456789abcdef");
		ck_assert_int_eq(got.ranks, 4096);
		ck_assert_int_eq(got.rank, 4095);
		ck_assert_int_eq(got.block, 256);
		ck_assert(got.last);
		ck_assert_str_eq(got.node, "n17");
		ck_assert_uint_eq(got.raw_bytes, size);

		deflated = malloc(strlen(got.data) + 1);

		long count = wire_base64_decode(got.data, strlen(got.data),
						deflated);

		ck_assert_int_eq(
			wire_trace_block_inflate(deflated, (size_t)count, back),
			(long)size);
		ck_assert_mem_eq(back, raw, size);
		free(deflated);
		json_object_put(message);
	}
	/* CRC-32 of "123456789". */
	memcpy(raw, "123456789", 9);

	struct json_object *message = message_of(&example, 9);
	struct trace_block got;

	ck_assert_int_eq(wire_trace_block_decode(message, &got, NULL), 0);
	ck_assert_uint_eq(got.checksum, 0xcbf43926);
	json_object_put(message);
}
END_TEST

START_TEST(test_refused)
{
	static const struct {
		const char *name, *value, *why;
	} rows[] = {
		{ "job_id", "0", "is empty" },
		{ "cluster", "\"\"", "is empty" },
		{ "node", "null", "node" },
		{ "mpi_run", "\"\"", "hexadecimal" },
		{ "mpi_run", "\"../../etc\"", "hexadecimal" },
		{ "mpi_run", "\"0123456789abcdef0\"", "mpi_run" },
		{ "ranks", "4097", "rank:" },
		{ "ranks", "0", "rank:" },
		{ "rank", "4096", "rank:" },
		{ "rank", "-1", "rank" },
		{ "block", "257", "block:" },
		{ "last", "false", "not 65536 bytes" },
		{ "data", "\"AAAA\"", "deflated" },
		{ "data", "\"AAA\"", "no base64" },
		{ "data", "\"\"", "deflated" },
	};

	fill(0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *message = message_of(&example, 300);
		struct trace_block got = example;
		struct sp_error err;

		json_object_object_add(message, rows[i].name,
				       json_tokener_parse(rows[i].value));
		ck_assert_msg(wire_trace_block_decode(message, &got, &err) < 0,
			      "%s %s", rows[i].name, rows[i].value);
		ck_assert_msg(strstr(err.text, rows[i].why) != NULL, "%s",
			      err.text);
		ck_assert_mem_eq(&got, &example, sizeof(got));
		json_object_put(message);
	}

	size_t length;

	ck_assert_ptr_null(wire_trace_block_encode(
		&example, raw, TRACE_BLOCK_BYTES + 1, &length));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_there_and_back, test_refused,
				       NULL };

	return suite_run("json_trace_block", tests);
}
