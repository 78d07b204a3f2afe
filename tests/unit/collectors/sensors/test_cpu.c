/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cpu.c - what the CPU sensor makes of the kernel's counters
 *
 * In a mount namespace of its own, where /proc/stat is a file of the test's and
 * no group has a quota.
 */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/sensors/sensors.h"
#include "predictor/base/clock.h"
#include "tests/unit/suite.h"

static char folder[] = "/tmp/test-cpu.XXXXXX";
static char stat_path[sizeof(folder) + 8];

/* Overwrite the file in place: it is mounted. */
static void counters_set(double busy_s, double steal_s)
{
	double ticks = (double)sysconf(_SC_CLK_TCK);
	FILE *file = fopen(stat_path, "we");

	if (!file)
		abort();
	fprintf(file, "cpu  %.0f 0 0 1000000 0 0 0 %.0f 0 0\n", busy_s * ticks,
		steal_s * ticks);
	fclose(file);
}

/* -1: this user may not have namespaces here. */
static int namespace_enter(void)
{
	if (!mkdtemp(folder))
		return -1;
	snprintf(stat_path, sizeof(stat_path), "%s/stat", folder);
	counters_set(0, 0);
	if (unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return -1;
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount(stat_path, "/proc/stat", NULL, MS_BIND, NULL))
		return -1;
	return access("/sys/fs/cgroup", F_OK) ||
			       !mount("none", "/sys/fs/cgroup", "tmpfs", 0,
				      NULL)
		       ? 0
		       : -1;
}

/* Jobs may run on this machine meanwhile. */
static void ignore_job(void *context, uint32_t job_id,
		       const struct job_memory *sample)
{
	(void)context;
	(void)job_id;
	(void)sample;
}

/* The part of a CPU that the sensor believes in, while these seconds of work
 * were done and stolen. */
static double correction(double busy_s, double steal_s)
{
	void *cpu = cpu_sensor.create(1);
	struct measurement m;
	struct sp_error err;

	ck_assert_ptr_nonnull(cpu);
	counters_set(100, 20);
	ck_assert_int_eq(cpu_sensor.sample(cpu, clock_monotonic_s(), ignore_job,
					   NULL, &err),
			 0);
	ck_assert_int_eq(cpu_sensor.measure(cpu, clock_monotonic_s(), &m, &err),
			 -1);
	usleep(100000);
	counters_set(100 + busy_s, 20 + steal_s);
	ck_assert_int_eq(cpu_sensor.sample(cpu, clock_monotonic_s(), ignore_job,
					   NULL, &err),
			 0);
	ck_assert_int_eq(cpu_sensor.measure(cpu, clock_monotonic_s(), &m, &err),
			 0);
	ck_assert_double_le(m.cpu_available, m.cpu_correction);
	cpu_sensor.destroy(cpu);
	return m.cpu_correction;
}

/* On a busy machine others take much for a while, which is no stolen time. */
static double most_of(double busy_s, double steal_s)
{
	double most = 0;

	for (int i = 0; i < 20 && most <= 0.12; i++)
		most = fmax(most, correction(busy_s, steal_s));
	return most;
}

/* The hypervisor gave one of ten seconds in which the machine had work: a new
 * process gets no more than a tenth of a CPU. */
START_TEST(test_stolen_time)
{
	ck_assert_double_le(correction(1, 9), 0.1001);
	ck_assert_double_ge(correction(1, 9), 0.02);
	ck_assert_double_gt(most_of(1, 0), 0.12);
	/* A little work, stolen once, proves nothing. */
	ck_assert_double_gt(most_of(0, 0.02), 0.12);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_stolen_time, NULL };
	int rc = 0;

	if (namespace_enter())
		printf("ok cpu # skipped: no namespaces: %s\n",
		       strerror(errno));
	else
		rc = suite_run("cpu", tests);
	unlink(stat_path);
	rmdir(folder);
	return rc;
}
