/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_packet.c - captured frames, sockets, reports of MPI, selection
 * of jobs */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collectors/profilers/mpi_report.h"
#include "collectors/profilers/packet.h"
#include "collectors/profilers/profiling.h"
#include "collectors/profilers/sockets.h"
#include "tests/unit/suite.h"

/* 198.18.0.11:33791 to 198.18.0.12:1024, 8 bytes of 22. */
static const uint8_t frame[] = {
	2,    0,    0,    0,  0,    1,    2,   0,  0,    0,  0,  2,
	8,    0,    0x45, 0,  0,    74,   1,   2,  0x40, 0,  64, 6,
	0,    0,    198,  18, 0,    11,   198, 18, 0,    12, /* IPv4 */
	0x83, 0xff, 4,    0,  0xf4, 0x51, 0,   1,  0x82, 9,  0,  7,
	0x80, 0x18, 1,    0,  0,    0,    0,   0,  1,    1,  8,  10,
	0,    0,    0,    1,  0,    0,    0,   2, /* TCP */
	0x41, 1,    0,    0,  0x0e, 0,    0,   0, /* the first of 22 bytes */
};

START_TEST(test_data)
{
	struct packet p;

	ck_assert_int_eq(packet_parse(frame, sizeof(frame), 88, &p), 0);
	ck_assert_uint_eq(p.from_port, 33791);
	ck_assert_uint_eq(p.to_port, 1024);
	ck_assert_uint_eq(p.seq, 0xf4510001);
	ck_assert_uint_eq(p.ack, 0x82090007);
	ck_assert_uint_eq(p.size, 22);
	ck_assert_uint_eq(p.captured, 8);
	ck_assert(p.push && !p.syn && !p.reset);
	ck_assert_uint_eq(p.data[0], 0x41);
	ck_assert_uint_eq(p.from[10], 0xff);
	ck_assert_uint_eq(p.to[15], 12);
}
END_TEST

/* Frames before segmentation may be longer than IPv4's length field holds. */
START_TEST(test_large_and_padded)
{
	uint8_t copy[sizeof(frame)];
	struct packet p;

	memcpy(copy, frame, sizeof(copy));
	copy[16] = copy[17] = 0;
	ck_assert_int_eq(packet_parse(copy, sizeof(copy), 100066, &p), 0);
	ck_assert_uint_eq(p.size, 100000);
	ck_assert_int_eq(packet_parse(frame, sizeof(frame), 200, &p), 0);
	ck_assert_uint_eq(p.size, 22);
}
END_TEST

START_TEST(test_syn)
{
	uint8_t copy[sizeof(frame)];
	struct packet p;

	memcpy(copy, frame, sizeof(copy));
	copy[47] = 2;
	memcpy(copy + 54, "\2\4\5\264\1\1\1\1\10\12\0\0", 12);
	ck_assert_int_eq(packet_parse(copy, sizeof(copy), 88, &p), 0);
	ck_assert(p.syn);
	ck_assert_uint_eq(p.seq, 0xf4510002);
	ck_assert_uint_eq(p.segment, 1460);
}
END_TEST

START_TEST(test_refused)
{
	uint8_t copy[sizeof(frame)];
	struct packet p = { .size = 77 };

	for (size_t size = 0; size < 66; size++)
		ck_assert_int_eq(packet_parse(frame, size, 88, &p), -1);
	memcpy(copy, frame, sizeof(copy));
	copy[23] = 17; /* UDP */
	ck_assert_int_eq(packet_parse(copy, sizeof(copy), 88, &p), -1);
	copy[23] = 6;
	copy[20] = 0x20; /* a fragment */
	ck_assert_int_eq(packet_parse(copy, sizeof(copy), 88, &p), -1);
	copy[20] = 0;
	copy[46] = 0x40; /* a head of less than 20 bytes */
	ck_assert_int_eq(packet_parse(copy, sizeof(copy), 88, &p), -1);
	ck_assert_uint_eq(p.size, 77);
}
END_TEST

START_TEST(test_sockets)
{
	static const uint8_t own[PACKET_ADDRESS_SIZE] = { [10] = 0xff, 0xff,
							  127,         0,
							  0,           1 };
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr =
					       htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	int client = socket(AF_INET, SOCK_STREAM, 0);
	struct streams *streams = streams_create();
	struct packet packet = { .size = 5, .captured = 5, .push = true };
	pid_t pid = getpid();
	struct stream_key key;
	struct sp_error err;
	uint32_t at = 0;

	packet.data = (const uint8_t *)"hello";
	memcpy(packet.to, own, sizeof(own));
	ck_assert_int_eq(bind(listener, (void *)&address, size), 0);
	ck_assert_int_eq(listen(listener, 1), 0);
	ck_assert_int_eq(getsockname(listener, (void *)&address, &size), 0);
	ck_assert_int_eq(connect(client, (void *)&address, size), 0);
	packet.to_port = ntohs(address.sin_port);
	ck_assert_int_eq(getsockname(client, (void *)&address, &size), 0);
	packet.from_port = ntohs(address.sin_port);
	streams_add(streams, &packet);
	/* None such, but somebody listens there. */
	packet.from_port = packet.to_port;
	packet.to_port = 1;
	streams_add(streams, &packet);

	ck_assert_int_eq(sockets_find(&pid, 1, own, streams, &err), 0);
	ck_assert(streams_next_unowned(streams, &at, &key));
	ck_assert_uint_eq(key.to_port, 1);
	ck_assert(!streams_next_unowned(streams, &at, &key));
	streams_destroy(streams);
	close(client);
	close(listener);
}
END_TEST

START_TEST(test_mpi_report)
{
	static struct mpi_report report;
	struct sp_error err;
	const char *text = "node n1\nseconds 2.5\ncpu 2\nmpi_seconds 1\n"
			   "mpi_cpu 0.5\ncollectives yes\nto n2 10 1000 4 3\n"
			   "to n3 1 1 2 0\nend\n";

	memset(&report, 0, sizeof(report));
	ck_assert_int_eq(mpi_report_parse(text, &report, &err), 0);
	ck_assert_int_eq(mpi_report_parse(text, &report, &err), 0);
	ck_assert_uint_eq(report.tasks, 2);
	ck_assert_int_eq(report.peer_count, 2);
	ck_assert_double_eq(report.peer[0].messages, 20);
	ck_assert_double_eq(report.peer[0].bytes, 2000);
	ck_assert_double_eq(report.peer[0].replies, 8);
	ck_assert_double_eq(report.peer[1].replies, 2); /* no more than sent */
	ck_assert_double_eq(report.peer[0].long_messages, 6);
	ck_assert_double_eq(report.mpi_cpu_s, 1);
	/* Without its end, or with nonsense: unchanged. */
	ck_assert_int_eq(mpi_report_parse("to n2 5 5 0 0\n", &report, &err),
			 -1);
	ck_assert_int_eq(
		mpi_report_parse("to n2 -5 5 0 0\nend\n", &report, &err), -1);
	ck_assert_int_eq(mpi_report_parse("to n2 5 5 0\nend\n", &report, &err),
			 -1);
	ck_assert_int_eq(mpi_report_parse("cpu nan\nend\n", &report, &err), -1);
	ck_assert_double_eq(report.peer[0].messages, 20);
}
END_TEST

START_TEST(test_mpi_ranks)
{
	static struct mpi_report report;
	struct sp_error err;
	char text[256];

	memset(&report, 0, sizeof(report));
	ck_assert_int_eq(mpi_report_parse("rank 0 1 9 99 8 88 7 .5 6 .25 .125\n"
					  "end\n",
					  &report, &err),
			 0);
	ck_assert_int_eq(report.rank_count, 1);
	ck_assert_uint_eq(report.rank[0].ranks, 1);
	ck_assert_int_eq(report.rank[0].peer, 1);
	ck_assert_double_eq(report.rank[0].asked_any, 7);
	ck_assert_double_eq(report.rank[0].tasks_s2, .125);
	ck_assert_int_eq(
		mpi_report_parse("rank 0 1 9 99 8 88 7 .5 6 .25\nend\n",
				 &report, &err),
		-1);
	ck_assert_int_eq(mpi_report_parse("rank 0 1 9 99 8 88 7 nan 6 .25 1\n"
					  "end\n",
					  &report, &err),
			 -1);
	/* Nothing was sent. */
	ck_assert_int_eq(mpi_report_parse("rank 5 -1 0 0 0 0 0 .5 0 0 0\nend\n",
					  &report, &err),
			 0);
	ck_assert_int_eq(report.rank[1].peer, 5);
	report.rank_count = 1;
	/* Many workers of one master are added up. */
	for (int i = 1; i <= 100; i++) {
		snprintf(text, sizeof(text),
			 "rank %d 0 2 20 2 20 0 1 1 .5 .25\nend\n", i);
		ck_assert_int_eq(mpi_report_parse(text, &report, &err), 0);
	}
	ck_assert_int_eq(report.rank_count, PROFILE_RANKS_MAX - 1);

	double tasks = 0;
	uint32_t ranks = 0;

	for (int i = 1; i < report.rank_count; i++) {
		ranks += report.rank[i].ranks;
		tasks += report.rank[i].tasks;
	}
	ck_assert_uint_eq(ranks, 100);
	ck_assert_double_eq(tasks, 100);
	/* Ranks that have nothing in common are no farm. */
	for (int i = 200; i < 210; i++) {
		snprintf(text, sizeof(text),
			 "rank %d %d 2 20 2 20 0 1 1 .5 .25\nend\n", i, i + 1);
		ck_assert_int_eq(mpi_report_parse(text, &report, &err), 0);
	}
	ck_assert_int_eq(report.rank_count, -1);
}
END_TEST

START_TEST(test_selection)
{
	ck_assert_int_eq(profiling_option_parse("mpi"), PROFILING_MPI);
	ck_assert_int_eq(profiling_option_parse("lbf"), PROFILING_TRACE);
	ck_assert_int_eq(profiling_option_parse("what"), PROFILING_DEFAULT);
	ck_assert(profiling_selects(PROFILING_MPI, 3, 0));
	ck_assert(!profiling_selects(PROFILING_NO, 10, 1));
	ck_assert(profiling_selects(PROFILING_DEFAULT, 20, 10));
	ck_assert(!profiling_selects(PROFILING_DEFAULT, 21, 10));
	ck_assert(!profiling_selects(PROFILING_DEFAULT, 20, 0));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_data,      test_large_and_padded, test_syn,
		test_refused,   test_sockets,          test_mpi_report,
		test_mpi_ranks, test_selection,        NULL
	};

	return suite_run("packet", tests);
}
