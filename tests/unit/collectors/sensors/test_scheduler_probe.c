/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_scheduler_probe.c - what the kernel does with a process that wakes up */
#include <time.h>
#include <unistd.h>

#include "collectors/sensors/scheduler_probe.h"
#include "tests/unit/suite.h"

/* Cycles of contrib/experiments/sharing/result, beside one competitor on a node
 * of 30 % of a core, and of result-slow-host. */
START_TEST(test_turns_of_kept_cycles)
{
	static const struct scheduler_cycle quiet[] = {
		{ 0.004959, 0.004856, 0.03831 },
		{ 0.010028, 0.009787, 0.076996 },
		{ 0.019142, 0.020172, 0.148601 },
	};
	static const struct scheduler_cycle slow[] = {
		{ 0.004962, 0.004856, 0.045248 },
		{ 0.010029, 0.009787, 0.082836 },
		{ 0.019144, 0.020172, 0.155227 },
	};
	struct scheduler_values v;

	scheduler_values_find(quiet, 3, 0.3, &v);
	ck_assert_double_eq_tol(v.turn_s, 0.394e-3, 1e-6);
	ck_assert_double_eq(v.credit_s, 0);
	scheduler_values_find(slow, 3, 0.3, &v);
	ck_assert_double_eq_tol(v.turn_s, 7.312e-3, 1e-6);
}
END_TEST

/* A kernel that gives back 3 ms of each sleep: b = 8, i = 5 ms, no quota. */
START_TEST(test_credit)
{
	static const struct scheduler_cycle cycle = {
		0.008, 0.005, 0.003 + 0.005 / 0.5 + 0.005
	};
	struct scheduler_values v;

	scheduler_values_find(&cycle, 1, 1, &v);
	ck_assert_double_eq(v.turn_s, 0);
	ck_assert_double_eq_tol(v.credit_s, 0.003, 1e-9);
}
END_TEST

START_TEST(test_defaults_of_releases)
{
	static const struct {
		const char *release;
		double cpus, credit_s;
	} known[] = {
		{ "3.10.0-1160.el7.x86_64", 8, 0.012 },
		{ "4.18.0-553.el8_10.x86_64", 64, 0.012 },
		{ "5.14.0-427.el9.x86_64", 2, 0.006 },
		{ "6.1.0-18-amd64", 1, 0.003 },
		{ "6.5.13", 8, 0.012 },
		{ "6.6.0", 8, 0 },
		{ "6.12.0-55.el10", 8, 0 },
		{ "7.0", 8, 0 },
		{ "", 8, 0 },
	};
	struct scheduler_values v;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		scheduler_values_default(known[i].release, known[i].cpus, &v);
		ck_assert_double_eq_tol(v.credit_s, known[i].credit_s, 1e-12);
		ck_assert_double_eq(v.turn_s, 0);
	}
}
END_TEST

static double used_cpu_s(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

static int wait_for(struct scheduler_probe *probe, struct scheduler_values *ret,
		    struct sp_error *err)
{
	int rc;

	while ((rc = scheduler_probe_result(probe, ret, err)) == 0)
		usleep(1000);
	return rc;
}

/* Other processes on this machine may disturb it: then it reports that. */
START_TEST(test_runs_for_two_seconds)
{
	struct scheduler_probe *probe = scheduler_probe_create();
	struct scheduler_values v = { -1, -1 };
	struct sp_error err = { "" };
	double begun_s = used_cpu_s();

	ck_assert_int_eq(scheduler_probe_result(probe, &v, &err), 0);
	ck_assert_int_eq(scheduler_probe_start(probe, 1, &err), 0);
	ck_assert(scheduler_probe_is_running(probe));
	if (wait_for(probe, &v, &err) == 1) {
		ck_assert_double_ge(v.turn_s, 0);
		ck_assert_double_lt(v.turn_s, 0.1);
		ck_assert_double_ge(v.credit_s, 0);
		ck_assert_double_lt(v.credit_s, 0.1);
	} else {
		ck_assert_str_ne(err.text, "");
	}
	ck_assert(!scheduler_probe_is_running(probe));
	ck_assert_double_lt(used_cpu_s() - begun_s,
			    1.5 * SCHEDULER_PROBE_CPU_S);
	scheduler_probe_destroy(probe);
	scheduler_probe_destroy(NULL);
}
END_TEST

START_TEST(test_stops_at_once)
{
	struct scheduler_probe *probe = scheduler_probe_create();
	struct scheduler_values v;
	struct sp_error err = { "" };
	double begun_s;

	ck_assert_int_eq(scheduler_probe_start(probe, 1, &err), 0);
	usleep(100000);
	begun_s = used_cpu_s();
	scheduler_probe_stop(probe);
	ck_assert_int_eq(wait_for(probe, &v, &err), -1);
	ck_assert_str_eq(err.text, "stopped before its end");
	ck_assert_double_lt(used_cpu_s() - begun_s, 0.3);
	scheduler_probe_destroy(probe);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_turns_of_kept_cycles, test_credit,
		test_defaults_of_releases, test_runs_for_two_seconds,
		test_stops_at_once,        NULL,
	};

	return suite_run("scheduler_probe", tests);
}
