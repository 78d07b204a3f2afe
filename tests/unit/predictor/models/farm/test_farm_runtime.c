/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_farm_runtime.c - a farm's run time on other nodes;
 * recognised profiles */
#include <math.h>
#include <string.h>

#include "predictor/models/farm/farm_profile.h"
#include "predictor/models/farm/farm_runtime.h"
#include "tests/unit/suite.h"

#define NODES 4

/* 1,200 tasks of 10 ms on three workers, one on each of three nodes; the master
 * has the first node. */
static struct profile farm_on_four(void)
{
	static struct profile p;

	p = (struct profile){
		.nodes = NODES,
		.tasks = NODES,
		.runs = 1,
		.runtime_s = 5,
		.farm = { .kind = PROFILE_FARM_DYNAMIC,
			  .workers = 3,
			  .tasks = 1200,
			  .mu_s = .01,
			  .sigma_s = .003,
			  .bytes = 1200 * 176,
			  .alpha = .5,
			  .message_s = 1e-5,
			  .long_message_s = 3e-5,
			  .workers_on = { 0, 1, 1, 1 } },
	};
	return p;
}

static struct farm_runtime runtime;

START_TEST(test_sum_of_speeds)
{
	struct profile p = farm_on_four();
	double alone[NODES] = { 1, 1, 1, 1 };
	double one[NODES] = { 1, .5, 1, 1 }, two[NODES] = { 1, .5, .5, 1 };
	double master[NODES] = { .5, 1, 1, 1 };
	struct sp_error err;

	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), 0);
	/* Simulated: 12 s of work on three, times 5 / 4. */
	ck_assert_double_eq_tol(runtime.recorded_s, 4, .05);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 4, 4, alone), 5,
				1e-9);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 4, 4, NULL), 5, 1e-9);
	/* 3 / 2.5 and 3 / 2 as long, not twice. */
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 4, 4, one), 6, .05);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 4, 4, two), 7.5, .1);
	/* No worker is there. */
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 4, 4, master), 5,
				1e-9);
}
END_TEST

START_TEST(test_other_numbers)
{
	struct profile p = farm_on_four();
	struct sp_error err;

	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), 0);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 7, 7, NULL), 2.5,
				.05);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 2, 2, NULL), 15, .05);
	/* Two on each node: 13 workers on 7 nodes. */
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 7, 14, NULL),
				15. / 13, .05);
	ck_assert(isnan(farm_runtime_on(&runtime, 1, 1, NULL)));
	ck_assert(isnan(farm_runtime_on(&runtime, 2000, 2000, NULL)));
}
END_TEST

/* Tasks that are taken together, and a master that is saturated. */
START_TEST(test_many_tasks)
{
	struct profile p = farm_on_four();
	struct sp_error err;

	p.farm.tasks = 1e6;
	p.farm.mu_s = 12e-6;
	p.farm.sigma_s = 4e-6;
	p.farm.message_s = p.farm.long_message_s = 1e-7;
	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), 0);
	ck_assert_double_eq_tol(runtime.recorded_s, 4, .1);
	p.farm.message_s = p.farm.long_message_s = 1e-5;
	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), 0);
	ck_assert_double_ge(runtime.recorded_s, 10);
	/* More workers do not help it. */
	ck_assert_double_ge(farm_runtime_on(&runtime, 8, 8, NULL), 4);
}
END_TEST

/* A master that does nothing but send: what that takes is decided by the size
 * of the program's own messages, also where several are taken together. */
START_TEST(test_long_messages)
{
	const double tasks[] = { 1200, 1e5 };
	struct profile p = farm_on_four();
	struct sp_error err;

	p.farm.message_s = 1e-3;
	p.farm.long_message_s = 3e-3;
	p.farm.mu_s = 1e-6;
	p.farm.sigma_s = 0;
	p.farm.alpha = .7;
	for (int i = 0; i < 2; i++) {
		p.farm.tasks = tasks[i];
		p.farm.bytes = tasks[i] * 65535 / .7;
		ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), 0);
		ck_assert_double_eq_tol(runtime.recorded_s / tasks[i], 1e-3,
					1e-5);
		p.farm.bytes = tasks[i] * 65537 / .7;
		ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), 0);
		ck_assert_double_eq_tol(runtime.recorded_s / tasks[i], 3e-3,
					3e-5);
	}
}
END_TEST

/* Profiles on 4, 8 and 16 nodes whose run times are those of messages that cost
 * `message_s`, though probes say 10 us. */
static void run_on_three_sizes(double message_s, double noise,
			       struct profile ret[3])
{
	struct profile p = farm_on_four();

	p.farm.tasks = 3000;
	p.farm.message_s = p.farm.long_message_s = message_s;
	for (int i = 0; i < 3; i++) {
		uint32_t nodes = 4u << i;

		ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, NULL), 0);
		ret[i] = farm_on_four();
		ret[i].farm.tasks = p.farm.tasks;
		ret[i].nodes = ret[i].tasks = nodes;
		ret[i].farm.workers = nodes - 1;
		for (uint32_t k = 1; k < nodes; k++)
			ret[i].farm.workers_on[k] = 1;
		ret[i].runtime_s =
			(1 + noise * (i - 1)) *
			farm_runtime_on(&runtime, nodes, nodes, NULL);
	}
}

START_TEST(test_messages_from_runs)
{
	struct profile sizes[3];

	/* A master that 15 workers saturate. */
	run_on_three_sizes(1.28e-3, 0, sizes);
	for (int i = 0; i < 3; i++) {
		ck_assert_double_eq(
			farm_runtime_message_factor(sizes, 3, &runtime), 128);

		struct profile first = sizes[0];

		sizes[0] = sizes[1 + i % 2];
		sizes[1 + i % 2] = first;
	}
	/* What they do not show stays what it was. */
	run_on_three_sizes(1e-5, .004, sizes);
	ck_assert_double_eq(farm_runtime_message_factor(sizes, 3, &runtime), 1);
	ck_assert_double_eq(farm_runtime_message_factor(sizes, 1, &runtime), 1);
	sizes[1].runtime_s = NAN;
	ck_assert_double_eq(farm_runtime_message_factor(sizes, 2, &runtime), 1);
}
END_TEST

START_TEST(test_recorded_beside_others)
{
	struct profile p = farm_on_four();
	struct sp_error err;

	p.node_count = NODES;
	for (int i = 0; i < NODES; i++)
		p.node[i] =
			(struct profile_node){ .cpu_available = 1,
					       .cpu_speed = NAN,
					       .cpu_left = i == 1 ? .5 : 1 };
	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), 0);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 4, 4, NULL),
				5 * 2.5 / 3, .05);
}
END_TEST

/* On nodes with a quota of 20 % the query has that share, too; a process that
 * is alone has no more. */
START_TEST(test_quota)
{
	const double quota[] = { .2, .2, .2, .2 };
	struct profile p = farm_on_four();
	struct sp_error err;

	p.node_count = NODES;
	for (int i = 0; i < NODES; i++)
		p.node[i] = (struct profile_node){ .cpu_available = .2,
						   .cpu_speed = NAN,
						   .cpu_left = 1 };
	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), 0);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 4, 4, quota), 5,
				1e-9);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 4, 4, NULL), 5, 1e-9);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 2, 2, quota), 15,
				.05);
}
END_TEST

/* Iterations that end before the next one begins: of 8 s three workers
 * computed for 5, and waited for each other.  One worker waits for nobody. */
START_TEST(test_workers_that_wait)
{
	struct profile p = farm_on_four();
	struct sp_error err;
	double computed_s;

	p.node_count = NODES;
	for (int i = 0; i < NODES; i++)
		p.node[i] = (struct profile_node){ .cpu_available = 1,
						   .cpu_speed = 1,
						   .cpu_left = 1 };
	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), 0);
	computed_s = runtime.recorded_s;
	p.runtime_s = 1.6 * computed_s;
	for (int i = 0; i < NODES; i++)
		p.node[i].idle_s = .6 * computed_s + .01;
	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), 0);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 4, 4, NULL),
				p.runtime_s, 1e-9);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 2, 2, NULL),
				3 * computed_s, .05 * computed_s);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 3, 3, NULL),
				(1.5 + .6 * .75) * computed_s,
				.05 * computed_s);
	/* Workers that hardly waited were slower than is known. */
	for (int i = 0; i < NODES; i++)
		p.node[i].idle_s = .01;
	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), 0);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 2, 2, NULL),
				3 * p.runtime_s, .1 * computed_s);
}
END_TEST

START_TEST(test_no_farm)
{
	struct profile p = farm_on_four();
	struct sp_error err;

	p.farm.kind = PROFILE_FARM_STATIC;
	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), -1);
	p = farm_on_four();
	p.farm.mu_s = NAN;
	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), -1);
	p = farm_on_four();
	memset(p.farm.workers_on, 0, sizeof(p.farm.workers_on));
	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), -1);
}
END_TEST

/* --- Recognised ----------------------------------------------------------- */

static void set_worker(struct profile_rank *r, uint32_t rank, double tasks)
{
	*r = (struct profile_rank){
		.rank = rank,
		.ranks = 1,
		.peer = 0,
		.messages = tasks + 1,
		.bytes = 88 * tasks,
		.peer_messages = tasks + 1,
		.peer_bytes = 88 * tasks,
		.own_s = 3e-3 * tasks,
		.tasks = tasks,
		.tasks_s = 3e-3 * tasks,
		.tasks_s2 = 1e-5 * tasks,
	};
}

START_TEST(test_recognised_by_ranks)
{
	static struct profile_share shares[2];
	static struct profile p;
	struct run run = { .node_list = "n[1-2]" };

	/* Shares come in any order; two workers share the second node. */
	profile_share_init(&shares[0]);
	profile_share_init(&shares[1]);
	strcpy(shares[0].node, "n2");
	strcpy(shares[1].node, "n1");
	shares[0].rank_count = shares[1].rank_count = 2;
	shares[1].rank[0] = (struct profile_rank){ .rank = 0,
						   .ranks = 1,
						   .peer = 1,
						   .messages = 603,
						   .bytes = 52800,
						   .peer_messages = 201,
						   .peer_bytes = 17600,
						   .asked_any = 603,
						   .own_s = .002 };
	set_worker(&shares[1].rank[1], 1, 200);
	set_worker(&shares[0].rank[0], 2, 190);
	set_worker(&shares[0].rank[1], 3, 210);
	p = (struct profile){ .nodes = 2, .tasks = 4, .pair_count = 1 };
	p.pair[0] = (struct profile_pair){
		.from = 0, .to = 1, .latency_s = 5e-5, .bandwidth_bps = 8e8
	};
	farm_profile_set(&run, shares, 2, &p);
	ck_assert_int_eq(p.farm.kind, PROFILE_FARM_DYNAMIC);
	ck_assert_uint_eq(p.farm.workers, 3);
	ck_assert_uint_eq(p.farm.hub, 0);
	ck_assert_uint_eq(p.farm.workers_on[0], 1);
	ck_assert_uint_eq(p.farm.workers_on[1], 2);
	ck_assert_double_eq(p.farm.tasks, 600);
	ck_assert_double_eq_tol(p.farm.mu_s, 3e-3, 1e-12);
	ck_assert_double_eq_tol(p.farm.sigma_s, 1e-3, 1e-9);
	ck_assert_double_eq(p.farm.message_s, 5e-5);
	ck_assert_double_eq_tol(p.farm.long_message_s, 15e-5, 1e-12);
	ck_assert_double_eq_tol(p.farm.byte_s, 1e-8, 1e-15);
	/* A node that does not report. */
	shares[0].rank_count = 0;
	farm_profile_set(&run, shares, 2, &p);
	ck_assert_int_eq(p.farm.kind, PROFILE_NO_FARM);
}
END_TEST

/* Two and four at a time; the second node is twice as fast. */
START_TEST(test_recognised_by_processes)
{
	static struct profile_share shares[2];
	static struct profile p;
	struct run run = { .node_list = "n[1-2]" };
	struct sp_error err;

	profile_share_init(&shares[0]);
	profile_share_init(&shares[1]);
	strcpy(shares[0].node, "n1");
	strcpy(shares[1].node, "n2");
	shares[0].rank_count = shares[1].rank_count = 1;
	shares[0].rank[0] = (struct profile_rank){ .ranks = 2,
						   .peer = PROFILE_PEER_NONE,
						   .messages = 90,
						   .tasks = 100,
						   .tasks_s = 300,
						   .tasks_s2 = 1000 };
	shares[1].rank[0] = (struct profile_rank){ .ranks = 4,
						   .peer = PROFILE_PEER_NONE,
						   .messages = 400,
						   .tasks = 400,
						   .tasks_s = 600,
						   .tasks_s2 = 1000 };
	p = (struct profile){
		.nodes = 2, .tasks = 2, .node_count = 2, .runtime_s = 150
	};
	for (int i = 0; i < 2; i++)
		p.node[i] = (struct profile_node){ .cpu_speed = 1 + i,
						   .cpu_left = 1,
						   .cpu_available = 1 };
	farm_profile_set(&run, shares, 2, &p);
	ck_assert_int_eq(p.farm.kind, PROFILE_FARM_PROCESSES);
	ck_assert_uint_eq(p.farm.workers, 6);
	ck_assert_uint_eq(p.farm.workers_on[1], 4);
	ck_assert_double_eq(p.farm.tasks, 500);
	ck_assert_double_eq(p.farm.tasks_seen, 490);
	ck_assert_double_eq_tol(p.farm.mu_s, 3, 1e-12);
	ck_assert_double_eq_tol(p.farm.sigma_s, 1, 1e-9);
	/* Three on each of four nodes, whatever the job's tasks are. */
	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), 0);
	ck_assert_double_eq_tol(farm_runtime_on(&runtime, 4, 4, NULL),
				150 * 10. / (12 * 1.5), 2);
	/* On one node nobody knows whether it would use others. */
	farm_profile_set(&run, shares, 1, &p);
	ck_assert_int_eq(p.farm.kind, PROFILE_FARM_PROCESSES);
	ck_assert_int_eq(farm_runtime_prepare(&p, &runtime, &err), -1);
}
END_TEST

static void add_pair(struct profile *p, uint16_t from, uint16_t to,
		     double messages, double bytes)
{
	p->pair[p->pair_count++] = (struct profile_pair){
		.from = from, .to = to, .messages = messages, .bytes = bytes
	};
}

/* Messages between nodes alone: workers of different rates on three nodes. */
START_TEST(test_recognised_by_nodes)
{
	const double tasks[] = { 600, 300, 150, 150 };
	static struct profile p;
	struct run run = { .node_list = "n[1-4]" };

	p = (struct profile){ .nodes = 4, .tasks = 4, .node_count = 4 };
	for (uint16_t i = 0; i < 4; i++) {
		p.node[i] = (struct profile_node){ .tasks = 1,
						   .busy_s = i ? 3e-3 * tasks[i]
							       : .1,
						   .ready_s = NAN,
						   .cpu_left = i < 2 ? 1 : .5,
						   .cpu_speed = NAN };
		if (i == 0)
			continue;
		add_pair(&p, i, 0, tasks[i], 100 * tasks[i]);
		add_pair(&p, 0, i, tasks[i], 100 * tasks[i]);
	}
	farm_profile_set(&run, NULL, 0, &p);
	ck_assert_int_eq(p.farm.kind, PROFILE_FARM_DYNAMIC);
	ck_assert_uint_eq(p.farm.workers, 3);
	ck_assert_double_eq_tol(p.farm.mu_s, 3e-3, 1e-12);
	ck_assert(isnan(p.farm.sigma_s));
	/* Workers exchange what MPI sends as it begins, or more. */
	add_pair(&p, 2, 3, 200, 200 * 8);
	farm_profile_set(&run, NULL, 0, &p);
	ck_assert_int_eq(p.farm.kind, PROFILE_FARM_DYNAMIC);
	p.pair[p.pair_count - 1].bytes++;
	farm_profile_set(&run, NULL, 0, &p);
	ck_assert_int_eq(p.farm.kind, PROFILE_NO_FARM);
	p.pair_count--;
	/* As many each, of workers that were busy for as long: packets cannot
	 * tell.  Static, if that differs. */
	for (int i = 0; i < p.pair_count; i++)
		p.pair[i].messages = 200;
	farm_profile_set(&run, NULL, 0, &p);
	ck_assert_int_eq(p.farm.kind, PROFILE_FARM_UNCLEAR);
	ck_assert(!profile_farm_sums(&p.farm));
	p.node[1].cpu_left = .5;
	farm_profile_set(&run, NULL, 0, &p);
	ck_assert_int_eq(p.farm.kind, PROFILE_FARM_STATIC);
	/* What they waited for CPUs says that they were as fast. */
	for (int i = 1; i < 4; i++)
		p.node[i].ready_s = .9 - p.node[i].busy_s;
	farm_profile_set(&run, NULL, 0, &p);
	ck_assert_int_eq(p.farm.kind, PROFILE_FARM_UNCLEAR);
}
END_TEST

/* By the clock, on the third node one task took three times as long as the
 * other; the second one was shared. */
START_TEST(test_deviation_of_rounds)
{
	const double tasks[] = { 600, 150, 300, 150 };
	static struct profile_share shares[2];
	static struct profile p;
	struct run run = { .node_list = "n[1-4]" };

	p = (struct profile){ .nodes = 4, .tasks = 4, .node_count = 4 };
	for (uint16_t i = 0; i < 4; i++) {
		p.node[i] =
			(struct profile_node){ .tasks = 1,
					       .busy_s = 3e-3 * tasks[i],
					       .ready_s = i % 2 ? .45 : 0,
					       .cpu_left = i % 2 ? .5 : 1,
					       .cpu_speed = i == 2 ? 2 : 1 };
		if (i == 0)
			continue;
		add_pair(&p, i, 0, tasks[i], 100 * tasks[i]);
		add_pair(&p, 0, i, tasks[i], 100 * tasks[i]);
	}
	p.node[0].busy_s = .1;
	for (int i = 0; i < 2; i++) {
		profile_share_init(&shares[i]);
		strcpy(shares[i].node, i ? "n3" : "n2");
		shares[i].rank_count = 1;
		shares[i].rank[0] =
			(struct profile_rank){ .ranks = 1,
					       .peer = PROFILE_PEER_ROUNDS,
					       .tasks = 100,
					       .tasks_s = .32,
					       .tasks_s2 = 128e-5 };
	}
	farm_profile_set(&run, shares, 2, &p);
	ck_assert_int_eq(p.farm.kind, PROFILE_FARM_DYNAMIC);
	/* 1.6 ms and 4.8 ms, at speed 2; tasks have 3 ms on all, that is 6 on
	 * one. The model divides by the mean speed. */
	ck_assert_double_eq_tol(
		p.farm.sigma_s,
		1.5 * sqrt(3.2e-3 * 3.2e-3 * (300 / 4. + 300) / 600), 1e-9);
	/* It waited for its master, too. */
	shares[1].rank[0].tasks_s = .34;
	farm_profile_set(&run, shares, 2, &p);
	ck_assert_int_eq(p.farm.kind, PROFILE_FARM_DYNAMIC);
	ck_assert(isnan(p.farm.sigma_s));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_sum_of_speeds,
				       test_other_numbers,
				       test_many_tasks,
				       test_long_messages,
				       test_messages_from_runs,
				       test_recorded_beside_others,
				       test_quota,
				       test_workers_that_wait,
				       test_no_farm,
				       test_recognised_by_ranks,
				       test_recognised_by_processes,
				       test_recognised_by_nodes,
				       test_deviation_of_rounds,
				       NULL };

	return suite_run("farm_runtime", tests);
}
