/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cpu_share.c - shares that can be worked out by hand, and by
 * simulation */
#include <math.h>

#include "collectors/sensors/cpu_share.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static struct cpu_share share(double cpus, double quota, double demand_cpus,
			      double weight)
{
	struct cpu_room room = { cpus, quota };
	struct cpu_demand demand = { demand_cpus, weight };
	struct cpu_share ret;

	cpu_share_find(&room, &demand, 1, 1, &ret);
	ck_assert_double_le(ret.least, ret.mean + 1e-12);
	ck_assert_double_le(ret.mean, ret.most + 1e-12);
	ck_assert_double_gt(ret.least, 0);
	ck_assert_double_le(ret.most, 1);
	return ret;
}

START_TEST(test_alone)
{
	struct cpu_room room = { 2, 2 };
	struct cpu_share ret;

	cpu_share_find(&room, NULL, 0, 1, &ret);
	ck_assert_double_eq_tol(ret.mean, 1, 1e-12);
	ck_assert_double_eq_tol(share(2, 2, 0, 1).mean, 1, 1e-12);
	ck_assert_double_eq_tol(share(2, 0.4, 0, 1).mean, 0.4, 1e-12);
	ck_assert_double_eq_tol(share(2, 1.4, 0, 1).mean, 1, 1e-12);
}
END_TEST

START_TEST(test_spinning)
{
	ck_assert_double_eq_tol(share(1, 1, 1, 1).mean, 0.5, 1e-12);
	ck_assert_double_eq_tol(share(2, 2, 1, 1).mean, 1, 1e-12);
	ck_assert_double_eq_tol(share(2, 2, 2, 1).mean, 2.0 / 3, 1e-12);
	ck_assert_double_eq_tol(share(2, 2, 2, 1).least, 0.5, 1e-12);
	ck_assert_double_eq_tol(share(2, 2, 2, 1).most, 1, 1e-12);
	ck_assert_double_eq_tol(share(2, 2, 4, 1).mean, 0.4, 1e-12);
	ck_assert_double_eq_tol(share(64, 64, 63, 1).mean, 1, 1e-12);
}
END_TEST

START_TEST(test_quota)
{
	double nicest = cpu_share_weight(19);

	ck_assert_double_eq_tol(share(2, 0.4, 1, 1).mean, 0.2, 1e-12);
	ck_assert_double_eq_tol(share(2, 0.4, 4, 1).mean, 0.08, 1e-12);
	/* On a CPU of its own the nicest spends as much as any other. */
	ck_assert_double_eq_tol(share(2, 0.4, 1, nicest).mean, 0.2, 1e-12);
	ck_assert_double_eq_tol(share(1, 0.4, 1, nicest).mean,
				0.4 / (1 + nicest), 1e-12);
	/* A quota that is large enough is none. */
	ck_assert_double_eq_tol(share(4, 3, 1, 1).mean, 1, 1e-12);
}
END_TEST

START_TEST(test_nice)
{
	ck_assert_double_eq_tol(cpu_share_weight(0), 1, 1e-12);
	ck_assert_double_eq_tol(cpu_share_weight(5), 0.327, 1e-3);
	ck_assert_double_gt(share(2, 2, 4, cpu_share_weight(19)).mean, 0.97);
	ck_assert_double_eq_tol(share(1, 1, 1, cpu_share_weight(-5)).mean,
				1 / (1 + pow(1.25, 5)), 1e-12);
}
END_TEST

/* One CPU, one competitor with a demand of half of it: it is there 2/3 of
 * the time. */
START_TEST(test_coming_and_going)
{
	ck_assert_double_eq_tol(share(1, 1, 0.5, 1).mean, 2.0 / 3, 1e-12);
	ck_assert_double_eq_tol(share(1, 1, 0.5, 1).least, 0.5, 1e-12);
	ck_assert_double_eq_tol(share(1, 1, 0.5, 1).most, 1, 1e-12);
	ck_assert_double_eq_tol(share(2, 2, 0.75, 1).mean, 1, 1e-12);
}
END_TEST

/* Shares of a CPU by small steps of time: bursts of 37 ms of CPU time on
 * average, and sleeps to match. */
static double simulate(double cpus, double quota, int count, double demand_cpus)
{
	double left_s[16], asleep_s[16], got_s = 0, seconds = 4000;
	double step_s = 0.001;
	struct random random = { 11 };

	for (int i = 0; i < count; i++)
		left_s[i] = asleep_s[i] = 0;
	for (double at_s = 0; at_s < seconds; at_s += step_s) {
		int there = 1;

		for (int i = 0; i < count; i++)
			there += asleep_s[i] <= 0;

		double each = fmin(fmin(1, cpus / there), quota / there);

		got_s += each * step_s;
		for (int i = 0; i < count; i++) {
			if (asleep_s[i] > 0) {
				asleep_s[i] -= step_s;
				continue;
			}
			left_s[i] -= each * step_s;
			if (left_s[i] > 0)
				continue;

			double burst_s = 0.074 * random_unit(&random);

			left_s[i] = 0.074 * random_unit(&random);
			asleep_s[i] = burst_s * (1 - demand_cpus) / demand_cpus;
		}
	}
	return got_s / seconds;
}

START_TEST(test_as_simulated)
{
	static const struct {
		double cpus, quota, demand_cpus;
		int count;
	} cases[] = { { 1, 1, 0.5, 2 },   { 2, 2, 0.75, 2 }, { 2, 2, 0.5, 4 },
		      { 2, 0.4, 0.3, 1 }, { 3, 3, 0.9, 5 },  { 4, 1.3, 0.2, 7 },
		      { .count = 0 } };
	struct cpu_demand demands[16];
	struct cpu_share ret;

	for (int c = 0; cases[c].count; c++) {
		struct cpu_room room = { cases[c].cpus, cases[c].quota };

		for (int i = 0; i < cases[c].count; i++)
			demands[i] =
				(struct cpu_demand){ cases[c].demand_cpus, 1 };
		cpu_share_find(&room, demands, (size_t)cases[c].count, 1, &ret);
		ck_assert_double_eq_tol(ret.mean,
					simulate(room.cpus, room.quota,
						 cases[c].count,
						 cases[c].demand_cpus),
					0.015);
	}
}
END_TEST

/* However many they are, it stays a share. */
START_TEST(test_crowds)
{
	struct cpu_demand demands[600];
	struct random random = { 3 };
	struct cpu_share ret;

	for (int round = 0; round < 200; round++) {
		struct cpu_room room = { 1 + floor(300 * random_unit(&random)),
					 0.1 + 300 * random_unit(&random) };
		size_t count = (size_t)(600 * random_unit(&random));

		for (size_t i = 0; i < count; i++)
			demands[i] = (struct cpu_demand){
				pow(10, 4 * random_unit(&random) - 3),
				cpu_share_weight(
					(int)(40 * random_unit(&random) - 20))
			};
		cpu_share_find(&room, demands, count, 1, &ret);
		ck_assert(ret.least > 0 && ret.least <= ret.mean);
		ck_assert(ret.mean <= ret.most && ret.most <= 1);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_alone,
				       test_spinning,
				       test_quota,
				       test_nice,
				       test_coming_and_going,
				       test_as_simulated,
				       test_crowds,
				       NULL };

	return suite_run("cpu_share", tests);
}
