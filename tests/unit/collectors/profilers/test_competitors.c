/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_competitors.c - real competitors of a job that is not there */
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/profilers/competitors.h"
#include "collectors/sensors/cpu_share.h"
#include "predictor/base/clock.h"
#include "tests/unit/suite.h"

#define NO_JOB 4000000000U

static double left_beside(int spinners, int tasks)
{
	struct competitors *competitors = competitors_create(NO_JOB);
	struct sp_error err;
	pid_t pids[64];

	ck_assert_ptr_nonnull(competitors);
	for (int i = 0; i < spinners; i++) {
		pids[i] = fork();
		while (pids[i] == 0)
			if (getppid() == 1)
				_exit(0);
	}
	for (int i = 0; i < 5; i++) {
		ck_assert_int_eq(competitors_sample(competitors,
						    clock_monotonic_s(), tasks,
						    &err),
				 0);
		usleep(200000);
	}
	for (int i = 0; i < spinners; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}

	double left = competitors_cpu_left(competitors);

	competitors_destroy(competitors);
	return left;
}

/* Three competitors on each CPU, as nice as this test.  A machine that others
 * use as well may leave less, never more. */
START_TEST(test_competitors)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	double weight = cpu_share_weight(getpriority(PRIO_PROCESS, 0));
	double most = 1 / (1 + weight * 3 / 2);

	if (cpus > 16)
		return;

	double left = left_beside(3 * cpus, 1);

	/* On a busy machine they may not have run yet. */
	for (int more = 0; more < 20 && left >= most; more++)
		left = left_beside(3 * cpus, 1);
	ck_assert_msg(left > 0 && left < most, "%g", left);
}
END_TEST

START_TEST(test_nothing_is_known_without_tasks)
{
	ck_assert(isnan(left_beside(0, 0)));

	double left = left_beside(0, 1);

	ck_assert_msg(left > 0 && left <= 1, "%g", left);
}
END_TEST

/* Without CPU time of the job only the first samples are made. */
START_TEST(test_samples_are_limited)
{
	struct competitors *idle = competitors_create(NO_JOB);
	struct competitors *busy = competitors_create(NO_JOB);
	struct sp_error err;
	double now_s = clock_monotonic_s(), last_s = 0;

	ck_assert_double_le(competitors_due_s(idle), now_s);
	/* Where few processes are, a sample costs little. */
	for (int i = 0; i < 100 || competitors_cost_s(busy) < .02; i++) {
		double due_s = now_s;

		ck_assert_int_lt(i, 100000);
		competitors_run(idle, now_s, 1, 0, &err);
		competitors_run(busy, now_s, 1, 1e9, &err);
		now_s = competitors_due_s(idle);
		last_s = now_s - due_s;
	}
	ck_assert_double_ge(last_s, 10);
	ck_assert_double_gt(competitors_cost_s(idle), 0);
	ck_assert_double_lt(competitors_cost_s(idle),
			    competitors_cost_s(busy) / 2);
	competitors_destroy(idle);
	competitors_destroy(busy);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_competitors,
		test_nothing_is_known_without_tasks,
		test_samples_are_limited,
		NULL,
	};

	return suite_run("competitors", tests);
}
