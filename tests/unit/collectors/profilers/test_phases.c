/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_phases.c - busy and idle phases found in synthetic windows */
#include <math.h>

#include "collectors/profilers/phases.h"
#include "tests/unit/suite.h"

#define RATE   1e6
#define LOOK_S 0.02

static const struct window busy = { LOOK_S, LOOK_S, 0, 3, NAN, false };
static const struct window asleep = { LOOK_S, 0, 0, 0, NAN, false };
static const struct window spinning = { LOOK_S,       LOOK_S, 0,
					RATE *LOOK_S, NAN,    false };
static const struct window half = { LOOK_S, LOOK_S / 2, 0, 3, NAN, false };

static void add(struct phases *phases, const struct window *window, int times)
{
	for (int i = 0; i < times; i++)
		phases_add(phases, window, RATE);
}

START_TEST(test_computing)
{
	struct phases p = { 0 };

	add(&p, &busy, 50);
	ck_assert_double_eq_tol(p.busy_s, 1, 1e-3);
	ck_assert_double_eq_tol(p.idle_s, 0, 1e-3);
	ck_assert_double_eq(phases_cycles(&p), 1);
}
END_TEST

START_TEST(test_spinning_is_idle)
{
	struct phases p = { 0 };

	add(&p, &spinning, 50);
	ck_assert_double_eq_tol(p.busy_s, 0, 1e-9);
	ck_assert_double_eq_tol(p.spinning_s, 1, 1e-9);
	ck_assert_double_eq_tol(p.idle_s, 1, 1e-9);
}
END_TEST

/* Ten times 60 ms of work and 40 ms of waiting, asleep or spinning. */
START_TEST(test_cycles)
{
	const struct window *const waits[] = { &asleep, &spinning };

	for (int k = 0; k < 2; k++) {
		struct phases p = { 0 };

		for (int i = 0; i < 10; i++) {
			add(&p, &busy, 3);
			add(&p, waits[k], 2);
		}
		ck_assert_double_eq(phases_cycles(&p), 10);
		ck_assert_double_eq_tol(p.busy_s, 0.6, 1e-3);
		ck_assert_double_eq_tol(p.idle_s, 0.4, 1e-3);
	}
}
END_TEST

/* One mixed window has one change, several in a row have cycles. */
START_TEST(test_mixed_windows)
{
	struct phases p = { 0 }, fast = { 0 };

	for (int i = 0; i < 7; i++) {
		add(&p, &busy, 2);
		add(&p, &half, 1);
		add(&p, &asleep, 2);
		add(&p, &half, 1);
	}
	ck_assert_double_eq_tol(phases_cycles(&p), 7, 1.5);
	add(&fast, &half, 100);
	ck_assert_double_eq(phases_cycles(&fast), 100);
	ck_assert_double_eq_tol(fast.busy_s, 1, 1e-3);
	ck_assert_double_eq_tol(fast.idle_s, 1, 1e-3);
}
END_TEST

/* A node that may use 40 % of a CPU: who computes all the time is busy all the
 * time. */
START_TEST(test_without_a_cpu)
{
	const struct window capped = { LOOK_S, 0.008, 0.012, 3, NAN, false };
	const struct window late = { LOOK_S, 0.004, 0.09, 3, NAN, false };
	struct phases p = { 0 }, q = { 0 };

	add(&p, &capped, 50);
	ck_assert_double_eq_tol(p.busy_s, 0.4, 1e-3);
	ck_assert_double_eq_tol(p.ready_s, 0.6, 1e-3);
	ck_assert_double_eq_tol(p.idle_s, 0, 1e-3);
	add(&q, &late, 1); /* more CPU time than the window has */
	ck_assert_double_eq_tol(q.busy_s + q.ready_s + q.idle_s, LOOK_S, 1e-3);
}
END_TEST

START_TEST(test_by_system_time)
{
	const struct window computes = { LOOK_S, LOOK_S, 0, NAN, 0.01, false };
	const struct window waits = { LOOK_S, LOOK_S, 0, NAN, 0.6, false };
	const struct window unknown = { LOOK_S, LOOK_S, 0, NAN, NAN, false };

	ck_assert_double_eq(phases_spinning(&computes, RATE), 0);
	ck_assert_double_eq(phases_spinning(&waits, RATE), 1);
	ck_assert_double_eq(phases_spinning(&unknown, RATE), 0);
	ck_assert_double_eq(phases_spinning(&asleep, RATE), 0);
}
END_TEST

/* A window with estimated calls counts for the sums, and ends a phase. */
START_TEST(test_estimated)
{
	const struct window guessed = { LOOK_S, LOOK_S, 0, RATE * LOOK_S / 4,
					NAN,    true };
	struct phases p = { 0 };

	add(&p, &busy, 10);
	add(&p, &guessed, 40);
	add(&p, &busy, 10);
	ck_assert_double_eq_tol(p.spinning_s, 0.2, 1e-3);
	ck_assert_double_eq_tol(p.busy_s, 0.4 + 0.6, 1e-3);
	ck_assert_double_eq_tol(p.busy_seen_s, 0.4, 1e-3);
	ck_assert_double_eq(phases_cycles(&p), 2);
}
END_TEST

START_TEST(test_empty_window)
{
	const struct window none = { 0, 0, 0, 0, NAN, false };
	const struct window wrong = { NAN, 1, 1, 1, NAN, false };
	struct phases p = { 0 };

	add(&p, &none, 1);
	add(&p, &wrong, 1);
	ck_assert_double_eq(p.busy_s + p.idle_s, 0);
	ck_assert_double_eq(phases_cycles(&p), 1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_computing,     test_spinning_is_idle, test_cycles,
		test_mixed_windows, test_without_a_cpu,    test_by_system_time,
		test_estimated,     test_empty_window,     NULL
	};

	return suite_run("phases", tests);
}
