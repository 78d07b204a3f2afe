/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_stream.c - messages of synthetic connections */
#include <string.h>

#include "collectors/profilers/packet.h"
#include "collectors/profilers/stream.h"
#include "tests/unit/suite.h"

#define SEGMENT 1448

static struct stream stream;

static void fresh(void)
{
	memset(&stream, 0, sizeof(stream));
}

static void open_at(uint32_t seq)
{
	struct packet syn = { .syn = true, .seq = seq, .segment = SEGMENT };

	stream_add(&stream, &syn);
}

static void send_bytes(uint32_t seq, uint32_t size, const void *data,
		       uint32_t captured, bool push, uint32_t ack)
{
	struct packet packet = { .seq = seq,
				 .ack = ack,
				 .size = size,
				 .push = push,
				 .data = data,
				 .captured = captured };

	stream_add(&stream, &packet);
}

static void plain(uint32_t seq, uint32_t size, bool push, uint32_t ack)
{
	static const uint8_t text[64] = "POST / HTTP";

	send_bytes(seq, size, text, size < 64 ? size : 64, push, ack);
}

static void expect(double messages, double bytes)
{
	ck_assert_double_eq(stream.tally.messages, messages);
	ck_assert_double_eq(stream.tally.bytes, bytes);
}

static void plain_at(double at_s, uint32_t seq, uint32_t size, uint32_t ack)
{
	static const uint8_t text[64] = "POST / HTTP";
	struct packet packet = { .seq = seq,
				 .ack = ack,
				 .size = size,
				 .push = true,
				 .at_s = at_s,
				 .data = text,
				 .captured = size < 64 ? size : 64 };

	stream_add(&stream, &packet);
}

/* --- Any program --------------------------------------------------------- */

START_TEST(test_short_messages)
{
	fresh();
	open_at(1000);
	plain(1000, 100, true, 7);
	plain(1100, 33, true, 7);
	plain(1133, 1, true, 8);
	expect(3, 134);
	ck_assert_ptr_eq(stream.framing, &framing_plain);
}
END_TEST

START_TEST(test_full_segments_belong_together)
{
	fresh();
	open_at(0);
	plain(0, 7 * SEGMENT, true, 1);
	plain(7 * SEGMENT, SEGMENT, false, 1);
	plain(8 * SEGMENT, 2102, true, 1);
	plain(8 * SEGMENT + 2102, 50, true, 1);
	expect(2, 8 * SEGMENT + 2152);
}
END_TEST

/* The length shows no end, but the other side has replied. */
START_TEST(test_reply_ends_message)
{
	fresh();
	open_at(0);
	plain(0, SEGMENT, true, 10);
	plain(SEGMENT, SEGMENT, true, 60);
	expect(2, 2 * SEGMENT);
}
END_TEST

START_TEST(test_retransmission)
{
	fresh();
	open_at(500);
	plain(500, 100, true, 1);
	plain(500, 100, true, 1);
	plain(550, 150, true, 1); /* half of it is new */
	expect(2, 200);
	ck_assert_uint_eq(stream.repeated, 150);
}
END_TEST

START_TEST(test_wrap)
{
	fresh();
	open_at(UINT32_MAX - 49);
	plain(UINT32_MAX - 49, 40, true, 1);
	plain(UINT32_MAX - 9, 30, true, 1);
	plain(20, 11, true, 1);
	plain(20, 11, true, 1);
	expect(3, 81);
}
END_TEST

START_TEST(test_loss)
{
	fresh();
	open_at(0);
	plain(0, 100, true, 1);
	plain(300, 100, true, 1);
	plain(100, 200, true, 1); /* late: it was counted as lost */
	expect(2, 400);
	ck_assert_uint_eq(stream.missed, 200);
}
END_TEST

/* A pause of the capture: many messages, of the mean size so far. */
START_TEST(test_many_lost)
{
	uint32_t at = 0;

	fresh();
	open_at(0);
	for (int i = 0; i < 12; i++) {
		uint32_t size = i % 2 ? 333 : 67;

		plain(at, size, true, 1);
		at += size;
	}
	plain(at + 200 * 240, 50, true, 1);
	expect(12 + 240, 200 * 252 + 50);
	ck_assert_uint_eq(stream.missed, 200 * 240);
}
END_TEST

START_TEST(test_ports_used_again)
{
	struct packet reset = { .reset = true, .seq = 100 };

	fresh();
	open_at(0);
	plain(0, 100, true, 1);
	open_at(4000000000u);
	plain(4000000000u, 10, true, 1);
	stream_add(&stream, &reset);
	plain(77, 5, true, 1);
	expect(3, 115);
	ck_assert_uint_eq(stream.missed, 0);
}
END_TEST

START_TEST(test_without_beginning)
{
	fresh();
	plain(123456, 100, true, 1);
	expect(1, 100);
}
END_TEST

/* --- Open MPI ------------------------------------------------------------ */

/* A frame's first bytes. */
static uint32_t frame(uint8_t *to, uint8_t tag, uint8_t type, uint8_t count,
		      uint32_t inside)
{
	memset(to, 0, 64);
	to[0] = tag;
	to[1] = type;
	to[2] = count;
	to[4] = (uint8_t)inside;
	to[5] = (uint8_t)(inside >> 8);
	to[6] = (uint8_t)(inside >> 16);
	to[8] = tag;
	return 8 + inside;
}

static uint32_t greet(uint32_t seq)
{
	uint8_t hello[24] = { 1, 0, 0x74, 0x19 };

	memcpy(hello + 8, "OPAL-TCP-BTL", 12);
	open_at(seq);
	send_bytes(seq, 24, hello, 24, true, 1);
	return seq + 24;
}

START_TEST(test_openmpi_short)
{
	uint8_t head[64];

	fresh();

	uint32_t seq = greet(10);

	for (int i = 0; i < 5; i++) {
		uint32_t size = frame(head, 65, 1, 0, 14 + 100);

		send_bytes(seq, size, head, 64, true, 1);
		seq += size;
	}
	expect(5, 500);
	ck_assert_double_eq(stream.tally.long_messages, 0);
	ck_assert_ptr_eq(stream.framing, &framing_openmpi);
}
END_TEST

/* As seen: a rendezvous without data, what is put, the end of it.  `more`
 * bytes behind what is put come in the same segment as its end. */
static uint32_t send_put(uint32_t seq, uint32_t more)
{
	uint8_t head[64];
	uint32_t size = frame(head, 66, 1, 0, 32);

	send_bytes(seq, size, head, size, true, 1);
	seq += size;
	frame(head, 32, 2, 1, 200000);
	size = 8 + 16 + 200000 + more;
	send_bytes(seq, 65160, head, 64, true, 1);
	send_bytes(seq + 65160, 65160, head, 0, true, 1);
	send_bytes(seq + 130320, size - 130320, head, 0, true, 1);
	return seq + size;
}

static uint32_t send_end(uint32_t seq)
{
	uint8_t head[64];
	uint32_t size = frame(head, 73, 1, 0, 24);

	send_bytes(seq, size, head, size, true, 1);
	return seq + size;
}

START_TEST(test_openmpi_long)
{
	fresh();
	send_end(send_put(greet(0), 0));
	expect(1, 200000);
	ck_assert_double_eq(stream.tally.long_messages, 1);
}
END_TEST

/* What follows each other once does so where it can't be seen: the end of a
 * long message is none. */
START_TEST(test_openmpi_long_gathered)
{
	uint32_t seq, put = 8 + 16 + 200000, end = 8 + 24, begin = 8 + 32;

	fresh();
	seq = send_end(send_put(greet(0), 0));
	seq = send_put(seq, end);
	expect(2, 400000);
	/* Its end and all of the next message. */
	seq = send_put(seq, end + begin + put + end);
	expect(4, 800000);
	ck_assert_double_eq(stream.tally.long_messages, 4);
	/* Its end and the beginning of one that never comes. */
	seq = send_put(seq, end + begin + 1000);
	send_put(seq, 0);
	expect(7, 6 * 200000 + 1000 - 24);
}
END_TEST

/* Headers beyond what was captured: equal ones are estimated. */
START_TEST(test_openmpi_gathered)
{
	uint8_t head[64];
	uint32_t size;

	fresh();

	uint32_t seq = greet(0);

	size = frame(head, 65, 1, 0, 14 + 200);
	send_bytes(seq, 40 * size, head, 64, true, 1);
	seq += 40 * size;
	send_bytes(seq, size, head, 64, true, 1);
	expect(41, 41 * 200);
}
END_TEST

START_TEST(test_openmpi_head_in_two_pieces)
{
	uint8_t head[64];
	uint32_t size;

	fresh();

	uint32_t seq = greet(0);

	size = frame(head, 65, 1, 0, 14 + 1);
	send_bytes(seq, 5, head, 5, true, 1);
	send_bytes(seq + 5, size - 5, head + 5, size - 5, true, 1);
	expect(1, 1);
}
END_TEST

START_TEST(test_openmpi_loss)
{
	uint8_t head[64];
	uint32_t size;

	fresh();

	uint32_t seq = greet(0);

	size = frame(head, 65, 1, 0, 14 + 100);
	send_bytes(seq, size, head, 64, true, 1);
	seq += 11 * size; /* ten were not seen */
	send_bytes(seq, size, head, 64, true, 1);
	expect(12, 1200);
}
END_TEST

/* --- Rounds -------------------------------------------------------------- */

START_TEST(test_rounds)
{
	const struct rounds *r = &stream.rounds;

	fresh();
	open_at(1000);
	plain_at(5, 1000, 100, 7);
	plain_at(5.1, 1100, 33, 7); /* of the same request */
	plain_at(8, 1133, 10, 9);
	plain_at(8.5, 1143, 10, 9);
	plain_at(10, 1153, 10, 12);
	ck_assert_double_eq(r->count, 2);
	ck_assert_double_eq_tol(r->sum_s, 5, 1e-12);
	ck_assert_double_eq_tol(r->sum_s2, 9 + 4, 1e-12);
	/* Not known: a message was lost. */
	plain_at(17, 1263, 10, 15);
	ck_assert_double_eq(r->count, 2);
	plain_at(18, 1273, 10, 16);
	ck_assert_double_eq(r->count, 3);
	ck_assert_double_eq_tol(r->sum_s, 6, 1e-12);
	/* Another connection of the same ports. */
	open_at(90000);
	plain_at(30, 90000, 10, 3);
	ck_assert_double_eq(r->count, 3);
}
END_TEST

/* One is far longer than all others, which is no task. */
START_TEST(test_rounds_far_longer)
{
	const struct rounds *r = &stream.rounds;
	uint32_t seq = 1000, ack = 1;
	double at_s = 0;

	fresh();
	open_at(seq);
	for (int i = 0; i <= 20; i++, seq += 10) {
		plain_at(at_s, seq, 10, ack++);
		at_s += i == 15 ? 31 : 3;
	}
	ck_assert_double_eq(r->count, 19);
	ck_assert_double_eq_tol(r->sum_s, 57, 1e-9);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_short_messages,
		test_full_segments_belong_together,
		test_reply_ends_message,
		test_retransmission,
		test_wrap,
		test_loss,
		test_many_lost,
		test_ports_used_again,
		test_without_beginning,
		test_openmpi_short,
		test_openmpi_long,
		test_openmpi_long_gathered,
		test_openmpi_gathered,
		test_openmpi_head_in_two_pieces,
		test_openmpi_loss,
		test_rounds,
		test_rounds_far_longer,
		NULL,
	};

	return suite_run("stream", tests);
}
