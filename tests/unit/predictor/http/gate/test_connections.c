/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_connections.c - deadlines of connections, and room for new ones */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "predictor/http/gate/connections.h"
#include "predictor/http/gate/peer_counts.h"

#define COUNT 5

static struct connections list;
static struct http_connection connections[COUNT];
static int clients[COUNT];

static void set_up(void)
{
	connections_init(&list);
	for (int i = 0; i < COUNT; i++) {
		int fds[2];

		ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
		clients[i] = fds[0];
		connections[i] = (struct http_connection){
			.list = &list,
			.fd = fds[1],
			.peer = 100 + (uint64_t)i % 2,
			.deadline_s = 10 + i,
		};
		ck_assert_uint_eq(connections_append(&list, &connections[i]),
				  (size_t)i + 1);
	}
}

static void tear_down(void)
{
	for (int i = 0; i < COUNT; i++) {
		connections_remove(&list, &connections[i]);
		close(connections[i].fd);
		close(clients[i]);
	}
	ck_assert_uint_eq(list.count, 0);
	ck_assert_ptr_null(list.oldest);
	ck_assert_ptr_null(list.newest);
	connections_clear(&list);
}

static bool is_shut(int i)
{
	char byte;

	return recv(clients[i], &byte, 1, MSG_DONTWAIT) == 0;
}

START_TEST(test_late_ones_are_shut_once)
{
	ck_assert_uint_eq(connections_sweep(&list, 9.5), 0);
	connection_allow(&connections[1], INFINITY);
	ck_assert_uint_eq(connections_sweep(&list, 12.5), 2);
	ck_assert_uint_eq(connections_sweep(&list, 12.5), 0);
	ck_assert(is_shut(0) && !is_shut(1) && is_shut(2) && !is_shut(3));
	connection_allow(&connections[1], 13);
	ck_assert_uint_eq(connections_sweep(&list, 13), 2);
	ck_assert(is_shut(1) && is_shut(3) && !is_shut(4));
}
END_TEST

START_TEST(test_room_is_made_by_the_oldest_without_proof)
{
	ck_assert_uint_eq(connections_make_room(&list, 0, COUNT + 1), 0);
	connection_prove(&connections[0], true);
	connection_allow(&connections[1], INFINITY); /* it waits for us */
	ck_assert_uint_eq(connections_make_room(&list, 0, COUNT), 1);
	ck_assert(!is_shut(0) && !is_shut(1) && is_shut(2));
	connection_prove(&connections[0], false);
	ck_assert_uint_eq(connections_make_room(&list, 0, COUNT), 1);
	ck_assert(is_shut(0));
}
END_TEST

START_TEST(test_room_of_one_peer)
{
	ck_assert_uint_eq(connections_make_room(&list, 101, 0), 1);
	ck_assert_uint_eq(connections_make_room(&list, 101, 0), 1);
	ck_assert_uint_eq(connections_make_room(&list, 101, 0), 0);
	ck_assert(!is_shut(0) && is_shut(1) && !is_shut(2) && is_shut(3) &&
		  !is_shut(4));
}
END_TEST

START_TEST(test_counted_as_one_peer_at_a_time)
{
	struct peer_counts *counts = peer_counts_create();

	for (int i = 0; i < COUNT; i++)
		connections[i].counts = counts;
	ck_assert(connection_count(&connections[0], 7, 2));
	ck_assert(connection_count(&connections[1], 7, 2));
	ck_assert(!connection_count(&connections[2], 7, 2));
	/* One has proved who it is: there is a place again. */
	ck_assert(connection_count(&connections[0], 8, 2));
	ck_assert(connection_count(&connections[0], 8, 0));
	ck_assert(connection_count(&connections[2], 7, 2));
	ck_assert(!connection_count(&connections[0], 7, 2));
	for (int i = 0; i < COUNT; i++)
		ck_assert(connection_count(&connections[i], 0, 0));
	ck_assert(connection_count(&connections[3], 7, 1));
	ck_assert(connection_count(&connections[4], 8, 1));
	peer_counts_destroy(counts);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("connections");
	TCase *tests = tcase_create("connections");
	SRunner *runner = srunner_create(suite);

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, test_late_ones_are_shut_once);
	tcase_add_test(tests, test_room_is_made_by_the_oldest_without_proof);
	tcase_add_test(tests, test_room_of_one_peer);
	tcase_add_test(tests, test_counted_as_one_peer_at_a_time);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
