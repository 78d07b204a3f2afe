/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cluster.c - slurmctld's nodes, their place in a snapshot, what
 * is free */
#include <stdio.h>

#include "tests/unit/plugin/select/slurmctld_stub.h"

#if SLURM_SOURCE_MISSING
int main(void)
{
	puts("ok cluster # skipped: no source of Slurm is here");
	return 0;
}
#else
#include <string.h>

#include "plugin/select/cluster.h"
#include "plugin/select/wanted_size.h"
#include "predictor/base/clock.h"
#include "predictor/snapshot/snapshot_state.h"
#include "tests/unit/suite.h"

#define MANY_NODES (8 << 20)

static struct cluster cluster;
static struct snapshot *snapshot;

/* Let malloc() return NULL for more than the tests need. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1:max_allocation_size_mb=64";
}

/* A snapshot of the nodes n0, n1, ... with these leaves; '-' is none. */
static struct snapshot *snapshot_of(const char *leaves)
{
	uint32_t count = (uint32_t)strlen(leaves);
	struct snapshot *s = snapshot_create(count, 4, 4);

	ck_assert_ptr_nonnull(s);
	s->node_count = count;
	s->epoch = 9;
	s->version = 1;
	for (uint32_t i = 0; i < count; i++) {
		snprintf(s->nodes[i].name, sizeof(s->nodes[i].name), "n%u", i);
		s->nodes[i].leaf = leaves[i] == '-'
					   ? SNAPSHOT_NONE
					   : (uint32_t)(leaves[i] - '0');
		if (leaves[i] != '-' && s->nodes[i].leaf >= s->leaf_count)
			s->leaf_count = s->nodes[i].leaf + 1;
	}
	return s;
}

static void begin(void)
{
	cluster = (struct cluster){ .count = 0 };
	slurmctld_stub_begin(4);
	snapshot = snapshot_of("----");
}

static void end(void)
{
	cluster_clear(&cluster);
	cluster_clear(&cluster);
	ck_assert_uint_eq(cluster.room, 0);
	slurmctld_stub_end();
	snapshot_put(snapshot);
}

static void update(void)
{
	ck_assert_int_eq(cluster_update(&cluster, snapshot), 0);
}

/* The nodes' places in Slurm's order, as digits. */
static const char *order_text(void)
{
	static char text[STUB_NODES_MAX + 1];

	for (uint32_t i = 0; i < cluster.there; i++)
		text[i] = (char)('0' + cluster.order[i]);
	text[cluster.there] = '\0';
	return text;
}

static void expect_room(uint32_t place, bool whole, uint32_t cpus,
			uint64_t memory_mb)
{
	struct node_room room = { 77, 77 };

	cluster_room(&cluster, place, whole, &room);
	ck_assert_uint_eq(room.cpus, cpus);
	ck_assert_uint_eq(room.memory_mb, memory_mb);
}

START_TEST(test_no_nodes)
{
	node_record_count = 0;
	ck_assert_int_eq(cluster_update(&cluster, snapshot), -1);
	node_record_count = 4;
	node_record_table_ptr = NULL; /* a client that loads the plugin */
	ck_assert_int_eq(cluster_update(&cluster, snapshot), -1);
}
END_TEST

/* Without memory for its nodes nothing is known of the cluster. */
START_TEST(test_no_memory)
{
	update();
	node_record_count = MANY_NODES;
	ck_assert_int_eq(cluster_update(&cluster, snapshot), -1);
	ck_assert_uint_eq(cluster.count, 0);
	node_record_count = 4;
	update();
	ck_assert_uint_eq(cluster.there, 4);
}
END_TEST

/* Nodes by name; the table of slurmctld may have gaps. */
START_TEST(test_matches_names)
{
	slurmctld_stub.nodes[1] = NULL;
	slurmctld_stub.records[2].name = "other";
	slurmctld_stub.records[3].cpus_efctv = 6;
	update();
	ck_assert_uint_eq(cluster.count, 4);
	ck_assert_str_eq(order_text(), "023");
	ck_assert_uint_eq(cluster.nodes[0].known, 0);
	ck_assert(!cluster.nodes[1].there);
	ck_assert_uint_eq(cluster.nodes[2].known, SNAPSHOT_NONE);
	ck_assert_uint_eq(cluster.nodes[3].known, 3);
	ck_assert_uint_eq(cluster.nodes[0].cpus, 8);
	ck_assert_uint_eq(cluster.nodes[3].cpus, 6);
	slurmctld_stub.records[0].name = NULL;
	slurmctld_stub.records[3].config_ptr = NULL;
	snapshot->version++;
	update();
	ck_assert_str_eq(order_text(), "2");
}
END_TEST

/* Slurm takes nodes of a low weight first, and of the same weight in
 * their order. */
START_TEST(test_order)
{
	slurmctld_stub.configs[0].weight = 7;
	slurmctld_stub.configs[1].weight = UINT32_MAX;
	slurmctld_stub.configs[2].weight = 7;
	slurmctld_stub.configs[3].weight = 2;
	update();
	ck_assert_str_eq(order_text(), "3021");
}
END_TEST

/* Matched again for another snapshot, another predictd, or other nodes. */
START_TEST(test_matches_again)
{
	update();
	slurmctld_stub.records[1].name = "other";
	update();
	ck_assert_uint_eq(cluster.nodes[1].known, 1);
	snapshot->version++;
	update();
	ck_assert_uint_eq(cluster.nodes[1].known, SNAPSHOT_NONE);
	slurmctld_stub.records[2].name = "another";
	snapshot->epoch++;
	update();
	ck_assert_uint_eq(cluster.nodes[2].known, SNAPSHOT_NONE);
	node_record_count = 2;
	update();
	ck_assert_str_eq(order_text(), "01");
}
END_TEST

/* --- What jobs use -------------------------------------------------------- */

START_TEST(test_room)
{
	struct stub_job *running =
		slurmctld_stub_job(slurmctld_stub_bits(4, "13"), 3, 1000);
	struct stub_job *suspended =
		slurmctld_stub_job(slurmctld_stub_bits(4, "3"), 4, 2000);

	running->cpus[1] = 5;
	suspended->job.job_state = JOB_SUSPENDED;
	slurmctld_stub.records[1].mem_spec_limit = 384;
	update();
	expect_room(0, true, 8, 16384);
	expect_room(1, false, 5, 15000);
	expect_room(1, true, 0, 0);
	/* A suspended job keeps its memory only. */
	expect_room(3, false, 3, 13384);
	/* All CPUs, or all memory. */
	running->cpus[0] = 8;
	cluster_jobs_changed(&cluster);
	update();
	expect_room(1, false, 0, 0);
	running->cpus[0] = 7;
	running->memory_mb[0] = 16000;
	cluster_jobs_changed(&cluster);
	update();
	expect_room(1, false, 1, 0);
	slurmctld_stub.nodes[0] = NULL; /* removed since */
	expect_room(0, false, 0, 0);
}
END_TEST

/* Jobs that have nothing, or not here any more. */
START_TEST(test_jobs_that_do_not_count)
{
	struct stub_job *job[5];

	for (int i = 0; i < 5; i++)
		job[i] = slurmctld_stub_job(slurmctld_stub_bits(4, "0"), 1, 0);
	job[0]->job.job_state = JOB_PENDING;
	job[1]->job.job_state = JOB_COMPLETE;
	job[2]->job.job_resrcs = NULL;
	job[3]->resources.cpus = NULL;
	job[4]->resources.nhosts = 0;
	update();
	expect_room(0, false, 8, 16384);
	ck_assert(!cluster.nodes[0].used_gres);
	job[4]->resources.nhosts = 1;
	job[4]->resources.memory_allocated = NULL;
	job[4]->job.gres_list_alloc = (void *)job;
	cluster_jobs_changed(&cluster);
	update();
	expect_room(0, false, 7, 16384);
	ck_assert(cluster.nodes[0].used_gres);
	ck_assert(!cluster.nodes[1].used_gres);
}
END_TEST

/* A job's bitmap of a larger cluster, of which nodes were removed since, or one
 * that has fewer nodes than the job says. */
START_TEST(test_bounds)
{
	slurmctld_stub_job(slurmctld_stub_bits(6, "345"), 2, 10);
	slurmctld_stub_job(slurmctld_stub_bits(4, "0"), 1, 0)
		->resources.nhosts = 3;
	slurmctld_stub_job(slurmctld_stub_bits(2, ""), 1, 0)->resources.nhosts =
		1;
	update();
	expect_room(0, false, 7, 16384);
	expect_room(1, false, 8, 16384);
	expect_room(3, false, 6, 16374);
}
END_TEST

/* Counted once for each change, and in any case after some seconds. */
START_TEST(test_counts_anew)
{
	update();
	update();
	ck_assert_int_eq(slurmctld_stub.counted, 1);
	cluster_jobs_changed(&cluster);
	update();
	ck_assert_int_eq(slurmctld_stub.counted, 2);
	cluster.counted_s = clock_monotonic_s() - 4;
	update();
	ck_assert_int_eq(slurmctld_stub.counted, 2);
	cluster.counted_s = clock_monotonic_s() - 5.5;
	update();
	ck_assert_int_eq(slurmctld_stub.counted, 3);
	snapshot->version++;
	update();
	ck_assert_int_eq(slurmctld_stub.counted, 4);
}
END_TEST

START_TEST(test_is)
{
	slurmctld_stub.records[2].name = "other";
	update();
	ck_assert(cluster_is(&cluster, 1, snapshot));
	ck_assert(cluster_is(&cluster, 2, snapshot)); /* not in it */
	slurmctld_stub.records[1].name = "renamed";
	ck_assert(!cluster_is(&cluster, 1, snapshot));
	slurmctld_stub.records[1].name = NULL;
	ck_assert(!cluster_is(&cluster, 1, snapshot));
	slurmctld_stub.nodes[0] = NULL;
	ck_assert(!cluster_is(&cluster, 0, snapshot));
	snapshot->node_count = 3; /* another snapshot, which has fewer */
	ck_assert(!cluster_is(&cluster, 3, snapshot));
}
END_TEST

/* --- Leaf switches -------------------------------------------------------- */

#if RELEASE_HAS_SWITCHES
static void leaves_expect(const char *expected)
{
	char text[STUB_NODES_MAX + 1] = "";

	for (uint32_t i = 0; i < cluster.count; i++)
		text[i] = cluster.nodes[i].leaf == SNAPSHOT_NONE
				  ? '-'
				  : (char)('0' + cluster.nodes[i].leaf);
	ck_assert_str_eq(text, expected);
}

/* Numbers are the snapshot's where it knows a switch, else others. */
START_TEST(test_leaves)
{
	switch_record_t switches[4] = {
		{ .level = 0, .node_bitmap = slurmctld_stub_bits(4, "2") },
		{ .level = 1, .node_bitmap = slurmctld_stub_bits(4, "0123") },
		{ .level = 0, .node_bitmap = slurmctld_stub_bits(4, "01") },
		{ .level = 0 },
	};

	update();
	leaves_expect("----");
	switch_record_table = switches;
	switch_record_cnt = 4;
	snapshot_put(snapshot);
	snapshot = snapshot_of("-11-");
	snapshot->version = 2;
	update();
	/* The snapshot has n1 and n2 on one switch, Slurm has not: the second
	 * to have that number gets another one. */
	leaves_expect("221-");
	snapshot_put(snapshot);
	snapshot = snapshot_of("10--");
	snapshot->version = 3;
	update();
	leaves_expect("112-");
	/* A bitmap of a smaller cluster. */
	switch_record_cnt = 1;
	slurm_bit_free(&switches[0].node_bitmap);
	switches[0].node_bitmap = slurmctld_stub_bits(1, "0");
	snapshot->version = 4;
	update();
	leaves_expect("1---");
	for (int i = 0; i < 3; i++)
		slurm_bit_free(&switches[i].node_bitmap);
}
END_TEST
#else
START_TEST(test_leaves)
{
	snapshot_put(snapshot);
	snapshot = snapshot_of("-11-");
	update();
	ck_assert_uint_eq(cluster.nodes[0].leaf, SNAPSHOT_NONE);
	ck_assert_uint_eq(cluster.nodes[1].leaf, 1);
}
END_TEST
#endif

/* --- The size that a job wants -------------------------------------------- */

static void nothing_given(struct stub_job *j)
{
	j->details.num_tasks = NO_VAL;
	j->details.ntasks_per_node = NO_VAL16;
	j->details.cpus_per_task = NO_VAL16;
	j->details.min_cpus = NO_VAL;
	j->details.pn_min_cpus = NO_VAL;
	j->details.pn_min_memory = NO_VAL64;
	j->details.task_dist = NO_VAL;
	j->job.req_switch = NO_VAL;
}

START_TEST(test_wanted_size)
{
	struct stub_job *j =
		slurmctld_stub_job(slurmctld_stub_bits(4, ""), 0, 0);
	part_record_t part = { .max_share = 1 };
	struct job_size size;

	slurm_conf.select_type_param = RELEASE_MEMORY;
	nothing_given(j);
	wanted_size(&j->job, &size);
	ck_assert_uint_eq(size.tasks, 0);
	ck_assert_uint_eq(size.tasks_per_node, 0);
	ck_assert_uint_eq(size.cpus_per_task, 0);
	ck_assert_uint_eq(size.cpus_min, 0);
	ck_assert_double_eq(size.memory_per_node_mb, 0);
	ck_assert(!size.exclusive);
	ck_assert(!size.overcommit);
	ck_assert_uint_eq(wanted_leaves(&j->job), 0);
	j->details.num_tasks = 5;
	j->details.ntasks_per_node = 2;
	j->details.cpus_per_task = 3;
	j->details.min_cpus = 15;
	j->details.pn_min_cpus = 4;
	j->details.pn_min_memory = 700;
	j->details.overcommit = 1;
	j->job.req_switch = 2;
	j->job.part_ptr = &part;
	wanted_size(&j->job, &size);
	ck_assert_uint_eq(size.tasks, 5);
	ck_assert_uint_eq(size.tasks_per_node, 2);
	ck_assert_uint_eq(size.cpus_per_task, 3);
	ck_assert_uint_eq(size.cpus_min, 15);
	ck_assert_uint_eq(size.cpus_per_node_min, 4);
	ck_assert_double_eq(size.memory_per_node_mb, 700);
	ck_assert(!size.exclusive);
	ck_assert(size.overcommit);
	ck_assert_uint_eq(wanted_leaves(&j->job), 2);
	j->details.pn_min_memory = 70 | MEM_PER_CPU;
	wanted_size(&j->job, &size);
	ck_assert_double_eq(size.memory_per_cpu_mb, 70);
	ck_assert_double_eq(size.memory_per_node_mb, 0);
	/* Memory is no resource there, and whole nodes are by either. */
	slurm_conf.select_type_param = 0;
	part.max_share = 0;
	wanted_size(&j->job, &size);
	ck_assert_double_eq(size.memory_per_cpu_mb, 0);
	ck_assert(size.exclusive);
	part.max_share = 1;
	j->details.whole_node = WHOLE_NODE_REQUIRED;
	wanted_size(&j->job, &size);
	ck_assert(size.exclusive);
}
END_TEST

/* Whether ranks go to nodes in blocks of the same size. */
START_TEST(test_blocks)
{
	struct stub_job *j =
		slurmctld_stub_job(slurmctld_stub_bits(4, ""), 0, 0);
	struct job_size size = { .tasks = 6 };

	nothing_given(j);
	ck_assert(wanted_in_blocks(&j->job, &size, 2));
	j->details.task_dist = SLURM_DIST_BLOCK;
	ck_assert(wanted_in_blocks(&j->job, &size, 2));
	j->details.task_dist = SLURM_DIST_CYCLIC;
	ck_assert(!wanted_in_blocks(&j->job, &size, 2));
	j->details.task_dist = SLURM_DIST_UNKNOWN;
	/* On whole nodes the first ones get more, unless the job says
	 * how many. */
	size.exclusive = true;
	ck_assert(!wanted_in_blocks(&j->job, &size, 2));
	ck_assert(wanted_in_blocks(&j->job, &size, 6));
	size.tasks_per_node = 3;
	ck_assert(wanted_in_blocks(&j->job, &size, 2));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_no_nodes,
		test_no_memory,
		test_matches_names,
		test_order,
		test_matches_again,
		test_room,
		test_jobs_that_do_not_count,
		test_bounds,
		test_counts_anew,
		test_is,
		test_leaves,
		test_wanted_size,
		test_blocks,
		NULL,
	};

	return suite_run_each("cluster", tests, begin, end);
}
#endif
