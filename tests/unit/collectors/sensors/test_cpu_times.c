/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cpu_times.c - /proc/stat and pressure files, as they are and as not */
#include <math.h>

#include "collectors/sensors/cpu_times.h"
#include "tests/unit/suite.h"

START_TEST(test_stat)
{
	double busy_s = 7, steal_s = 7;

	ck_assert_int_eq(cpu_times_parse("cpu  100 20 30 9000 50 3 4 25 6 7\n",
					 100, &busy_s, &steal_s),
			 0);
	ck_assert_double_eq_tol(busy_s, 1.57, 1e-9);
	ck_assert_double_eq_tol(steal_s, 0.25, 1e-9);
	ck_assert_int_eq(cpu_times_parse("cpu 100 20 30 9000 50 3 4", 100,
					 &busy_s, &steal_s),
			 0);
	ck_assert_double_eq(steal_s, 0);
	busy_s = 7;
	ck_assert_int_eq(cpu_times_parse("cpu 1 2", 100, &busy_s, &steal_s),
			 -1);
	ck_assert_int_eq(cpu_times_parse("", 100, &busy_s, &steal_s), -1);
	ck_assert_double_eq(busy_s, 7);
}
END_TEST

START_TEST(test_pressure)
{
	ck_assert_double_eq_tol(
		cpu_times_parse_pressure("some avg10=5.84 avg60=5.52 "
					 "avg300=5.53 total=8883750003\n"),
		8883.750003, 1e-6);
	ck_assert_double_nan(cpu_times_parse_pressure("full avg10=0.00"));
	ck_assert_double_nan(cpu_times_parse_pressure(""));
}
END_TEST

START_TEST(test_this_machine)
{
	struct cpu_times a, b;

	cpu_times_read("", &a);
	cpu_times_read("/nowhere", &b);
	ck_assert_double_gt(a.busy_s, 0);
	ck_assert_double_eq(a.busy_s, a.machine_busy_s);
	ck_assert_double_ge(b.machine_busy_s, a.machine_busy_s);
	ck_assert_double_nan(b.busy_s);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_stat, test_pressure,
				       test_this_machine, NULL };

	return suite_run("cpu_times", tests);
}
