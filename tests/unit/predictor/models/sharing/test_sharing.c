/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sharing.c - run times on shared CPUs, worked by hand
 *
 * The formulas of the paper, and a test for each term of NOTE.md, sections 5
 * and 6; test_sharing_cpu.c and test_sharing_links.c have the others.
 */
#include <math.h>

#include "predictor/models/sharing/sharing.h"
#include "tests/unit/predictor/models/sharing/figure_3.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

START_TEST(test_nothing_changed)
{
	for (const struct row *row = figure_3; row->name; row++) {
		struct profile p = profile_of(row);
		struct sharing_node nodes[4] = { same, { 1, 1 }, same, same };
		struct sharing_setting now = { .node_count = 4,
					       .nodes = nodes,
					       .credit_s = HUGE_VAL };
		struct sharing_why why;

		ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why),
					row->runtime_s, NEAR);
		ck_assert_double_eq_tol(why.cpu_factor, 1, NEAR);
		ck_assert_double_eq(why.link_s, 0);
		ck_assert_int_eq(why.node, -1);
		ck_assert_int_eq(why.link_node, -1);
	}
}
END_TEST

/* [2] section 2.1. */
START_TEST(test_one_competitor_as_in_the_paper)
{
	for (const struct row *row = figure_3; row->name; row++) {
		struct profile p = profile_of(row);
		struct sharing_node nodes[4] = {
			same, same, { 0.5, NAN }, same
		};
		struct sharing_setting now = { .node_count = 4,
					       .nodes = nodes,
					       .credit_s = HUGE_VAL };
		struct sharing_why why;
		double growth = (row->busy_ms - row->idle_ms) /
				(row->busy_ms + row->idle_ms);

		ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why),
					row->runtime_s * (1 + growth), 1e-6);
		ck_assert_double_eq_tol(why.cpu_factor, 1 + growth, NEAR);
		ck_assert_int_eq(why.node, 2);
	}

	/* More idle than busy: it gets all of it back. */
	static const struct row lazy = { "", 35, 50, 300, 0, 0 };
	struct profile p = profile_of(&lazy);
	struct sharing_node nodes[4] = { { 0.5, 1 }, same, same, same };
	struct sharing_setting now = { .node_count = 4,
				       .nodes = nodes,
				       .credit_s = HUGE_VAL };

	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 35, NEAR);
}
END_TEST

/* max(b + i, b / a) for any share; i + b / a without credit. */
START_TEST(test_any_share)
{
	static const struct row row = { "", 70, 300, 50, 0, 0 };
	static const double shares[] = { 0.9, 0.7, 0.37, 0.21, 0.03 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, same, same, same };
	struct sharing_setting now = { .node_count = 4, .nodes = nodes };

	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		double a = shares[i];

		nodes[1].cpu_available = a;
		now.credit_s = HUGE_VAL;
		ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
					200 * fmax(.35, .3 / a), 1e-6);
		now.credit_s = 0;
		ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
					200 * (.05 + .3 / a), 1e-6);
	}
}
END_TEST

/* Answers and arrivals are counted in the profile's messages. */
START_TEST(test_turns_by_messages)
{
	static const struct row row = { "", 100, 80, 20, 500, 0 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, { 0.5, NAN }, same, same };
	struct sharing_setting now = { .node_count = 4,
				       .nodes = nodes,
				       .turn_s = 0.05 };

	for (int k = 0; k < 4; k++)
		p.node[k].busy_phase_s = NAN;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				20 + 160 + 500 * 0.05, 1e-6);
	p.pair[0].messages = 0; /* now node 1 receives only */
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				160 + 500 * (1 - 0.1 / 0.16) * 0.05, 1e-6);
	p.pair[0].messages = 500;
	p.pair[1].messages = 0; /* and sends only */
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 160 + 0.05,
				1e-6);
}
END_TEST

/* The node that finishes last decides. */
START_TEST(test_last_finish)
{
	static const struct row row = { "", 100, 80, 20, 0, 0 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { { 0.8, 1 }, same, { 0.5, 1 }, same };
	struct sharing_setting now = { .node_count = 4, .nodes = nodes };
	struct sharing_why why;

	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 20 + 160,
				NEAR);
	ck_assert_int_eq(why.node, 2);
	nodes[0] = nodes[2] = same;
	nodes[3].cpu_speed = 0.64;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 20 + 125,
				NEAR);
	ck_assert_int_eq(why.node, 3);
	for (int k = 0; k < 4; k++)
		nodes[k].cpu_speed = 1.6;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 20 + 50, NEAR);
	ck_assert_int_eq(why.node, -1);
	ck_assert_double_eq_tol(why.cpu_factor, 0.7, NEAR);
}
END_TEST

/* A node that waited for slower ones has time to lose; it sleeps in it, too. */
START_TEST(test_spare_time)
{
	static const struct row row = { "", 100, 80, 20, 0, 0 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, same, { 0.4, 1 }, same };
	struct sharing_setting now = { .node_count = 4, .nodes = nodes };
	struct sharing_why why;

	p.node[2].busy_s = 30;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 100, NEAR);
	ck_assert_int_eq(why.node, -1);
	nodes[2].cpu_available = 0.25;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 20 + 120,
				NEAR);
	ck_assert_int_eq(why.node, 2);

	/* Of 70 s that it sleeps, 23.3 CPU seconds are given back. */
	now.credit_s = HUGE_VAL;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 100, NEAR);
	nodes[2].cpu_available = 0.2;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				20 + 17.5 + 12.5 / 0.2, NEAR);
}
END_TEST

/* A node without answers does not wait once it is the slowest. */
START_TEST(test_no_answers_no_waiting)
{
	static const struct row row = { "", 100, 80, 20, 500, 0 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, { 0.5, 1 }, same, same };
	struct sharing_setting now = { .node_count = 4, .nodes = nodes };

	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 20 + 160,
				NEAR);
	p.pair[1].messages = 0;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 160, NEAR);
	nodes[1].cpu_available = 0.9; /* 89 s: the messages come for 100 */
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 100, NEAR);

	/* Two of them are in step with nobody: no step waits for the later. */
	p.pair[1] = p.pair[0];
	p.pair[1].from = 0;
	p.pair[1].to = 3;
	nodes[1] = same;
	nodes[2].cpu_available = nodes[3].cpu_available = 0.5;
	now.turn_s = 0.05;
	for (int k = 0; k < 4; k++)
		p.node[k].busy_phase_s = NAN;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				160 + 500 * (1 - 0.1 / 0.16) * 0.05, 1e-6);
}
END_TEST

/* The mean of the later of two times, each of which is late by anything from
 * nothing to twice its turns. */
static double later_of(double s, double turns_s, double other_s,
		       double other_turns_s)
{
	const int steps = 1000;
	double sum = 0;

	for (int i = 0; i < steps; i++)
		for (int k = 0; k < steps; k++)
			sum += fmax(s + 2 * turns_s * (i + .5) / steps,
				    other_s + 2 * other_turns_s * (k + .5) /
						      steps);
	return sum / steps / steps;
}

/* The later of two nodes about as slow is waited for in each step. */
START_TEST(test_later_of_two)
{
	static const struct row row = { "", 100, 80, 20, 1000, 10 };
	static const struct sharing_node others[] = {
		{ 0.5, 1 },   { 0.55, 1 },   { 0.4, 1 },    { 0.9, 0.55 },
		{ 0.8, 0.4 }, { 0.99, 0.4 }, { 0.52, NAN }, { 0.9, 1 },
		{ 1, 0.42 },  { 1, 1 },
	};
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, { 0.5, 1 }, same, same };
	struct sharing_setting now = { .node_count = 4,
				       .nodes = nodes,
				       .turn_s = 0.05 };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		double share = others[i].cpu_available;
		double speed =
			isnan(others[i].cpu_speed) ? 1 : others[i].cpu_speed;

		nodes[2] = others[i];
		ck_assert_double_eq_tol(
			sharing_runtime(&p, &now, NULL),
			20 + later_of(160, 1000 * .05, 80 / share / speed,
				      1000 * .05 * (1 / share - 1)),
			1e-2);
	}
}
END_TEST

/* The work is spread evenly over the nodes. */
START_TEST(test_other_node_counts)
{
	static const struct row row = { "", 100, 80, 20, 0, 0 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[8] = { same, same, same, same,
					 same, same, same, { 0.5, NAN } };
	struct sharing_setting now = { .node_count = 8, .nodes = nodes };

	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 20 + 80, NEAR);
	nodes[7] = same;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 60, NEAR);
	now.node_count = 2;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 180, NEAR);
	now.node_count = 1;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 340, NEAR);
}
END_TEST

START_TEST(test_impossible)
{
	struct profile p = profile_of(&figure_3[0]);
	struct sharing_node nodes[4] = { same, same, same, same };
	struct sharing_setting now = { .node_count = 0, .nodes = nodes };

	ck_assert_double_nan(sharing_runtime(&p, &now, NULL));
	now.node_count = PROFILE_NODES_MAX + 1;
	ck_assert_double_nan(sharing_runtime(&p, &now, NULL));
	now.node_count = 4;
	p.runtime_s = NAN;
	ck_assert_double_nan(sharing_runtime(&p, &now, NULL));
	p.runtime_s = 25;
	p.node_count = 0;
	ck_assert_double_eq(sharing_runtime(&p, &now, NULL), 25);
	p.pair_count = -1;
	ck_assert_double_nan(sharing_runtime(&p, &now, NULL));
	p.pair_count = 1;
	p.pair[0].from = 200; /* no such node */
	ck_assert_double_eq(sharing_runtime(&p, &now, NULL), 25);
}
END_TEST

/* Whatever the profile: less to be had is never faster, and the result is a
 * number. */
START_TEST(test_less_is_never_faster)
{
	struct random r = { 20021 };

	for (int round = 0; round < 20000; round++) {
		struct row row = { "",
				   1 + 100 * random_unit(&r),
				   1 + 1000 * random_unit(&r),
				   1000 * random_unit(&r),
				   100 * random_unit(&r),
				   100 * random_unit(&r) };
		struct profile p = profile_of(&row);
		struct sharing_node nodes[4] = { same, same, same, same };
		struct slow slow = { 1, 2, { 70e6, 400e-6 } };
		struct sharing_setting now = {
			.node_count = 4,
			.nodes = nodes,
			.link_of = link_of,
			.context = &slow,
			.credit_s =
				round % 3 ? 0.01 * random_unit(&r) : HUGE_VAL,
			.turn_s = 0.003 * random_unit(&r),
		};
		double last = 0;

		p.node[2].ready_s = round % 2 ? NAN : random_unit(&r);
		for (int step = 0; step < 8; step++) {
			double s = sharing_runtime(&p, &now, NULL);

			ck_assert(isfinite(s) && s > 0);
			ck_assert_double_ge(s, last - 1e-9);
			last = s;
			nodes[2].cpu_available =
				pow(0.5, step + random_unit(&r));
			if (step % 2)
				slow.link.bandwidth_bps *= random_unit(&r);
		}
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_nothing_changed,
		test_one_competitor_as_in_the_paper,
		test_any_share,
		test_turns_by_messages,
		test_last_finish,
		test_spare_time,
		test_no_answers_no_waiting,
		test_later_of_two,
		test_other_node_counts,
		test_impossible,
		test_less_is_never_faster,
		NULL,
	};

	return suite_run("sharing", tests);
}
