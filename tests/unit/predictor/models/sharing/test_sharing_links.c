/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sharing_links.c - run times on shared links, worked by hand
 *
 * The formulas of the paper, and a test for each term of NOTE.md, section 4.
 */
#include <math.h>

#include "predictor/models/sharing/sharing.h"
#include "tests/unit/predictor/models/sharing/figure_3.h"
#include "tests/unit/suite.h"

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

/* Messages from node 1 to node 2, and as many back. */
static void exchange(struct profile *p, double messages, double size)
{
	p->pair_count = 2;
	p->pair[0] = p->pair[1] = (struct profile_pair){
		.from = 1,
		.to = 2,
		.messages = messages,
		.bytes = messages * size,
		.bandwidth_bps = 70e6,
		.latency_s = NAN,
		.replies = 0,
	};
	p->pair[1].from = 2;
	p->pair[1].to = 1;
}

/* Both directions go on at once, with one peer after the other. */
START_TEST(test_exchanges)
{
	static const struct row row = { "", 100, 80, 20, 1000, 10 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, same, same, same };
	struct slow slow = { 2, 1, { 10e6, NAN } };
	struct sharing_setting now = { .node_count = 4,
				       .nodes = nodes,
				       .link_of = link_of,
				       .context = &slow };
	double part_s = 8 / 10e6 - 8 / 70e6;

	exchange(&p, 5000, 10e3);
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 50e6 * part_s, 1e-6);
	slow = (struct slow){ 1, 2, { 10e6, NAN } };
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 50e6 * part_s, 1e-6);

	/* As much with another peer, on a link that is not slower. */
	p.pair_count = 4;
	for (int k = 2; k < 4; k++) {
		p.pair[k] = p.pair[k - 2];
		p.pair[k].from = k == 2 ? 1 : 3;
		p.pair[k].to = k == 2 ? 3 : 1;
		p.pair[k].bandwidth_bps = 40e6;
	}
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 50e6 * part_s, 1e-6);
	slow.link.bandwidth_bps = 140e6; /* the other direction is as before */
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 100, 1e-6);
}
END_TEST

/* The acknowledgement of long messages both ways waits for eager parts, twice;
 * not that of those one way. */
START_TEST(test_eager_parts)
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

	exchange(&p, 200, 100e3);
	p.pair[0].long_messages = p.pair[1].long_messages = 50;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 200 * 100e3 * part_s, 1e-6);
	now.eager_bytes = 60e3;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + (200 * 100e3 + 50 * 2 * 60e3) * part_s,
				1e-6);
	p.pair[0].long_messages = p.pair[1].long_messages = NAN;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 200 * 100e3 * part_s, 1e-6);
}
END_TEST

/* Node 0 sends requests to the others; each replies with a fifth of that. */
START_TEST(test_requests)
{
	static const struct row row = { "", 100, 80, 20, 1000, 100 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, same, same, same };
	struct slow slow = { 0, 1, { 10e6, NAN } };
	struct sharing_setting now = { .node_count = 4,
				       .nodes = nodes,
				       .link_of = link_of,
				       .context = &slow,
				       .eager_bytes = 60e3 };
	struct sharing_why why;

	p.pair_count = 6;
	for (uint16_t k = 0; k < 3; k++) {
		p.pair[2 * k] = (struct profile_pair){
			.from = 0,
			.to = (uint16_t)(k + 1),
			.messages = 10,
			.bytes = 10e6,
			.long_messages = 10,
			.bandwidth_bps = 100e6,
		};
		p.pair[2 * k + 1] = p.pair[2 * k];
		p.pair[2 * k + 1].from = (uint16_t)(k + 1);
		p.pair[2 * k + 1].to = 0;
		p.pair[2 * k + 1].bytes = 2e6;
	}

	/* All at once on its own link; then those on the slow one are last. */
	double before_s = 8 * 36e6 / 100e6;

	ck_assert_double_eq_tol(
		sharing_runtime(&p, &now, &why),
		100 + 8 * (10e6 / 10e6 + 2e6 / 100e6) - before_s, 1e-6);
	ck_assert(why.link_node == 0 || why.link_node == 1);
	slow.link.bandwidth_bps = 50e6;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 100, 1e-6);

	/* Replies as large as requests are an exchange: peer after peer. */
	slow.link.bandwidth_bps = 10e6;
	now.eager_bytes = 0;
	for (int k = 0; k < 6; k++)
		p.pair[k].bytes = 10e6;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 8 * (10e6 / 10e6 - 10e6 / 100e6), 1e-6);

	/* So it is where there is not a reply to each, and those are shorter:
	 * nothing waits behind their eager parts. */
	now.eager_bytes = 60e3;
	for (int k = 1; k < 6; k += 2) {
		p.pair[k].bytes = 2e6;
		p.pair[k].messages = 5;
	}
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 8 * (10e6 / 10e6 - 10e6 / 100e6), 1e-6);
}
END_TEST

/* Turns and messages are both waited for. */
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

	exchange(&p, 5000, 10e3);
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				20 + 160 + 5000 * 0.01, 1e-6);
	slow.link.bandwidth_bps = 10e6;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				20 + 160 + 5000 * (0.01 + 10e3 * part_s), 1e-6);
}
END_TEST

/* In a pipeline the link works while both of its ends compute. */
START_TEST(test_messages_sent_ahead)
{
	static const struct row row = { "", 100, 80, 20, 1000, 10 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, same, same, same };
	struct slow slow = { 1, 2, { 10e6, 0.1 } };
	struct sharing_setting now = { .node_count = 4,
				       .nodes = nodes,
				       .link_of = link_of,
				       .context = &slow };
	struct sharing_why why;

	p.pair_count = 1;
	p.pair[0] = (struct profile_pair){
		.from = 1,
		.to = 2,
		.messages = 5000,
		.bytes = 100e6, /* 80 s at 10 Mbit/s */
		.bandwidth_bps = 70e6,
		.latency_s = 1e-4,
	};
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 100, 1e-6);
	ck_assert_double_eq_tol(why.link_s, 0, NEAR);

	/* It takes as long as the link, or as the slowest node. */
	slow.link.bandwidth_bps = 5e6;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 160, 1e-6);
	ck_assert_double_eq_tol(why.link_s, 60, 1e-6);
	ck_assert_double_eq_tol(why.cpu_factor, 1, NEAR);
	ck_assert(why.link_node == 1 || why.link_node == 2);
	nodes[1].cpu_available = 0.25;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 320, 1e-6);
	ck_assert_double_eq_tol(why.cpu_factor, 2, NEAR);

	/* Where messages were not counted, they are waited for. */
	nodes[1].cpu_available = 1;
	p.pair[0].messages = NAN;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 100e6 * (8 / 5e6 - 8 / 70e6), 1e-6);
	p.pair[0].messages = 5000;

	/* What took longer than the run itself was not measured well. */
	p.pair[0].bytes = 1e9; /* 114 s at 70 Mbit/s, in a run of 100 s */
	slow.link.bandwidth_bps = 70e6;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 100, 1e-6);
}
END_TEST

/* Replies to a node that lags come after all that it sends. */
START_TEST(test_replies)
{
	static const struct row row = { "", 100, 80, 20, 1000, 10 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, same, same, same };
	struct slow slow = { 2, 1, { 10e6, NAN } };
	struct sharing_setting now = { .node_count = 4,
				       .nodes = nodes,
				       .link_of = link_of,
				       .context = &slow };
	double before_s = 50e6 * 8 / 70e6; /* in either direction */

	exchange(&p, 5000, 10e3); /* 40 s at 10 Mbit/s */
	p.pair[1].replies = 5000;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 40 - before_s, 1e-6);

	/* 80 s later than the others. */
	nodes[1].cpu_available = 0.5;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 180 + 40,
				1e-6);
	p.pair[1].replies = NAN;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				180 + 40 - before_s, 1e-6);

	/* 3 s later: those of 3 s come after all that it sends. */
	p.pair[1].replies = 5000;
	nodes[1].cpu_available = 80. / 83;
	slow.link.bandwidth_bps = 70e6;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL), 103 + 3, 1e-6);

	/* So it was in the profile. */
	p.node[1].busy_s += 3;
	p.node[1].idle_s -= 3;
	nodes[1] = same;
	slow.link.bandwidth_bps = 10e6;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				100 + 40 - before_s - 3, 1e-6);

	/* Replies of others are none to it. */
	nodes[2].cpu_available = 0.5;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				17 + 160 + 40 - before_s - 3, 1e-6);
}
END_TEST

/* The eager parts of long messages to a node that lags are there. */
START_TEST(test_early_parts)
{
	static const struct row row = { "", 100, 80, 20, 1000, 100 };
	struct profile p = profile_of(&row);
	struct sharing_node nodes[4] = { same, { 0.5, 1 }, same, same };
	struct slow slow = { 2, 1, { 10e6, NAN } };
	struct sharing_setting now = { .node_count = 4,
				       .nodes = nodes,
				       .link_of = link_of,
				       .context = &slow,
				       .eager_bytes = 60e3 };
	double before_s = 8 * (200 * 100e3 + 200 * 2 * 60e3) / 70e6;
	double now_s = 8 * (200 * 100e3 + 200 * 60e3) / 10e6;

	/* By the one that lags, and no less by the one that it lags behind. */
	exchange(&p, 200, 100e3);
	p.pair[0].long_messages = p.pair[1].long_messages = 200;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				180 + now_s - before_s, 1e-6);

	/* What it waits for itself is not early. */
	p.pair[1].replies = 200;
	ck_assert_double_eq_tol(
		sharing_runtime(&p, &now, NULL),
		180 + now_s + 8 * 200 * 60e3 / 10e6 +
			8 * (200 * 100e3 + 200 * 2 * 60e3) / 70e6 - before_s,
		1e-6);
	p.pair[1].replies = 0;

	/* No more comes early than it lags. */
	nodes[1].cpu_available = 80. / 81;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				101 + 8 * (200 * 100e3 + 400 * 60e3) / 10e6 -
					before_s - 1,
				1e-6);

	/* What comes on the fast link is early, what comes on the slow one is
	 * not. */
	nodes[1] = same;
	nodes[2].cpu_available = 0.5;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, NULL),
				180 + 8 * (200 * 100e3 + 400 * 60e3) / 10e6 -
					before_s - 8 * 200 * 60e3 / 70e6,
				1e-6);
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

	/* A link cannot save more than was waited; all nodes exchange. */
	now.credit_s = HUGE_VAL;
	slow.link.bandwidth_bps = 1e15;
	nodes[1] = same;
	p.pair_count = 4;
	for (int k = 0; k < 2; k++) {
		p.pair[k + 2] = p.pair[k];
		p.pair[k + 2].from = k ? 3 : 0;
		p.pair[k + 2].to = k ? 0 : 3;
	}
	p.pair[0].bytes = 1e12;
	ck_assert_double_eq_tol(sharing_runtime(&p, &now, &why), 80, NEAR);
	ck_assert_double_eq_tol(why.link_s, -20, NEAR);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_one_link_as_in_the_paper,
		test_exchanges,
		test_eager_parts,
		test_requests,
		test_turns_and_a_slow_link,
		test_messages_sent_ahead,
		test_replies,
		test_early_parts,
		test_link_first,
		NULL,
	};

	return suite_run("sharing_links", tests);
}
