/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_competition.c - CPU demand, from two readings of made-up processes */
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/sensors/competition.h"
#include "tests/unit/suite.h"

#define TICKS 100 /* per second, as sysconf() has it on Linux */
#define S     1000000000ull

/* Ten seconds long; nothing is known of all CPUs. */
static const struct competition_span ten = { .elapsed_s = 10,
					     .busy = NAN,
					     .self = 5 };

static struct process process(pid_t pid, pid_t parent, double ran_s,
			      double waited_s)
{
	return (struct process){ .pid = pid,
				 .parent = parent,
				 .state = 'S',
				 .threads = 1,
				 .ticks = (uint64_t)(ran_s * TICKS),
				 .times_known = true,
				 .run_ns = (uint64_t)(ran_s * S),
				 .wait_ns = (uint64_t)(waited_s * S) };
}

static struct competition find(struct process *before, size_t before_count,
			       struct process *now, size_t now_count,
			       const struct competition_span *span)
{
	struct processes old = { before_count, before_count, before };
	struct processes new = { now_count, now_count, now };
	struct competition ret;

	ck_assert_int_eq(sysconf(_SC_CLK_TCK), TICKS);
	competition_find(&old, &new, span, &ret);
	ck_assert_uint_le(ret.others, ret.count);
	ck_assert_uint_le(ret.count, DEMANDS_MAX);
	return ret;
}

static double demand_sum(const struct competition *c, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += c->demands[i].demand;
	return sum;
}

START_TEST(test_waiting_is_wanting)
{
	struct process before[] = { process(10, 1, 7, 3), process(11, 1, 0, 0),
				    process(12, 1, 0, 0) };
	struct process now[] = { process(10, 1, 11, 9), process(11, 1, 2, 0),
				 process(12, 1, 2, 6) };
	struct competition c;

	now[2].nice = 19;
	c = find(before, 3, now, 3, &ten);
	ck_assert_uint_eq(c.others, 4);
	ck_assert_double_eq_tol(c.demands[0].demand, 1, 1e-9);
	ck_assert_double_eq_tol(c.demands[1].demand, 0.2, 1e-9);
	ck_assert_double_eq_tol(c.demands[2].demand, 0.2 / 0.4, 1e-9);
	ck_assert_double_lt(c.demands[2].weight, 0.02);
	ck_assert_double_eq_tol(c.load, 1 + 0.2 + 0.8, 1e-9);
	ck_assert_double_eq_tol(c.stayers, 1, 1e-9);
	ck_assert_double_eq_tol(c.ran, 0.8, 1e-9);
	ck_assert_double_eq(demand_sum(&c, c.others, c.count), 0);
}
END_TEST

START_TEST(test_a_wait_that_lasts)
{
	struct process before[] = { process(10, 1, 3, 2) };
	struct process now[] = { process(10, 1, 3, 2), process(11, 1, 0, 0) };
	struct competition c;

	before[0].state = now[0].state = now[1].state = 'R';
	c = find(before, 1, now, 2, &ten);
	ck_assert_double_eq_tol(c.load, 2, 1e-9);
	before[0].state = 'S';
	c = find(before, 1, now, 1, &ten);
	ck_assert_double_eq(c.load, 0);
}
END_TEST

START_TEST(test_whose)
{
	struct process before[] = { process(4, 1, 0, 0), process(5, 1, 0, 0),
				    process(9, 1, 0, 0), process(20, 9, 0, 0) };
	struct process now[] = { process(4, 1, 9, 0), process(5, 1, 9, 0),
				 process(9, 1, 1, 0), process(20, 9, 3, 7) };
	struct competition c;

	now[0].slurmd = true;
	now[3].in_job = true;
	c = find(before, 4, now, 4, &ten);
	ck_assert_double_eq_tol(demand_sum(&c, 0, c.others), 0.1, 1e-9);
	ck_assert_double_eq_tol(demand_sum(&c, c.others, c.count), 1, 1e-9);
	ck_assert_double_eq_tol(c.load, 0.1, 1e-9);
	ck_assert_double_eq(c.stayers, 0);
}
END_TEST

START_TEST(test_threads)
{
	struct process before[] = { process(10, 1, 0, 0) };
	struct process now[] = { process(10, 1, 20, 20) };
	struct competition c;

	now[0].threads = 30;
	c = find(before, 1, now, 1, &ten);
	ck_assert_double_eq_tol(c.demands[0].demand, 4, 1e-9);
	ck_assert_double_eq_tol(c.stayers, 4, 1e-9);
}
END_TEST

/* No schedstat: what is runnable waits, but when nobody does. */
START_TEST(test_without_waiting_times)
{
	struct competition_span span = ten;
	struct process before[] = { process(10, 1, 0, 0) };
	struct process now[] = { process(10, 1, 5, 0) };
	struct competition c;

	before[0].times_known = now[0].times_known = false;
	now[0].state = 'R';
	c = find(before, 1, now, 1, &span);
	ck_assert_double_eq_tol(c.demands[0].demand, 1, 1e-9);
	span.no_process_waited = true;
	c = find(before, 1, now, 1, &span);
	ck_assert_double_eq_tol(c.demands[0].demand, 0.5, 1e-9);
	now[0].state = 'S';
	c = find(before, 1, now, 1, &ten);
	ck_assert_double_eq_tol(c.demands[0].demand, 0.5, 1e-9);
}
END_TEST

/* A shell whose children come and go; one of them was seen alive before. */
START_TEST(test_short_lives)
{
	struct process before[] = { process(10, 1, 1, 0), process(11, 10, 2, 0),
				    process(12, 11, 3, 0) };
	struct process now[] = { process(10, 1, 1, 0) };
	struct competition c;

	before[0].child_ticks = 7 * TICKS;
	/* 5 s were known of 11 and 12; they used 1 s more, others 3 s. */
	now[0].child_ticks = (7 + 5 + 4) * TICKS;
	c = find(before, 3, now, 1, &ten);
	ck_assert_double_eq_tol(demand_sum(&c, 0, c.others), 0.4, 1e-9);
	ck_assert_double_eq_tol(c.load, 0.4, 1e-9);
}
END_TEST

START_TEST(test_hidden)
{
	struct competition_span span = ten;
	struct process before[] = { process(10, 1, 0, 0),
				    process(11, 1, 0, 0) };
	struct process now[] = { process(10, 1, 1, 0), process(11, 1, 3, 0) };
	struct competition c;

	now[1].in_job = true;
	span.busy = 1.2;
	c = find(before, 2, now, 2, &span);
	ck_assert_double_eq_tol(demand_sum(&c, 0, c.others), 0.1 + 0.2, 1e-9);
	ck_assert_double_eq_tol(demand_sum(&c, c.others, c.count), 0.9, 1e-9);
	span.busy = 0.41; /* rounding */
	c = find(before, 2, now, 2, &span);
	ck_assert_double_eq_tol(demand_sum(&c, 0, c.others), 0.1, 1e-9);
	c = find(NULL, 0, NULL, 0, &span);
	ck_assert_double_eq_tol(demand_sum(&c, 0, c.others), 0.41, 1e-9);
}
END_TEST

START_TEST(test_many)
{
	static struct process before[1000], now[1000];
	struct competition c;

	for (int i = 0; i < 1000; i++) {
		before[i] = process(10 + i, 1, 0, 0);
		now[i] = process(10 + i, 1, 3, 0);
		now[i].in_job = i % 2;
	}
	c = find(before, 1000, now, 1000, &ten);
	ck_assert_double_eq_tol(demand_sum(&c, 0, c.others), 150, 1e-6);
	ck_assert_double_eq_tol(demand_sum(&c, c.others, c.count), 150, 1e-6);
}
END_TEST

/* One of our own that spins, whatever else there is. */
START_TEST(test_real_ones)
{
	struct competition_span span = { .elapsed_s = 0.5, .busy = NAN };
	struct processes before = { 0 }, now = { 0 };
	const struct process *found;
	struct competition c;
	struct sp_error err;
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			;
	ck_assert_int_eq(processes_read("", &before, &err), 0);
	competition_read_times(&before, &now);
	usleep(500000);
	ck_assert_int_eq(processes_read("", &now, &err), 0);
	competition_read_times(&now, &before);
	competition_find(&before, &now, &span, &c);
	found = processes_find(&now, pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert_ptr_nonnull(found);
	ck_assert_double_ge(c.load, 0.8);
	ck_assert_double_ge(c.stayers, 0);
	ck_assert_double_gt(c.ran, 0);
	processes_clear(&before);
	processes_clear(&now);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_waiting_is_wanting,
				       test_a_wait_that_lasts,
				       test_whose,
				       test_threads,
				       test_without_waiting_times,
				       test_short_lives,
				       test_hidden,
				       test_many,
				       test_real_ones,
				       NULL };

	return suite_run("competition", tests);
}
