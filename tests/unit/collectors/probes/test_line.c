/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_line.c - lines over a pair of sockets */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collectors/probes/line.h"
#include "predictor/base/clock.h"
#include "tests/unit/suite.h"

#define SOON_S 0.05

static struct line_reader reader;
static struct sp_error err;
static int other; /* what is written here is read */

static void open_pair(void)
{
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	other = pair[1];
	line_open(&reader, pair[0], clock_monotonic_s() + SOON_S);
}

static void close_pair(void)
{
	close(reader.fd);
	if (other >= 0)
		close(other);
}

static void peer_send(const char *text)
{
	ck_assert_int_eq(line_write(other, clock_monotonic_s() + SOON_S, text,
				    strlen(text), &err),
			 0);
}

START_TEST(test_lines_and_bytes)
{
	char bytes[8];

	open_pair();
	peer_send("one\ntwo\n\nabcdef");
	ck_assert_str_eq(line_read(&reader, &err), "one");
	ck_assert_str_eq(line_read(&reader, &err), "two");
	ck_assert_str_eq(line_read(&reader, &err), "");

	/* What was read ahead comes first, then what is in the socket. */
	ck_assert_int_eq(line_take(&reader, bytes, 4, &err), 4);
	ck_assert_mem_eq(bytes, "abcd", 4);
	ck_assert_int_eq(line_take(&reader, bytes, sizeof(bytes), &err), 2);
	ck_assert_mem_eq(bytes, "ef", 2);
	peer_send("ghi");
	ck_assert_int_eq(line_take(&reader, bytes, sizeof(bytes), &err), 3);
	ck_assert_mem_eq(bytes, "ghi", 3);
	close_pair();
}
END_TEST

START_TEST(test_a_line_in_pieces)
{
	char *line = NULL;

	open_pair();
	ck_assert_int_eq(line_try(&reader, &line), 0);
	peer_send("hel");
	ck_assert_int_eq(line_try(&reader, &line), 0);
	peer_send("lo\n");
	ck_assert_int_eq(line_try(&reader, &line), 1);
	ck_assert_str_eq(line, "hello");
	peer_send("one\ntwo\n");
	ck_assert_int_eq(line_try(&reader, &line), 1);
	ck_assert_str_eq(line, "one");
	ck_assert_int_eq(line_try(&reader, &line), 1);
	ck_assert_str_eq(line, "two");
	ck_assert_int_eq(line_try(&reader, &line), 0);
	close(other);
	other = -1;
	ck_assert_int_eq(line_try(&reader, &line), -1);
	close_pair();
}
END_TEST

START_TEST(test_longest_line)
{
	static char text[LINE_SIZE + 1];

	open_pair();
	memset(text, 'x', LINE_SIZE - 1);
	text[LINE_SIZE - 1] = '\n';
	peer_send(text);
	ck_assert_uint_eq(strlen(line_read(&reader, &err)), LINE_SIZE - 1);

	text[LINE_SIZE - 1] = 'x';
	peer_send(text);
	ck_assert_ptr_null(line_read(&reader, &err));
	ck_assert_str_eq(err.text, "a line is too long");
	ck_assert_int_eq(line_print(other, clock_monotonic_s() + SOON_S, &err,
				    "%s", text),
			 -1);
	ck_assert_str_eq(err.text, "a line is too long");
	close_pair();
}
END_TEST

START_TEST(test_deadline)
{
	double began_s;

	open_pair();
	began_s = clock_monotonic_s();
	peer_send("no end");
	ck_assert_ptr_null(line_read(&reader, &err));
	ck_assert_str_eq(err.text, "timed out");
	ck_assert_double_ge(clock_monotonic_s() - began_s, SOON_S / 2);
	close_pair();
}
END_TEST

/* Who does not read makes nobody wait for longer than the deadline. */
START_TEST(test_nobody_reads)
{
	static char much[1 << 20];

	open_pair();
	ck_assert_int_eq(line_write(other, clock_monotonic_s() + SOON_S, much,
				    sizeof(much), &err),
			 -1);
	ck_assert_str_eq(err.text, "timed out");
	close_pair();
}
END_TEST

START_TEST(test_closed_by_peer)
{
	char byte;

	open_pair();
	peer_send("half");
	close(other);
	other = -1;
	ck_assert_ptr_null(line_read(&reader, &err));
	ck_assert_str_eq(err.text, "connection closed by peer");
	ck_assert_int_eq(line_take(&reader, &byte, 1, &err), 1);
	ck_assert_int_eq(byte, 'h');
	close_pair();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_lines_and_bytes,
		test_a_line_in_pieces,
		test_longest_line,
		test_deadline,
		test_nobody_reads,
		test_closed_by_peer,
		NULL,
	};

	return suite_run("line", tests);
}
