/* test_sharing.c - run times on shared CPUs and links, worked by hand */
#include <math.h>

#include "predictor/models/sharing.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define NEAR 1e-9

/* Figure 3 of the paper: seconds, busy and idle phases in milliseconds,
 * messages on a link and their size in KB, for 4 nodes. */
static const struct row {
	const char *name;
	double runtime_s, busy_ms, idle_ms, messages, kbytes;
} figure_3[] = {
	{ "CG", 25.6, 60.8, 22.8, 1264, 18.4 },
	{ "IS", 40.1, 2510.6, 531.4, 11, 2117.5 },
	{ "MG", 43.9, 1113.4, 183.0, 228, 55.0 },
	{ "SP", 619.5, 635.8, 44.8, 1606, 102.4 },
	{ "LU", 563.5, 1494.0, 66.0, 15752, 3.8 },
	{ "BT", 898.3, 2126.0, 64.0, 806, 117.1 },
	{ "EP", 104.6, 98420.0, 618.0, 0, 0 },
	{ NULL, 0, 0, 0, 0, 0 },
};

/* On the paper's testbed: whole CPUs, 70 Mbit/s, 0.4 ms. */
static struct profile profile_of(const struct row *row)
{
	static struct profile p;
	double cycle = row->busy_ms + row->idle_ms;

	p = (struct profile){ .nodes = 4,
			      .tasks = 4,
			      .runs = 1,
			      .runtime_s = row->runtime_s,
			      .node_count = 4,
			      .pair_count = row->messages > 0 ? 2 : 0 };
	for (int k = 0; k < 4; k++)
		p.node[k] = (struct profile_node){
			.tasks = 1,
			.busy_s = row->runtime_s * row->busy_ms / cycle,
			.ready_s = 0,
			.idle_s = row->runtime_s * row->idle_ms / cycle,
			.busy_phase_s = row->busy_ms / 1e3,
			.idle_phase_s = row->idle_ms / 1e3,
			.cpu_available = 1,
			.cpu_speed = 1,
		};
	for (int k = 0; k < 2; k++)
		p.pair[k] = (struct profile_pair){
			.from = (uint16_t)(k ? 2 : 1),
			.to = (uint16_t)(k ? 1 : 2),
			.messages = row->messages,
			.bytes = row->messages * row->kbytes * 1e3,
			.bandwidth_bps = 70e6,
			.latency_s = 400e-6,
		};
	return p;
}

/* One link that is not as it was. */
struct slow {
	int from, to;
	struct sharing_link link;
};

static void link_of(const void *context, int from, int to,
		    struct sharing_link *ret)
{
	const struct slow *slow = context;

	if (from == slow->from && to == slow->to)
		*ret = slow->link;
}

static const struct sharing_node same = { NAN, NAN };

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

/* max(b + i, b / a) for any share; i + b / a without credit; in between, and
 * with turns. */
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
	nodes[1].cpu_available = 0.25;
	now.credit_s = 0.005;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				200 * (.05 + .005 + .295 / .25), 1e-6);
	now.credit_s = 0;
	now.turn_s = 0.002;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				200 * (.05 + 3 * .002 + .3 / .25), 1e-6);

	/* Messages both ways tell of more phases, those one way do not. */
	p.pair_count = 2;
	p.pair[0].messages = p.pair[1].messages = 500;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				200 * (.05 + .3 / .25) + 500 * 3 * .002, 1e-6);

	/* and who gets no answers has nothing to wait for in the end. */
	p.pair[1].messages = 0;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				200 * (3 * .002 + .3 / .25), 1e-6);
	nodes[1].cpu_available = 0.9;
	now.turn_s = 0;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 70, 1e-6);
	nodes[1].cpu_available = 0.25;
	p.pair_count = 0;

	/* Who spins in half of the time sleeps for the other half only. */
	now.turn_s = 0;
	now.credit_s = HUGE_VAL;
	nodes[1].cpu_available = 0.5;
	p.node[1].spinning_s = 5;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				200 * (.05 + .025 + .275 / .5), 1e-6);
}
END_TEST

/* A node that gives 40 % of a CPU, and half of that to each of two. */
START_TEST(test_capped_nodes)
{
	static const struct row row = { "", 70, 300, 50, 0, 0 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, same, same, { 0.2, 1 } };
	struct sharing_setting now = { .node_count = 4, .nodes = nodes };

	for (int k = 0; k < 4; k++) {
		p.node[k].busy_s = 24;
		p.node[k].ready_s = 36;
		p.node[k].cpu_available = 0.4;
	}
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 130, 1e-6);

	/* The sensors see more than there is, then and now. */
	p.node[3].cpu_available = 0.44;
	nodes[3].cpu_available = 0.22;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 130, 1e-6);

	/* It was busy at more than the cap, from what it had not used before:
	 * a competitor leaves none of it, half of one half. */
	p.node[3].cpu_available = 0.36;
	nodes[3].cpu_available = 0.18;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 10 + 24 / 0.18,
				1e-6);
	nodes[3].cpu_available = 0.24;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 10 + 24 / 0.26,
				1e-6);

	/* Turns are for who competes, not for what was left over. */
	nodes[3].cpu_available = 0.09;
	p.node[3].busy_phase_s = 0.6;
	now.turn_s = 0.002;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				10 + 24 / 0.09 + 100 * 3 * 0.002, 1e-6);
	now.turn_s = 0;
	nodes[3].cpu_available = NAN;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 70, 1e-6);

	/* It was not measured how long the CPU was waited for. */
	for (int k = 0; k < 4; k++) {
		p.node[k].ready_s = NAN;
		p.node[k].cpu_available = 0.4;
	}
	nodes[3].cpu_available = 0.2;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 130, 1e-6);
}
END_TEST

/* The slowest node decides, and one that had waited for it has time to lose. */
START_TEST(test_several_nodes)
{
	static const struct row row = { "", 100, 80, 20, 0, 0 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { { 0.8, 1 }, same, { 0.5, 1 }, same };
	struct sharing_setting now = { .node_count = 4, .nodes = nodes };
	struct sharing_why why;

	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 20 + 160,
				NEAR);
	ck_assert_int_eq(why.node, 2);

	p.node[2].busy_s = 30;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 20 + 100,
				NEAR);
	ck_assert_int_eq(why.node, 0);

	/* Speed counts like share, but nobody gets turns or credit. */
	nodes[0] = nodes[2] = same;
	nodes[3].cpu_speed = 0.64;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 20 + 125,
				NEAR);
	for (int k = 0; k < 4; k++)
		nodes[k].cpu_speed = 1.6;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 20 + 50, NEAR);
	ck_assert_int_eq(why.node, -1);
	ck_assert_double_eq_tol(why.cpu_factor, 0.7, NEAR);
}
END_TEST

/* [2] section 2.2, a link at 10 instead of 70 Mbit/s. */
START_TEST(test_one_link_as_in_the_paper)
{
	for (const struct row *row = figure_3; row->name; row++) {
		struct profile p = profile_of(row);
		struct sharing_node nodes[4] = { same, same, same, same };
		struct slow slow = { 2, 1, { 10e6, 700e-6 } };
		struct sharing_setting now = { .node_count = 4,
					       .nodes = nodes,
					       .link_of = link_of,
					       .context = &slow };
		struct sharing_why why;
		double size = 8e3 * row->kbytes;
		double growth_s = row->messages * ((700e-6 + size / 10e6) -
						   (400e-6 + size / 70e6));

		ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why),
					row->runtime_s + growth_s, 1e-6);
		ck_assert_double_eq_tol(why.link_s, growth_s, 1e-6);
		ck_assert_double_eq_tol(why.cpu_factor, 1, NEAR);
	}
}
END_TEST

/* Long messages both ways wait for answers, those one way do not. */
START_TEST(test_long_messages)
{
	static const struct row row = { "", 100, 80, 20, 1000, 100 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, same, same, same };
	struct slow slow = { 2, 1, { 10e6, NAN } };
	struct sharing_setting now = { .node_count = 4,
				       .nodes = nodes,
				       .link_of = link_of,
				       .context = &slow };
	double part_s = 8 / 10e6 - 8 / 70e6;

	p.pair_count = 2;
	p.pair[0] = p.pair[1] = (struct profile_pair){
		.from = 1,
		.to = 2,
		.messages = 200,
		.bytes = 200 * 100e3,
		.bandwidth_bps = 70e6,
		.latency_s = NAN,
	};
	p.pair[1].from = 2;
	p.pair[1].to = 1;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 200 * 100e3 * part_s, 1e-6);
	now.first_part_bytes = 60e3;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 200 * (100e3 + 60e3) * part_s, 1e-6);
	p.pair[0].bytes /= 2;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 200 * 100e3 * part_s, 1e-6);
	p.pair[0].bytes *= 2;
	now.first_part_bytes = 110e3;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 200 * 100e3 * part_s, 1e-6);
}
END_TEST

/* Who waits for a message that takes longer has most of its turns by then. */
START_TEST(test_turns_and_a_slow_link)
{
	static const struct row row = { "", 100, 80, 20, 1000, 10 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, { 0.5, 1 }, same, same };
	struct slow slow = { 2, 1, { NAN, NAN } };
	struct sharing_setting now = { .node_count = 4,
				       .nodes = nodes,
				       .link_of = link_of,
				       .context = &slow,
				       .turn_s = 0.01 };
	double part_s = 8 / 10e6 - 8 / 70e6;

	p.pair_count = 2;
	p.pair[0] = p.pair[1] = (struct profile_pair){
		.from = 1,
		.to = 2,
		.messages = 5000,
		.bytes = 5000 * 10e3,
		.bandwidth_bps = 70e6,
		.latency_s = NAN,
	};
	p.pair[1].from = 2;
	p.pair[1].to = 1;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				20 + 160 + 5000 * 0.01, 1e-6);
	slow.link.bandwidth_bps = 10e6;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				20 + 160 + 5000 * 0.01, 1e-6);
	now.turn_s = 0.001;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				20 + 160 + 5000 * 10e3 * part_s + 0.3 * 5,
				1e-6);
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

/* Now the one node has its turn last, now the other. */
START_TEST(test_turns_of_two)
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

/* [2] section 3.3: with a slow link there is more idle time to make up for. */
START_TEST(test_link_first)
{
	static const struct row row = { "", 100, 80, 20, 1000, 70 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, { 0.5, 1 }, same, same };
	struct slow slow = { 1, 2, { 10e6, NAN } };
	struct sharing_setting now = { .node_count = 4,
				       .nodes = nodes,
				       .link_of = link_of,
				       .context = &slow,
				       .credit_s = HUGE_VAL };
	struct sharing_why why;

	/* 48 s more to wait: 80 s busy, 68 s idle. */
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 160, 1e-6);
	ck_assert_double_eq_tol(why.link_s, 48, 1e-6);
	ck_assert_double_eq_tol(why.cpu_factor, 160. / 148, 1e-6);
	ck_assert(why.link_node == 1 || why.link_node == 2);
	now.credit_s = 0;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 228, 1e-6);

	/* A link cannot save more than was waited. */
	now.credit_s = HUGE_VAL;
	slow.link.bandwidth_bps = 1e15;
	p.pair[0].bytes = 1e12;
	p.pair_count = 1;
	nodes[1] = same;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 80, NEAR);
}
END_TEST

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
		test_capped_nodes,
		test_several_nodes,
		test_one_link_as_in_the_paper,
		test_long_messages,
		test_turns_and_a_slow_link,
		test_turns_of_two,
		test_link_first,
		test_other_node_counts,
		test_impossible,
		test_less_is_never_faster,
		NULL,
	};

	return suite_run("sharing", tests);
}
