/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place.c - the nodes that a job is offered */
#include <stdio.h>

#include "tests/unit/plugin/select/slurmctld_stub.h"

#if SLURM_SOURCE_MISSING
int main(void)
{
	puts("ok place # skipped: no source of Slurm is here");
	return 0;
}
#else
#include <math.h>
#include <string.h>

#include "plugin/select/place.h"
#include "predictor/snapshot/snapshot_state.h"
#include "tests/unit/suite.h"

#define ID      0x0123456789abcdefu
#define ID_TEXT "0123456789abcdef"
#define NODES   6
#define AN_HOUR "predict=" ID_TEXT

static struct place place;
static struct snapshot *snapshot;
static struct stub_job *waiting;
static bitstr_t *may_have;
static struct place_request request;
static struct place_result result;

/* Nodes whose CPUs are that free, and a waiting job of two nodes and two tasks,
 * of which is known that it computes for an hour. */
static void begin(void)
{
	static const float available[NODES] = { 0.5f, 1,    0.25f,
						0.9f, 0.6f, 0.99f };

	place = (struct place){ .room = 0 };
	slurmctld_stub_begin(NODES);
	snapshot = snapshot_create(NODES, 0, 1);
	snapshot->node_count = NODES;
	snapshot->job_count = 1;
	snapshot->jobs[0].id = ID;
	placement_model_from_runtime(2, 2, 3600, &snapshot->jobs[0].model);
	for (int i = 0; i < NODES; i++) {
		struct snapshot_node *node = &snapshot->nodes[i];

		*node = (struct snapshot_node){
			.leaf = SNAPSHOT_NONE,
			.error = 0.01f,
			.load = NAN,
			.speed = 1,
			.memory_mb = NAN,
			.bandwidth_bps = NAN,
			.latency_s = NAN,
		};
		snprintf(node->name, sizeof(node->name), "n%d", i);
		for (int h = 0; h < SNAPSHOT_HORIZONS; h++)
			node->available[h] = available[i];
	}
	ck_assert_int_eq(snapshot_finish(snapshot), 0);
	waiting = slurmctld_stub_job(slurmctld_stub_bits(NODES, ""), 0, 0);
	waiting->job.job_state = JOB_PENDING;
	waiting->job.admin_comment = AN_HOUR ":p50=1h";
	waiting->job.time_limit = NO_VAL;
	waiting->details.num_tasks = 2;
	waiting->details.cpus_per_task = 1;
	waiting->details.pn_min_memory = NO_VAL64;
	may_have = slurmctld_stub_bits(NODES, "012345");
	request = (struct place_request){ .job = &waiting->job,
					  .nodes = may_have,
					  .min_nodes = 2,
					  .max_nodes = 2,
					  .want_nodes = 2 };
}

static void end(void)
{
	place_clear(&place);
	place_clear(&place);
	ck_assert_uint_eq(place.room, 0);
	slurm_bit_free(&may_have);
	slurmctld_stub_end();
	snapshot_put(snapshot);
}

static void available_set(int node, double value)
{
	for (int h = 0; h < SNAPSHOT_HORIZONS; h++)
		snapshot->nodes[node].available[h] = (float)value;
	snapshot->version++;
}

/* The nodes offered, as digits; empty: none, Slurm chooses. */
static const char *offered(void)
{
	const char *text;

	place_choose(&place, snapshot, &request, &result);
	text = slurmctld_stub_text(result.nodes);
	if (result.nodes)
		slurm_bit_free(&result.nodes);
	return text;
}

static void expect(const char *nodes, const char *why)
{
	const char *text = offered();

	ck_assert_msg(!strcmp(text, nodes), "%s: %s, not %s", result.why, text,
		      nodes);
	ck_assert_msg(strstr(result.why, why), "%s: not \"%s\"", result.why,
		      why);
}

START_TEST(test_best)
{
	expect("15", "best 2 of 6 nodes");
	ck_assert(result.known);
	ck_assert_double_eq_tol(result.runtime_s, 3600 / 0.99, 1);
	ck_assert_double_eq_tol(result.stock_s, 7200, 1); /* n0 and n1 */
	ck_assert_uint_eq(result.nodes_best, 0);
	/* Among those that it may have. */
	slurm_bit_free(&may_have);
	request.nodes = may_have = slurmctld_stub_bits(NODES, "0234");
	expect("34", "best 2 of 4 nodes");
}
END_TEST

/* Nothing is known of the job: the nodes are the same, but no time
 * is shown. */
START_TEST(test_no_model)
{
	static const char *const comments[] = {
		NULL,
		"",
		"predict=missed",
		"predict=0123456789abcde",
		"predict=1123456789abcdef",
		ID_TEXT,
	};

	for (size_t i = 0; i < sizeof(comments) / sizeof(comments[0]); i++) {
		waiting->job.admin_comment = (char *)comments[i];
		expect("15", "best 2 of 6 nodes");
		ck_assert(!result.known);
	}
	/* Others write there, too. */
	waiting->job.admin_comment = "predict=0000000000000000,x," AN_HOUR;
	offered();
	ck_assert(result.known);
	snapshot->jobs[0].model.basis = PLACEMENT_CONDITIONS;
	offered();
	ck_assert(!result.known);
}
END_TEST

START_TEST(test_no_choice)
{
	slurm_bit_free(&may_have);
	request.nodes = may_have = slurmctld_stub_bits(NODES, "02");
	expect("", "no choice among 2 nodes");
	slurm_bit_free(&may_have);
	request.nodes = may_have = slurmctld_stub_bits(NODES, "2");
	expect("", "no even share of what is free on 1 nodes");
}
END_TEST

START_TEST(test_unsupported)
{
	waiting->job.bit_flags = SPREAD_JOB;
	expect("", "spread");
	waiting->job.bit_flags = 0;
	waiting->details.expanding_jobid = 7;
	expect("", "expands");
	waiting->details.expanding_jobid = 0;
	expect("15", "best");
}
END_TEST

/* The nodes of the call are not those of the table. */
START_TEST(test_nodes_change)
{
	slurm_bit_free(&may_have);
	request.nodes = may_have = slurmctld_stub_bits(NODES + 1, "012345");
	expect("", "the nodes are changing");
	node_record_count = 0;
	expect("", "the nodes are changing");
	node_record_count = NODES;
	slurm_bit_free(&may_have);
	request.nodes = may_have = slurmctld_stub_bits(NODES, "012345");
	expect("15", "best");
	/* Rebuilt with other names since the last snapshot. */
	slurmctld_stub.records[5].name = "n9";
	expect("", "the nodes of the cluster have changed");
	/* Matched anew: n9 is not known, and counts as the median. */
	expect("13", "best");
}
END_TEST

/* --- Room ----------------------------------------------------------------- */

/* Nodes without a free CPU are no candidates, and used CPUs are shared. */
START_TEST(test_room)
{
	slurmctld_stub_job(slurmctld_stub_bits(NODES, "1"), 8, 0);
	expect("35", "best 2 of 5 nodes");
	waiting->details.whole_node = WHOLE_NODE_REQUIRED;
	slurmctld_stub_job(slurmctld_stub_bits(NODES, "5"), 1, 0);
	cluster_jobs_changed(&place.cluster);
	expect("34", "best 2 of 4 nodes");
	slurm_conf.select_type_param = RELEASE_MEMORY;
	waiting->details.pn_min_memory = 16384;
	slurmctld_stub_job(slurmctld_stub_bits(NODES, "3"), 0, 1);
	cluster_jobs_changed(&place.cluster);
	expect("04", "best 2 of 3 nodes");
}
END_TEST

/* Six tasks on two nodes: each must have room for three. */
START_TEST(test_even_share)
{
	waiting->details.num_tasks = 6;
	slurmctld_stub_job(slurmctld_stub_bits(NODES, "15"), 6, 0);
	slurmctld_stub_job(slurmctld_stub_bits(NODES, "3"), 5, 0);
	expect("34", "best 2 of 4 nodes");
	waiting->details.num_tasks = 8;
	expect("04", "best 2 of 3 nodes");
}
END_TEST

/* Nodes that the user names are in the set, whatever is free there. */
START_TEST(test_required)
{
	waiting->details.req_node_bitmap = slurmctld_stub_bits(NODES, "2");
	slurmctld_stub_job(slurmctld_stub_bits(NODES, "2"), 8, 0);
	/* Nothing makes up for the slow one: any other node is as good. */
	expect("", "all of 6 nodes are as good");
	slurmctld_stub.jobs_count--;
	slurm_bit_free(&slurmctld_stub.jobs[1].resources.node_bitmap);
	available_set(2, 0.7);
	expect("12", "best 2 of 6 nodes");
	/* The first one that Slurm would take is fast enough, n4 is not. */
	available_set(0, 0.8);
	expect("01235", "5 of 6 nodes are as good");
	slurm_bit_free(&waiting->details.req_node_bitmap);
	waiting->details.req_node_bitmap = slurmctld_stub_bits(NODES, "02");
	expect("", "there is no choice");
	slurm_bit_free(&waiting->details.req_node_bitmap);
}
END_TEST

/* --- Equal nodes ---------------------------------------------------------- */

START_TEST(test_equals)
{
	for (int i = 0; i < NODES; i++)
		available_set(i, 0.9);
	expect("", "all of 6 nodes are as good");
	available_set(4, 0.3);
	expect("01235", "5 of 6 nodes are as good");
	/* Within the error of forecasts. */
	available_set(4, 0.89);
	expect("", "all of 6 nodes are as good");
	/* A node that Slurm would take first is slow. */
	available_set(0, 0.3);
	expect("12", "best 2 of 6 nodes");
}
END_TEST

/* --- Generic resources ---------------------------------------------------- */

START_TEST(test_gres)
{
	static char any; /* its address: a list that is not looked into */

	waiting->job.gres_list_req = (void *)&any;
	waiting->job.tres_per_node = "gres:gpu:2";
	expect("", "no even share");
	for (int i = 0; i < 5; i++)
		slurmctld_stub.configs[i].gres = "gpu:tesla:4,license:2";
	expect("13", "best 2 of 5 nodes");
	waiting->job.tres_per_job = "gres/gpu:tesla:2,gres:license";
	expect("13", "best 2 of 5 nodes");
	slurmctld_stub.configs[1].gres = "gpu:4";
	expect("34", "best 2 of 4 nodes");
	waiting->job.tres_per_job = NULL;
	waiting->job.tres_per_socket = "gres:fpga";
	expect("", "no even share");
	waiting->job.tres_per_socket = NULL;
	waiting->job.tres_per_task = "gres:fpga:1";
	expect("", "no even share");
}
END_TEST

/* Where resources are in use only Slurm knows whether there is room: such nodes
 * are offered beside the chosen ones, unless they are slower than these. */
START_TEST(test_gres_in_use)
{
	static char any;

	waiting->job.gres_list_req = (void *)&any;
	waiting->job.tres_per_node = "gres:gpu:2";
	for (int i = 0; i < NODES; i++)
		slurmctld_stub.configs[i].gres = "gpu:4";
	slurmctld_stub_job(slurmctld_stub_bits(NODES, "12"), 0, 0)
		->job.gres_list_alloc = (void *)&any;
	expect("135", "best 2 of 4 nodes, and nodes that may have room");
	/* Not if it is another node by now. */
	slurmctld_stub.records[1].name = "n9";
	expect("35", "best 2 of 4 nodes");
	slurmctld_stub.records[1].name = "n1";
	/* Where the user names it, it is in. */
	waiting->details.req_node_bitmap = slurmctld_stub_bits(NODES, "1");
	expect("15", "best 2 of 5 nodes");
	slurm_bit_free(&waiting->details.req_node_bitmap);
}
END_TEST

/* --- The number of nodes -------------------------------------------------- */

/* 4000 s by the number of nodes, and 100 s for each node: on 6 it is least. */
static void curve_begin(const struct moldable_goal *goal)
{
	struct placement_curve *curve = &snapshot->jobs[0].model.curve;

	*curve = (struct placement_curve){ .from = 1,
					   .reach = 6,
					   .c_s = { 0, 4000, 0, 100 } };
	request.goal = goal;
	request.min_nodes = 1;
	request.max_nodes = request.want_nodes = 5;
	waiting->details.num_tasks = 0;
}

START_TEST(test_number)
{
	const struct moldable_goal goal = { .aim = MOLDABLE_TIME };

	curve_begin(&goal);
	offered();
	ck_assert_uint_eq(result.nodes_best, 5);
	/* No more than the job has tasks. */
	waiting->details.num_tasks = 3;
	expect("135", "best 3 of 6 nodes");
	ck_assert_uint_eq(result.nodes_best, 3);
	/* No fewer than its tasks need, with what is free. */
	waiting->details.num_tasks = 26;
	offered();
	ck_assert_uint_eq(result.nodes_best, 5);
	/* A fixed number, no goal, no model, or no curve. */
	waiting->details.num_tasks = 3;
	request.min_nodes = 5;
	offered();
	ck_assert_uint_eq(result.nodes_best, 0);
	request.min_nodes = 1;
	request.goal = NULL;
	offered();
	ck_assert_uint_eq(result.nodes_best, 0);
	request.goal = &goal;
	snapshot->jobs[0].model.curve.reach = 0;
	offered();
	ck_assert_uint_eq(result.nodes_best, 0);
	snapshot->jobs[0].model.curve.reach = 6;
	waiting->job.admin_comment = NULL;
	offered();
	ck_assert_uint_eq(result.nodes_best, 0);
}
END_TEST

/* On few nodes it would not end by its limit. */
START_TEST(test_number_by_limit)
{
	const struct moldable_goal goal = { .aim = MOLDABLE_EFFICIENCY,
					    .efficiency = 0.99 };
	part_record_t part = { .max_time = 40 };

	curve_begin(&goal);
	offered();
	ck_assert_uint_eq(result.nodes_best, 1);
	/* 44 minutes on 2 nodes with the room that a limit needs, 32.7 on 3. */
	waiting->job.time_limit = 45;
	snapshot->jobs[0].model.horizon_s = 0;
	offered();
	ck_assert_uint_eq(result.nodes_best, 2);
	waiting->job.time_limit = 40;
	offered();
	ck_assert_uint_eq(result.nodes_best, 3);
	/* The least time that it takes counts, then the partition's. */
	waiting->job.time_limit = 100;
	waiting->job.time_min = 40;
	offered();
	ck_assert_uint_eq(result.nodes_best, 3);
	waiting->job.time_min = 0;
	waiting->job.time_limit = NO_VAL;
	waiting->job.part_ptr = &part;
	offered();
	ck_assert_uint_eq(result.nodes_best, 3);
	part.max_time = INFINITE;
	offered();
	ck_assert_uint_eq(result.nodes_best, 1);
	/* It is predicted to run twice as long as by the curve: 90 for 45. */
	waiting->job.time_limit = 90;
	snapshot->jobs[0].model.horizon_s = 2 * 2200;
	offered();
	ck_assert_uint_eq(result.nodes_best, 2);
	waiting->job.time_limit = 80;
	offered();
	ck_assert_uint_eq(result.nodes_best, 3);
}
END_TEST

/* --- Switches ------------------------------------------------------------- */

START_TEST(test_leaves)
{
#if RELEASE_HAS_SWITCHES
	switch_record_t switches[2] = {
		{ .level = 0,
		  .node_bitmap = slurmctld_stub_bits(NODES, "012") },
		{ .level = 0,
		  .node_bitmap = slurmctld_stub_bits(NODES, "345") },
	};

	switch_record_table = switches;
	switch_record_cnt = 2;
	snapshot->version++;
	waiting->job.req_switch = 1;
	expect("35", "best 2 of 6 nodes");
	waiting->job.req_switch = 2;
	expect("15", "best 2 of 6 nodes");
	slurm_bit_free(&switches[0].node_bitmap);
	slurm_bit_free(&switches[1].node_bitmap);
#else
	waiting->job.req_switch = 1;
	expect("", "the switches of some nodes are not known");
#endif
}
END_TEST

START_TEST(test_contiguous)
{
	waiting->details.contiguous = 1;
	expect("34", "best 2 of 6 nodes");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_best,
		test_no_model,
		test_no_choice,
		test_unsupported,
		test_nodes_change,
		test_room,
		test_even_share,
		test_required,
		test_equals,
		test_gres,
		test_gres_in_use,
		test_number,
		test_number_by_limit,
		test_leaves,
		test_contiguous,
		NULL,
	};

	return suite_run_each("place", tests, begin, end);
}
#endif
