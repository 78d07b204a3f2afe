/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_clock.c - waits go by the clock that never steps */
#include <errno.h>

#include "predictor/base/clock.h"
#include "tests/unit/suite.h"

START_TEST(test_timespec)
{
	struct timespec time = clock_timespec(12345.75);

	ck_assert_int_eq(time.tv_sec, 12345);
	ck_assert_int_eq(time.tv_nsec, 750000000);
}
END_TEST

START_TEST(test_wait)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition;
	double until_s = clock_monotonic_s() + 0.03;
	struct timespec until = clock_timespec(until_s);
	int rc = 0;

	clock_condition_init(&condition);
	pthread_mutex_lock(&lock);
	while (!rc)
		rc = pthread_cond_timedwait(&condition, &lock, &until);
	pthread_mutex_unlock(&lock);
	pthread_cond_destroy(&condition);
	ck_assert_int_eq(rc, ETIMEDOUT);
	ck_assert_double_ge(clock_monotonic_s(), until_s - 1e-6);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_timespec, test_wait, NULL };

	return suite_run("clock", tests);
}
