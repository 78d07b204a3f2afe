/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_ordered_lock.c - locks that are taken in another order than theirs */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/ordered_lock.h"
#include "tests/unit/suite.h"

static struct ordered_lock assumed = ORDERED_LOCK_INITIALIZER(LOCK_ASSUMED);
static struct ordered_lock engine = ORDERED_LOCK_INITIALIZER(LOCK_ENGINE);
static struct ordered_lock facts = ORDERED_LOCK_INITIALIZER(LOCK_FACTS);

/* Return how a child ends that does this, and what it wrote. */
static int do_in_child(void (*act)(void), char ret_text[512])
{
	int fds[2], status;
	ssize_t got, size = 0;

	ck_assert_int_eq(pipe(fds), 0);

	pid_t pid = fork();

	if (pid == 0) {
		dup2(fds[1], STDERR_FILENO);
		act();
		_exit(0);
	}
	close(fds[1]);
	while ((got = read(fds[0], ret_text + size, 511 - (size_t)size)) > 0)
		size += got;
	ret_text[size] = '\0';
	close(fds[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

static void check_aborts(void (*act)(void), const char *expected)
{
	char text[512];
	int status = do_in_child(act, text);

	ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT,
		      "status %#x: %s", (unsigned)status, text);
	ck_assert_str_eq(text, expected);
}

static void take_backwards(void)
{
	ordered_lock_take(&facts);
	ordered_lock_take(&assumed);
}

static void try_backwards(void)
{
	ordered_lock_take(&facts);
	ordered_lock_try(&engine);
}

/* Where a mutex would hang for ever. */
static void take_twice(void)
{
	ordered_lock_take(&engine);
	ordered_lock_take(&engine);
}

static void wait_with_another(void)
{
	pthread_cond_t never = PTHREAD_COND_INITIALIZER;

	ordered_lock_take(&assumed);
	ordered_lock_take(&engine);
	ordered_lock_wait(&engine, &never, NULL);
}

START_TEST(test_violations_abort)
{
	check_aborts(take_backwards, "lock of assumed sets taken within that "
				     "of node facts\n");
	check_aborts(try_backwards,
		     "lock of engine taken within that of node facts\n");
	check_aborts(take_twice,
		     "lock of engine taken within that of engine\n");
	check_aborts(wait_with_another,
		     "wait with the lock of engine, and with another\n");
}
END_TEST

START_TEST(test_in_order)
{
	for (int i = 0; i < 3; i++) {
		ordered_lock_take(&assumed);
		ordered_lock_take(&facts);
		ordered_lock_give(&assumed); /* the first one first */
		ordered_lock_give(&facts);
		ordered_lock_take(&engine);
		ordered_lock_give(&engine);
	}
	ck_assert(ordered_lock_nested(LOCK_ASSUMED, LOCK_FACTS));
	ck_assert(!ordered_lock_nested(LOCK_FACTS, LOCK_ENGINE));
	ck_assert(!ordered_lock_nested(LOCK_ASSUMED, LOCK_ENGINE));
}
END_TEST

static void *try_engine(void *ret_taken)
{
	bool *taken = ret_taken;

	*taken = ordered_lock_try(&engine);
	if (*taken)
		ordered_lock_give(&engine);
	return NULL;
}

static bool another_gets_it(void)
{
	pthread_t thread;
	bool taken;

	ck_assert_int_eq(pthread_create(&thread, NULL, try_engine, &taken), 0);
	pthread_join(thread, NULL);
	return taken;
}

START_TEST(test_it_is_a_mutex)
{
	struct timespec until = clock_timespec(clock_monotonic_s() + 0.05);
	pthread_cond_t never;

	clock_condition_init(&never);
	ordered_lock_init(&engine, LOCK_ENGINE);
	ordered_lock_take(&engine);
	ck_assert(!another_gets_it());
	ck_assert_int_eq(ordered_lock_wait(&engine, &never, &until), ETIMEDOUT);
	ck_assert(!another_gets_it());
	ordered_lock_give(&engine);
	ck_assert(another_gets_it());
	ordered_lock_destroy(&engine);
	pthread_cond_destroy(&never);
}
END_TEST

/* Return whether another thread got it while this function held it. */
static bool hold_and_return(bool early)
{
	ORDERED_LOCK_HOLD(&engine);

	if (early)
		return another_gets_it();

	bool got = another_gets_it();

	return got;
}

START_TEST(test_held_until_the_end_of_the_block)
{
	ordered_lock_init(&engine, LOCK_ENGINE);
	for (int early = 0; early < 2; early++) {
		ck_assert(!hold_and_return(early));
		ck_assert(another_gets_it());
	}
	ordered_lock_destroy(&engine);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_violations_abort, test_in_order,
				       test_it_is_a_mutex,
				       test_held_until_the_end_of_the_block,
				       NULL };

	return suite_run("ordered lock", tests);
}
