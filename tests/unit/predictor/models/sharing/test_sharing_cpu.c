/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sharing_cpu.c - busy times on a shared CPU, worked by hand
 *
 * A test for each term of NOTE.md, sections 1 to 3.
 */
#include <math.h>

#include "predictor/models/sharing/sharing_cpu.h"
#include "tests/unit/suite.h"

#define NEAR 1e-9

static struct profile p;
static struct sharing_setting setting;
static struct sharing_node now;
static struct sharing_task task;

/* 24 CPU seconds in 60 s, as the node gives 40 % of a CPU; 40 s of sleep. */
static void set_up(void)
{
	p = (struct profile){ .nodes = 2,
			      .tasks = 2,
			      .runs = 1,
			      .runtime_s = 100,
			      .node_count = 2,
			      .pair_count = -1 };
	for (int k = 0; k < 2; k++)
		p.node[k] = (struct profile_node){ .tasks = 1,
						   .busy_s = 24,
						   .ready_s = 36,
						   .idle_s = 40,
						   .busy_phase_s = NAN,
						   .idle_phase_s = NAN,
						   .cpu_available = 0.4,
						   .cpu_speed = NAN };
	now = (struct sharing_node){ NAN, NAN };
	setting = (struct sharing_setting){ .node_count = 2, .nodes = &now };
	task = (struct sharing_task){ .profile = &p,
				      .then = &p.node[0],
				      .setting = &setting,
				      .now = &now,
				      .idle_s = 40 };
}

static double busy_now(void)
{
	return sharing_busy_now(&task).s;
}

START_TEST(test_share_before)
{
	ck_assert_double_eq_tol(sharing_busy_before(&p, task.then), 60, NEAR);
	ck_assert_double_eq_tol(busy_now(), 60, NEAR);
	ck_assert_double_eq(sharing_busy_now(&task).turns_s, 0);

	/* Waiting for the CPU was not measured: what the sensor says. */
	p.node[0].ready_s = NAN;
	ck_assert_double_eq_tol(sharing_busy_before(&p, task.then), 60, NEAR);

	/* Never longer than the run. */
	p.node[0].ready_s = 90;
	ck_assert_double_eq_tol(sharing_busy_before(&p, task.then), 100, NEAR);
	p.node[0].busy_s = 0;
	ck_assert_double_eq(busy_now(), 0);
}
END_TEST

/* 24 CPU seconds in 44 s are 6.4 more than the node gives in that time. */
START_TEST(test_share_missed_later)
{
	p.node[0].ready_s = 20;
	ck_assert_double_eq_tol(sharing_busy_before(&p, task.then), 44, NEAR);

	/* Spinning leaves 4 of the 40 that it gives in all. */
	p.node[0].spinning_s = 12;
	ck_assert_double_eq_tol(sharing_busy_before(&p, task.then),
				44 + (6.4 - 4) / 0.4, NEAR);
	p.node[0].spinning_s = 31;
	ck_assert_double_eq_tol(sharing_busy_before(&p, task.then),
				44 + 6.4 / 0.4, NEAR);
}
END_TEST

START_TEST(test_competitors_take_their_part)
{
	now.cpu_available = 0.2;
	ck_assert_double_eq_tol(busy_now(), 120, NEAR);

	/* The sensors see more than there is, then and now. */
	p.node[0].cpu_available = 0.44;
	now.cpu_available = 0.22;
	ck_assert_double_eq_tol(busy_now(), 120, NEAR);

	/* It had more than its share, left over from when it slept. */
	p.node[0].cpu_available = 0.36;
	now.cpu_available = 0.24;
	p.node[0].ready_s = 26;
	ck_assert_double_eq_tol(busy_now(), 50 * 0.36 / 0.24, NEAR);

	/* Nobody gets more than a CPU. */
	now.cpu_available = 1;
	p.node[0].ready_s = 4;
	ck_assert_double_eq_tol(busy_now(), 24, NEAR);
}
END_TEST

/* A faster CPU, and half of the work. */
START_TEST(test_speed_and_part)
{
	p.node[0].cpu_speed = 0.8;
	now.cpu_speed = 1.28;
	ck_assert_double_eq_tol(busy_now(), 60 / 1.6, NEAR);
	now.cpu_speed = NAN;
	ck_assert_double_eq_tol(busy_now(), 60, NEAR);
	setting.node_count = 4;
	ck_assert_double_eq_tol(busy_now(), 30, NEAR);
}
END_TEST

/* In 40 s of sleep the competitor gets 16 CPU seconds.  Both are due half, so
 * the task is owed as many. */
START_TEST(test_credit)
{
	now.cpu_available = 0.2;
	setting.credit_s = HUGE_VAL;
	ck_assert_double_eq_tol(40 + busy_now(), 24 / 0.2, NEAR);
	task.idle_s = 200; /* with more sleep than that it loses nothing */
	ck_assert_double_eq_tol(busy_now(), 60, NEAR);
	task.idle_s = 40;

	/* The scheduler remembers 5 of them, or none. */
	setting.credit_s = 5;
	ck_assert_double_eq_tol(busy_now(), 5 / 0.4 + 19 / 0.2, NEAR);
	setting.credit_s = 0;
	ck_assert_double_eq_tol(busy_now(), 24 / 0.2, NEAR);

	/* Ten cycles: it remembers so much of each. */
	setting.credit_s = 0.5;
	p.node[0].busy_phase_s = 6;
	ck_assert_double_eq_tol(busy_now(), 5 / 0.4 + 19 / 0.2, NEAR);
}
END_TEST

/* Half of the 40 s it spun, at 40 % of a CPU. */
START_TEST(test_no_credit_for_spinning)
{
	now.cpu_available = 0.2;
	setting.credit_s = HUGE_VAL;
	p.node[0].spinning_s = 8;
	ck_assert_double_eq_tol(busy_now(), 8 / 0.4 + 16 / 0.2, NEAR);
}
END_TEST

/* In each of ten cycles it waits for each of three. */
START_TEST(test_turns)
{
	p.node[0].busy_phase_s = 6;
	setting.turn_s = 0.05;
	ck_assert_double_eq_tol(busy_now(), 60, NEAR);
	now.cpu_available = 0.1;
	ck_assert_double_eq_tol(sharing_busy_now(&task).turns_s, 10 * 3 * 0.05,
				NEAR);
	ck_assert_double_eq_tol(busy_now(), 240 + 10 * 3 * 0.05, NEAR);
}
END_TEST

/* Answers tell of cycles that sampling did not see. */
START_TEST(test_answers)
{
	p.node[0].busy_phase_s = 6;
	setting.turn_s = 0.05;
	now.cpu_available = 0.2;
	task.answers = 500;
	ck_assert_double_eq_tol(busy_now(), 120 + 500 * 0.05, NEAR);
	task.answers = 7; /* of ten */
	ck_assert_double_eq_tol(busy_now(), 120 + 10 * 0.05, NEAR);

	/* Without turns they are no matter: credit is by cycles seen. */
	task.answers = 500;
	setting.turn_s = 0;
	setting.credit_s = 0.5;
	ck_assert_double_eq_tol(busy_now(), 5 / 0.4 + 19 / 0.2, NEAR);
}
END_TEST

/* A turn is 0.04 CPU seconds, the work between two messages 0.12. */
START_TEST(test_arrivals)
{
	setting.turn_s = 0.05;
	now.cpu_available = 0.2;
	task.arrivals = 200;
	ck_assert_double_eq_tol(busy_now(), 120 + 200 * (2. / 3) * 0.05, NEAR);
	now.cpu_available = 0.1;
	ck_assert_double_eq_tol(busy_now(), 240 + 200 * (2. / 3) * 3 * 0.05,
				NEAR);

	/* What is left of a turn is given back: of 0.03 all. */
	task.arrivals = 800;
	ck_assert_double_eq_tol(busy_now(), 240 + 3 * 0.05, NEAR);

	/* Who waits for answers does not poll for what is there already. */
	task.arrivals = 200;
	task.answers = 10;
	ck_assert_double_eq_tol(busy_now(), 240 + 10 * 3 * 0.05, NEAR);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_share_before,
		test_share_missed_later,
		test_competitors_take_their_part,
		test_speed_and_part,
		test_credit,
		test_no_credit_for_spinning,
		test_turns,
		test_answers,
		test_arrivals,
		NULL,
	};

	return suite_run_each("sharing_cpu", tests, set_up, NULL);
}
