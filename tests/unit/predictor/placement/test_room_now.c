/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_room_now.c - on which nodes a job could start now, and may start ever */
#include <check.h>
#include <math.h>
#include <string.h>

#include "predictor/placement/node_filter.h"
#include "predictor/placement/room_now.h"
#include "predictor/snapshot/snapshot_state.h"
#include "tests/unit/no_memory.h"
#include "tests/unit/suite.h"

#define T 1.7e9

static struct node_facts *facts;
static struct allocations *allocations;
static struct room_now room;
static struct node_demand demand;
static struct named_nodes named;
static struct room_request request;
static struct sp_error err;

static void add(struct node_facts *to, const char *name, uint32_t cpus,
		const char *partitions)
{
	static struct node_properties node;

	memset(&node, 0, sizeof(node));
	strcpy(node.name, name);
	node.cpus = cpus;
	node.memory_mb = cpus * 1000.0;
	strcpy(node.partitions, partitions);
	ck_assert_int_eq(node_facts_add(to, &node, &err), 0);
}

/* n1 and n2 of 8 CPUs, n3 of 16, n4 of which nothing is known; n5 is of another
 * partition. */
static void begin(void)
{
	facts = node_facts_create("tiny");
	add(facts, "n1", 8, "main");
	add(facts, "n2", 8, "main");
	add(facts, "n3", 16, "main");
	add(facts, "n4", 0, "main");
	add(facts, "n5", 8, "gpu");
	ck_assert_int_eq(node_facts_arrange(facts, &err), 0);
	allocations = allocations_create();
	room = (struct room_now){ .facts = NULL };
	demand = (struct node_demand){ .cpus = 1 };
	named = (struct named_nodes){ .strange = false };
	request = (struct room_request){ .demand = &demand,
					 .partition = "main",
					 .named = &named,
					 .nodes = 2,
					 .cpus = 2 };
}

static void end(void)
{
	room_clear(&room);
	room_clear(&room);
	allocations_destroy(allocations);
	node_facts_put(facts);
}

/* A job takes CPUs and 300 MB on nodes from T on, for an hour. */
static void run_start(uint32_t job_id, const char *nodes, uint32_t cpus)
{
	struct run run = { .cluster = "tiny",
			   .job_id = job_id,
			   .cpus = cpus,
			   .memory_mb = 300,
			   .limit_s = 3600,
			   .started_at_s = T,
			   .ended_at_s = NAN,
			   .state = RUN_RUNNING };
	struct hostlist list;

	ck_assert_int_eq(hostlist_expand(nodes, &list, NULL), 0);
	strcpy(run.node_list, nodes);
	run.nodes = (uint32_t)list.count;
	allocations_note(allocations, &run, &list, T);
	hostlist_clear(&list);
}

/* The nodes that are open, as digits, at that time. */
static const char *open_at(double now_s)
{
	static char text[8];
	size_t length = 0;

	ck_assert_int_eq(room_note(&room, allocations, facts, now_s), 0);
	ck_assert_int_eq(room_find(&room, &request), 0);
	for (uint32_t i = 0; i < facts->count; i++)
		if (room.open[i])
			text[length++] = facts->nodes[i].name[1];
	text[length] = '\0';
	return text;
}

START_TEST(test_beside_others)
{
	ck_assert_str_eq(open_at(T), "1234");
	ck_assert(!room.waits);
	ck_assert_uint_eq(room.idle[0], 8);
	ck_assert_uint_eq(room.idle[2], 16);
	ck_assert_uint_eq(room.idle[3], 2); /* as many as it needs */
	run_start(1, "n1", 8);
	run_start(2, "n3", 5);
	ck_assert_str_eq(open_at(T + 1), "234");
	ck_assert_uint_eq(room.idle[2], 11);
	demand.cpus = 12;
	request.nodes = 1;
	ck_assert_str_eq(open_at(T + 1), "34");
	ck_assert(room.waits); /* 11 are idle: once n3 is free it may start */
	ck_assert_uint_eq(room.idle[2], 16);
	demand.cpus = 11;
	ck_assert_str_eq(open_at(T + 1), "3");
	ck_assert(!room.waits);
	/* All CPUs of a job of one node are on that. */
	demand.cpus = 1;
	request.cpus = 9;
	ck_assert_str_eq(open_at(T + 1), "34");
	/* Past the limit of what runs there. */
	request.cpus = 2;
	ck_assert_str_eq(open_at(T + 9000), "1234");
	ck_assert_uint_eq(room.idle[2], 16);
}
END_TEST

START_TEST(test_exclusive_and_memory)
{
	run_start(1, "n[2-3]", 2);
	demand.exclusive = true;
	ck_assert_str_eq(open_at(T + 1), "14");
	demand.exclusive = false;
	demand.memory_mb = 7850; /* 8000 less 150 */
	ck_assert_str_eq(open_at(T + 1), "1234");
	demand.memory_mb = 7851;
	ck_assert_str_eq(open_at(T + 1), "134");
}
END_TEST

/* Too few have room: the job waits, and any may be given to it. */
START_TEST(test_waits)
{
	run_start(1, "n[1-3]", 32);
	request.nodes = 1;
	demand.cpus = 2;
	demand.exclusive = true;
	ck_assert_str_eq(open_at(T + 1), "4");
	ck_assert(!room.waits);
	request.nodes = 2;
	ck_assert_str_eq(open_at(T + 1), "1234");
	ck_assert(room.waits);
	ck_assert_uint_eq(room.idle[0], 8);
}
END_TEST

START_TEST(test_named)
{
	bool excluded[5] = { false, true, false, false, true };
	bool required[5] = { true, false, true, true, false };

	named.excluded = excluded;
	ck_assert_str_eq(open_at(T), "134");
	ck_assert(!room.required[0]);
	named.required = required;
	named.required_count = 3;
	ck_assert_str_eq(open_at(T), "134");
	ck_assert(room.required[0]);
	ck_assert(!room.required[1]);
	ck_assert_uint_eq(room.nodes, 3);
	ck_assert_uint_eq(room_stock(&room).nodes, 3);
	ck_assert(room_stock(&room).taken[3]);
	named.strange = true;
	ck_assert_int_eq(room_find(&room, &request), -1);
	named.strange = false;
	named.required_count = 0;
	request.nodes = 9;
	ck_assert_str_eq(open_at(T), "134");
	ck_assert(room.waits);
	ck_assert_uint_eq(room_stock(&room).nodes, 5); /* all that there are */
	ck_assert_uint_eq(room_stock(&room).cpus, 2);
}
END_TEST

/* Nodes that jobs came to later, and other facts, are looked up anew. */
START_TEST(test_changes)
{
	struct node_facts *others = node_facts_create("tiny");

	ck_assert_str_eq(open_at(T), "1234");

	const bool *kept = room.open;

	run_start(1, "n2", 8);
	ck_assert_str_eq(open_at(T + 1), "134");
	run_start(2, "n1", 8);
	ck_assert_str_eq(open_at(T + 1), "34");
	/* In the memory that there was: a prediction allocates none. */
	ck_assert_ptr_eq(room.open, kept);
	add(others, "n2", 8, "main");
	add(others, "n7", 8, "main");
	add(others, "n1", 16, "main");
	for (int i = 0; i < 20; i++) { /* more than there was memory for */
		char name[8] = "m00";

		name[1] = (char)('0' + i / 10);
		name[2] = (char)('0' + i % 10);
		add(others, name, 4 + (uint32_t)i, "gpu");
	}
	ck_assert_int_eq(node_facts_arrange(others, &err), 0);
	node_facts_put(facts);
	facts = others;
	ck_assert_str_eq(open_at(T + 1), "17");
}
END_TEST

/* --- Nodes of a snapshot -------------------------------------------------- */

/* A snapshot of these nodes, one letter each: "13x" are n1, n3, nx. */
static struct snapshot *snapshot_of(const char *names)
{
	struct snapshot *s = snapshot_create(8, 0, 0);

	for (; *names; names++) {
		char name[3] = { 'n', *names, '\0' };

		strcpy(s->nodes[s->node_count++].name, name);
	}
	ck_assert_int_eq(snapshot_arrange(s), 0);
	return s;
}

/* Which of the nodes are allowed, in Slurm's order, with '-' behind those that
 * are not. */
static const char *allowed(struct node_filter *f, struct snapshot *s,
			   struct node_facts *of)
{
	static char text[16];
	size_t length = 0;
	struct node_filter_request q = { .snapshot = s,
					 .facts = of,
					 .demand = &demand,
					 .partition = "main" };

	ck_assert_int_eq(node_filter_begin(f, &q), 0);
	for (uint32_t i = 0; i < s->node_count; i++) {
		uint32_t node = node_filter_order(f)[i];

		text[length++] = s->nodes[node].name[1];
		if (!node_filter_allows(f, node))
			text[length++] = '-';
	}
	text[length] = '\0';
	return text;
}

START_TEST(test_filter)
{
	struct node_filter *f = node_filter_create();
	struct snapshot *s = snapshot_of("5x321"), *t = snapshot_of("41");

	/* Nothing is known: all are allowed, in the snapshot's order. */
	ck_assert_str_eq(allowed(f, s, NULL), "1235x");
	/* nx is not described, and stands behind. */
	ck_assert_str_eq(allowed(f, s, facts), "1235-x");
	ck_assert_uint_eq(node_filter_node(f, 2), snapshot_node(s, "n3"));
	ck_assert_uint_eq(node_filter_node(f, 3), SNAPSHOT_NONE);
	demand.cpus = 10;
	ck_assert_str_eq(allowed(f, s, facts), "1-2-35-x");
	ck_assert_str_eq(allowed(f, t, facts), "1-4");
	ck_assert_uint_eq(node_filter_node(f, 3), snapshot_node(t, "n4"));
	ck_assert_str_eq(allowed(f, t, NULL), "14");
	node_filter_destroy(f);
	node_filter_destroy(NULL);
	snapshot_put(s);
	snapshot_put(t);
}
END_TEST

/* It is as good as new, and holds neither. */
START_TEST(test_filter_without_memory)
{
	struct node_filter *f = node_filter_create();
	struct snapshot *s = snapshot_of("321");
	struct node_filter_request q = { .snapshot = s,
					 .facts = facts,
					 .partition = "main" };

	for (int n = 1; n <= 4; n++) {
		memory_fails_at(n);
		ck_assert_int_eq(node_filter_begin(f, &q), -1);
		ck_assert(memory_failed());
	}
	ck_assert_str_eq(allowed(f, s, facts), "123");
	node_filter_destroy(f);
	snapshot_put(s);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_beside_others,
		test_exclusive_and_memory,
		test_waits,
		test_named,
		test_changes,
		test_filter,
		test_filter_without_memory,
		NULL,
	};

	return suite_run_each("room_now", tests, begin, end);
}
