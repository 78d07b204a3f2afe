/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_counters.c - interfaces, from /proc and /sys */
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "collectors/probes/counters.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

static struct sp_error err;

static void make_folders(const char *const paths[])
{
	for (int i = 0; paths[i]; i++)
		ck_assert_int_eq(mkdir(folder_path(paths[i]), 0700), 0);
}

#define PORT "sys/class/infiniband/mlx5_0/ports/1"

static void make_node(void)
{
	static const char *const paths[] = {
		"proc",
		"proc/net",
		"sys",
		"sys/class",
		"sys/class/net",
		"sys/class/net/eth0",
		"sys/class/infiniband",
		"sys/class/infiniband/mlx5_0",
		"sys/class/infiniband/mlx5_0/ports",
		PORT,
		PORT "/counters",
		NULL,
	};

	make_folders(paths);
	folder_put("sys/class/net/eth0/speed", "10000\n");
	folder_put(PORT "/rate", "100 Gb/sec (4X EDR)\n");
}

static void put_counts(const char *received, const char *sent, const char *data)
{
	char text[1024];

	snprintf(text, sizeof(text),
		 "Inter-|   Receive                |  Transmit\n"
		 " face |bytes    packets errs drop fifo frame compressed "
		 "multicast|bytes    packets errs drop fifo colls carrier "
		 "compressed\n"
		 "    lo: 777 1 0 0 0 0 0 0 777 1 0 0 0 0 0 0\n"
		 "  eth0:%s 9 0 0 0 0 0 0 %s 8 0 0 0 0 0 0\n"
		 "   ib0: 5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0\n",
		 received, sent);
	folder_put("proc/net/dev", text);
	folder_put(PORT "/counters/port_rcv_data", data);
	folder_put(PORT "/counters/port_xmit_data", data);
}

START_TEST(test_rates)
{
	struct counters a, b;
	struct traffic t;

	folder_make();
	make_node();
	put_counts("123456789012", "1000000", "1000");
	ck_assert_msg(!counters_read(folder, &a, &err), "%s", err.text);
	put_counts("123458039012", "3500000", "626001000");
	ck_assert_msg(!counters_read(folder, &b, &err), "%s", err.text);
	ck_assert_uint_eq(b.count, 3);
	ck_assert_ptr_null(counters_find(&b, "lo"));
	ck_assert_double_eq(counters_find(&b, "eth0")->speed_bps, 10e9);
	ck_assert_double_nan(counters_find(&b, "ib0")->speed_bps);
	b.time_s = a.time_s + 0.1;
	t = counters_traffic(&a, &b, "eth0");
	ck_assert_double_eq_tol(t.received_bps, 100e6, 1);
	ck_assert_double_eq_tol(t.sent_bps, 200e6, 1);
	t = counters_traffic(&a, &b, "eth1");
	ck_assert_double_nan(t.sent_bps);
	/* 2.504 GB in 0.4 s are 50 of 100 Gbit/s. */
	b.time_s = a.time_s + 0.4;
	ck_assert_double_eq_tol(counters_infiniband(&a, &b), 0.5, 0.01);
	/* They have begun anew. */
	t = counters_traffic(&b, &a, "eth0");
	ck_assert_double_nan(t.sent_bps);
	folder_remove();
}
END_TEST

START_TEST(test_bad_files)
{
	struct counters c;

	folder_make();
	make_node();
	ck_assert_int_eq(counters_read(folder, &c, &err), -1);
	put_counts("", "-", "nonsense");
	ck_assert_int_eq(counters_read(folder, &c, &err), 0);
	ck_assert_ptr_null(counters_find(&c, "mlx5_0:1"));
	ck_assert_double_nan(counters_infiniband(&c, &c));
	folder_remove();
}
END_TEST

START_TEST(test_own_machine)
{
	struct counters c;

	ck_assert_msg(!counters_read("", &c, &err), "%s", err.text);
	ck_assert_uint_le(c.count, COUNTERS_INTERFACES_MAX);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_rates,
		test_bad_files,
		test_own_machine,
		NULL,
	};

	return suite_run("counters", tests);
}
