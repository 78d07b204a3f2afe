/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reply_head.c - heads of replies */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "predictor/client/reply_head.h"
#include "tests/unit/suite.h"

static struct reply_head head;

/* Read the first bytes of `text`. */
static int take(const char *text, size_t size)
{
	char copy[512];

	ck_assert_uint_lt(size, sizeof(copy));
	memcpy(copy, text, size);
	copy[size] = '\0';

	int rc = reply_head_read(copy, &head);

	ck_assert(!memcmp(copy, text, size));
	return rc;
}

START_TEST(test_reads)
{
	static const char whole[] =
		"HTTP/1.1 201 Created\r\nDate: Sat, 28 Nov 2026\r\n"
		"content-LENGTH:\t 458 \r\nConnection: Keep-Alive\r\n\r\nbody";

	ck_assert_int_eq(take(whole, sizeof(whole) - 1), 1);
	ck_assert_uint_eq(head.size, sizeof(whole) - 1 - 4);
	ck_assert_int_eq(head.status, 201);
	ck_assert_uint_eq(head.length, 458);
	ck_assert(!head.last);
	for (size_t size = 0; size < sizeof(whole) - 5; size++)
		ck_assert_int_eq(take(whole, size), 0);
}
END_TEST

START_TEST(test_where_the_body_ends)
{
	static const struct {
		const char *headers;
		uint64_t length;
		bool last;
	} rows[] = {
		{ "HTTP/1.1 200 OK\r\n", REPLY_TO_END, false },
		{ "HTTP/1.0 200 OK\r\n", REPLY_TO_END, true },
		{ "HTTP/1.1 204 No Content\r\n", 0, false },
		{ "HTTP/1.1 304 No\r\nContent-Length: 7\r\n", 0, false },
		{ "HTTP/1.1 100 Continue\r\n", 0, false },
		{ "HTTP/1.1 200\r\nConnection: close\r\nContent-Length: 0\r\n",
		  0, true },
		{ NULL, 0, false },
	};

	for (int i = 0; rows[i].headers; i++) {
		char text[256];

		snprintf(text, sizeof(text), "%s\r\n", rows[i].headers);
		ck_assert_msg(take(text, strlen(text)) == 1, "%s", text);
		ck_assert_uint_eq(head.length, rows[i].length);
		ck_assert_int_eq(head.last, rows[i].last);
	}
}
END_TEST

START_TEST(test_refuses)
{
	static const char *const texts[] = {
		"SSH-2.0",
		"HTTP/2",
		"HTTP/1.1 20 OK\r\n\r\n",
		"HTTP/1.1 2000 OK\r\n\r\n",
		"HTTP/1.1 099 OK\r\n\r\n",
		"HTTP/1.1\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: "
		"1234567890123456789\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
		NULL,
	};

	for (int i = 0; texts[i]; i++)
		ck_assert_msg(take(texts[i], strlen(texts[i])) == -1, "%s",
			      texts[i]);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_reads,
		test_where_the_body_ends,
		test_refuses,
		NULL,
	};

	return suite_run("reply_head", tests);
}
