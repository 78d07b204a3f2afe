/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_scheduler_probing.c - when the scheduler is probed, and what is sent */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collectors/daemon/scheduler_probing.h"
#include "tests/unit/suite.h"

#define STEP_S 5.0

static char spool[] = "/tmp/test_scheduler_probing.XXXXXX";

static double used_cpu_s(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

/* Measurements every five seconds of a node with such a load, the first at
 * `from_s`; how many had values, the last of which is in *ret. */
static int measured(struct scheduler_probing *s, size_t jobs, double load,
		    double from_s, int count, struct measurement *ret)
{
	int sent = 0;

	for (int i = 0; i < count; i++) {
		struct measurement m = { .cpu_load = load, .cpu_available = 1 };

		scheduler_probing_measured(s, jobs, from_s + i * STEP_S, &m);
		ck_assert_int_eq(isnan(m.cpu_turn_s), isnan(m.cpu_credit_s));
		if (isnan(m.cpu_turn_s))
			continue;
		sent++;
		*ret = m;
	}
	return sent;
}

/* One value in five minutes, and no CPU time while there is a job or load. */
START_TEST(test_quiet_while_busy)
{
	struct scheduler_probing *s = scheduler_probing_create(spool, true);
	double begun_s = used_cpu_s();
	struct measurement m;

	ck_assert_int_eq(measured(s, 1, 0, 1000, 61, &m), 2);
	ck_assert_int_eq(measured(s, 0, 0.5, 2000, 60, &m), 1);
	scheduler_probing_allow(s, false);
	ck_assert_int_eq(measured(s, 0, 0, 3000, 60, &m), 1);
	measured(s, 1, 0, 3995, 1, &m);
	scheduler_probing_allow(s, true);
	measured(s, 0, 0, 4000, 6, &m); /* idle for 25 s */
	usleep(200000);
	ck_assert_double_lt(used_cpu_s() - begun_s, 0.1);
	scheduler_probing_destroy(s);
	ck_assert_int_ne(access(spool, F_OK), -1);
}
END_TEST

/* The node is idle for half a minute; a job comes; later it is idle again, if
 * this machine lets a probe come to its end. */
START_TEST(test_probes_once_and_keeps_the_result)
{
	struct scheduler_probing *s = scheduler_probing_create(spool, true);
	double now_s = 1000, begun_s = used_cpu_s();
	char path[64];
	struct measurement first, again;

	snprintf(path, sizeof(path), "%s/scheduler", spool);
	measured(s, 0, 0, now_s, 7, &first);
	/* A probe computes, as far as this machine lets it. */
	for (int i = 0; i < 100 && used_cpu_s() - begun_s < 0.01; i++)
		usleep(100000);
	ck_assert_double_gt(used_cpu_s() - begun_s, 0.01);
	scheduler_probing_stop(s);
	usleep(100000);
	ck_assert_int_eq(access(path, F_OK), -1);
	for (int i = 0; i < 2 && access(path, F_OK); i++) {
		now_s += 1e5; /* past any pause */
		measured(s, 0, 0, now_s, 8, &first);
		for (int k = 0; k < 40 && access(path, F_OK); k++) {
			usleep(100000);
			now_s += 0.1;
			measured(s, 0, 0, now_s, 1, &first);
		}
	}
	scheduler_probing_destroy(s);
	if (access(path, F_OK))
		return; /* others compute here all the time */
	begun_s = used_cpu_s();
	s = scheduler_probing_create(spool, true);
	ck_assert_int_eq(measured(s, 0, 0, 10, 20, &again), 1);
	usleep(100000);
	ck_assert_double_eq_tol(again.cpu_turn_s, first.cpu_turn_s, 1e-9);
	ck_assert_double_eq_tol(again.cpu_credit_s, first.cpu_credit_s, 1e-9);
	ck_assert_double_lt(used_cpu_s() - begun_s, 0.05);
	scheduler_probing_destroy(s);
	unlink(path);
}
END_TEST

/* What was kept of another kernel, or can't be read, is not used. */
START_TEST(test_another_kernel)
{
	static const char *const texts[] = {
		"", "nonsense",
		"kernel 2.6.32 #1 SMP\nquota 0 0\nturn_s 0.777\ncredit_s 0\n"
	};
	struct measurement m;
	char path[64];

	snprintf(path, sizeof(path), "%s/scheduler", spool);
	for (int i = 0; i < 3; i++) {
		FILE *file = fopen(path, "w");

		ck_assert_ptr_nonnull(file);
		fputs(texts[i], file);
		fclose(file);

		struct scheduler_probing *s =
			scheduler_probing_create(spool, true);

		ck_assert_int_eq(measured(s, 1, 0, 10, 1, &m), 1);
		ck_assert_double_ne(m.cpu_turn_s, 0.777);
		scheduler_probing_destroy(s);
	}
	unlink(path);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_quiet_while_busy,
		test_probes_once_and_keeps_the_result,
		test_another_kernel,
		NULL,
	};

	if (!mkdtemp(spool))
		return 1;

	int rc = suite_run("scheduler_probing", tests);

	rmdir(spool);
	return rc;
}
