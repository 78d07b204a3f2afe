/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_host_room.c - how many nodes like this one its machine can serve */
#include "collectors/sensors/host_room.h"
#include "tests/unit/suite.h"

/* By the weights of a fair scheduler, but no less than what nobody
 * else wants. */
START_TEST(test_left)
{
	ck_assert_double_eq(host_room_left(2, 1, 0), 2);
	ck_assert_double_eq_tol(host_room_left(2, 1, 0.3), 1.7, 1e-12);
	ck_assert_double_eq_tol(host_room_left(2, 1, 1), 1, 1e-12);
	ck_assert_double_eq_tol(host_room_left(2, 1, 2), 2 / 3.0, 1e-12);
	ck_assert_double_eq_tol(host_room_left(2, 4, 2), 4 / 3.0, 1e-12);
	ck_assert_double_eq_tol(host_room_left(8, 1, 3), 5, 1e-12);
}
END_TEST

/* A node that is no group with a quota has no such machine. */
START_TEST(test_no_group)
{
	struct cpu_group group = { .path = "", .cpus = 2, .quota = 2 };
	struct host_room room;

	host_room_open(&room, &group);
	host_room_read(&room, &group, 17.5, 3.1);
	ck_assert_double_eq(room.id, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_left, test_no_group, NULL };

	return suite_run("host_room", tests);
}
