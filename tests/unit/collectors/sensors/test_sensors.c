/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sensors.c - measurements are made on time, and show load */
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/sensors/cpu_group.h"
#include "collectors/sensors/cpu_probe.h"
#include "collectors/sensors/sensors.h"
#include "predictor/base/clock.h"
#include "tests/unit/suite.h"

static void no_job(void *context, uint32_t job_id,
		   const struct job_memory *sample)
{
	(void)context;
	(void)job_id;
	ck_assert(!(sample->resident_mb < 0));
}

static struct measurement measure(double interval_s)
{
	struct sensors *sensors = sensors_create(interval_s);
	struct measurement m;
	double started_s = clock_monotonic_s();

	for (;;) {
		double now_s = clock_monotonic_s();

		if (sensors_run(sensors, now_s, no_job, NULL, &m))
			break;
		ck_assert_double_lt(now_s - started_s, 20);
		usleep((useconds_t)(1e6 *
				    fmax(0, sensors_at_s(sensors) - now_s)));
	}
	ck_assert_double_ge(clock_monotonic_s() - started_s, interval_s - 0.01);
	sensors_destroy(sensors);
	return m;
}

START_TEST(test_load_shows)
{
	pid_t pids[3];
	struct measurement m;

	for (int i = 0; i < 3; i++)
		if (!(pids[i] = fork()))
			for (;;)
				;
	/* The kernel adds a wait when it ends: some may be missing at first. */
	for (int i = 0; i < 10; i++) {
		m = measure(1);
		if (m.cpu_load >= 2)
			break;
	}
	for (int i = 0; i < 3; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	ck_assert_double_ge(m.cpu_load, 2);
	ck_assert_double_gt(m.cpu_available, 0);
	ck_assert_double_le(m.cpu_available, 1);
	ck_assert_double_gt(m.cpu_available_now, 0);
	ck_assert_double_le(m.cpu_available_now, m.cpu_available);
	ck_assert_double_gt(m.cpu_correction, 0);
	ck_assert_double_gt(m.memory_available_mb, 1);
}
END_TEST

START_TEST(test_quota)
{
	struct cpu_group group;

	ck_assert_double_eq(cpu_group_parse_max("40000 100000\n"), 0.4);
	ck_assert_double_eq(cpu_group_parse_max("max 100000"), 0);
	ck_assert_double_eq(cpu_group_parse_max("-1 100000"), 0);
	ck_assert_double_eq(cpu_group_parse_max("5"), 0);
	ck_assert_double_eq(cpu_group_parse_max(""), 0);
	cpu_group_find("", &group);
	ck_assert_double_ge(group.cpus, 1);
	ck_assert_double_gt(group.quota, 0);
	ck_assert_double_le(group.quota, group.cpus);
}
END_TEST

START_TEST(test_cpu_lists)
{
	ck_assert_int_eq(cpu_group_count("0-3,8\n"), 5);
	ck_assert_int_eq(cpu_group_count("7"), 1);
	ck_assert_int_eq(cpu_group_count("\n"), 0);
	ck_assert_int_eq(cpu_group_count(""), 0);
	ck_assert_int_eq(cpu_group_count("3-1"), 0);
	ck_assert_int_eq(cpu_group_count("-4"), 0);
	ck_assert_int_eq(cpu_group_count("0-99999999"), 0);
}
END_TEST

START_TEST(test_probe)
{
	struct cpu_probe *probe = cpu_probe_create();
	struct cpu_probe_result result = { .share = -1 };
	struct sp_error err;

	ck_assert_int_eq(cpu_probe_take(probe, &result), 0);
	ck_assert_int_eq(cpu_probe_start(probe, &err), 0);
	ck_assert(cpu_probe_is_out(probe));
	while (!cpu_probe_take(probe, &result))
		usleep(1000);
	ck_assert(!cpu_probe_is_out(probe));
	ck_assert_double_gt(result.share, 0);
	ck_assert_double_le(result.share, 1);
	ck_assert_double_lt(result.cost_s, 0.05);
	ck_assert_double_lt(result.took_s, 2);
	ck_assert_double_gt(result.speed, 0.01);
	ck_assert_int_eq(cpu_probe_start(probe, &err), 0);
	cpu_probe_destroy(probe); /* while it runs */
	cpu_probe_destroy(NULL);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_load_shows, test_quota,
				       test_cpu_lists, test_probe, NULL };

	return suite_run("sensors", tests);
}
