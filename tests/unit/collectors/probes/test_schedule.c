/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_schedule.c - no two probes disturb each other, and all come round */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/probes/schedule.h"
#include "tests/unit/suite.h"

static struct sp_error err;

static struct schedule *make(const char *nodes, const char *topology)
{
	struct hostlist list;
	struct topology tree = { 0 };
	struct schedule *s;

	ck_assert_msg(!hostlist_expand(nodes, &list, &err), "%s", err.text);
	if (topology)
		ck_assert_msg(!topology_parse(topology, strlen(topology), &tree,
					      &err),
			      "%s", err.text);
	s = schedule_create(&list, topology ? &tree : NULL, &err);
	ck_assert_msg(s != NULL, "%s", err.text);
	hostlist_clear(&list);
	topology_clear(&tree);
	return s;
}

/* A slot in which both ends agree, one begins, and nobody is in two probes. The
 * number of probes. */
static size_t check_slot(const struct schedule *s, uint64_t slot)
{
	size_t begun = 0, answered = 0;

	for (size_t i = 0; i < schedule_count(s); i++) {
		struct schedule_turn mine, theirs;

		if (!schedule_turn(s, i, slot, &mine))
			continue;
		ck_assert_uint_ne(mine.partner, i);
		ck_assert(schedule_turn(s, mine.partner, slot, &theirs));
		ck_assert_uint_eq(theirs.partner, i);
		ck_assert_int_ne(mine.begins, theirs.begins);
		mine.begins ? begun++ : answered++;
	}
	ck_assert_uint_eq(begun, answered);
	return begun;
}

/* Slots since the epoch are large numbers. */
#define NOW 1188000017ULL

START_TEST(test_all_pairs_of_a_few_nodes)
{
	static const struct {
		const char *nodes;
		size_t count;
		uint64_t period;
	} cases[] = { { "n[1-2]", 2, 1 },
		      { "n[1-3]", 3, 3 },
		      { "n[1-8]", 8, 7 },
		      { "n[1-9]", 9, 9 },
		      { "n[1-32]", 32, 31 } };

	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		struct schedule *s = make(cases[c].nodes, NULL);
		size_t n = cases[c].count;
		int met[32][32] = { { 0 } };

		for (uint64_t t = 0; t < cases[c].period; t++) {
			check_slot(s, NOW + t);
			for (size_t i = 0; i < n; i++) {
				struct schedule_turn turn;

				if (schedule_turn(s, i, NOW + t, &turn))
					met[i][turn.partner]++;
			}
		}
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				ck_assert_int_eq(met[i][j], i != j);
		schedule_destroy(s);
	}
}
END_TEST

START_TEST(test_nobody_to_probe)
{
	struct schedule_turn turn;
	struct schedule *s = make("n1", NULL);

	ck_assert(!schedule_turn(s, 0, NOW, &turn));
	ck_assert(!schedule_turn(s, 7, NOW, &turn));
	ck_assert_uint_eq(schedule_levels(s), 0);
	schedule_destroy(s);

	struct hostlist empty = { 0 };

	s = schedule_create(&empty, NULL, &err);
	ck_assert_uint_eq(schedule_count(s), 0);
	ck_assert_uint_eq(schedule_find(s, "n1"), SIZE_MAX);
	ck_assert(!schedule_turn(s, 0, NOW, &turn));
	schedule_destroy(s);
}
END_TEST

START_TEST(test_order_of_the_list_does_not_matter)
{
	struct schedule *a = make("n[1-7],m3", NULL);
	struct schedule *b = make("n3,m3,n[5-7],n[1-2],n4,n3", NULL);

	ck_assert_uint_eq(schedule_count(a), 8);
	ck_assert_uint_eq(schedule_count(b), 8);
	for (size_t i = 0; i < 8; i++) {
		struct schedule_turn x, y;

		ck_assert_str_eq(schedule_name(a, i), schedule_name(b, i));
		ck_assert_uint_eq(schedule_find(a, schedule_name(a, i)), i);
		ck_assert(schedule_turn(a, i, NOW, &x));
		ck_assert(schedule_turn(b, i, NOW, &y));
		ck_assert_uint_eq(x.partner, y.partner);
	}
	schedule_destroy(a);
	schedule_destroy(b);
}
END_TEST

/* A tree of switches over 10,000 nodes, as scontrol prints it: 278 leaves of 36
 * nodes, the last smaller, in 12 pods below a core. */
#define LEAF_SIZE 36
#define POD_SIZE  24
#define NODES     10000
#define LEAVES    ((NODES + LEAF_SIZE - 1) / LEAF_SIZE)
#define PODS      ((LEAVES + POD_SIZE - 1) / POD_SIZE)

static char *large_topology(void)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (int i = 0; i < LEAVES; i++)
		fprintf(f,
			"SwitchName=leaf%d Level=0 LinkSpeed=1 "
			"Nodes=n[%d-%d]\n",
			i, i * LEAF_SIZE + 1,
			i == LEAVES - 1 ? NODES : (i + 1) * LEAF_SIZE);
	for (int i = 0; i < PODS; i++)
		fprintf(f,
			"SwitchName=pod%d Level=1 LinkSpeed=1 Nodes=n[1-9] "
			"Switches=leaf[%d-%d]\n",
			i, i * POD_SIZE,
			i == PODS - 1 ? LEAVES - 1 : (i + 1) * POD_SIZE - 1);
	fprintf(f, "SwitchName=core Level=2 LinkSpeed=1 Switches=pod[0-%d]\n",
		PODS - 1);
	fclose(f);
	return text;
}

static int leaf_of(const struct schedule *s, size_t node)
{
	return (atoi(schedule_name(s, node) + 1) - 1) / LEAF_SIZE;
}

static bool is_new(uint8_t *seen, size_t bit)
{
	bool fresh = !(seen[bit / 8] & (1 << bit % 8));

	seen[bit / 8] |= (uint8_t)(1 << bit % 8);
	return fresh;
}

/* In each slot no uplink of a leaf or a pod is in two probes; within a period
 * all pairs on a leaf have met, all leaves of a pod, and all pods. */
START_TEST(test_ten_thousand_nodes)
{
	char *topology = large_topology();
	struct schedule *s = make("n[1-10000]", topology);
	struct schedule_level level;
	uint64_t period = 0;
	uint8_t *met = calloc((size_t)NODES * NODES / 8 + 1, 1);
	static uint8_t leaves[LEAVES * LEAVES / 8 + 1];
	static uint8_t pods[PODS * PODS / 8 + 1];
	size_t near = 0, across = 0, far = 0, want = 0;

	free(topology);
	ck_assert_uint_eq(schedule_levels(s), 3);
	for (size_t i = 0; i < 3; i++) {
		schedule_level(s, i, &level);
		if (level.period > period)
			period = level.period;
	}
	ck_assert_uint_eq(period, 3 * 35);
	for (uint64_t t = 0; t < period; t++) {
		int up[LEAVES] = { 0 }, pod_up[PODS] = { 0 };

		check_slot(s, NOW + t);
		for (size_t i = 0; i < NODES; i++) {
			struct schedule_turn turn;

			if (!schedule_turn(s, i, NOW + t, &turn))
				continue;

			int a = leaf_of(s, i), b = leaf_of(s, turn.partner);
			int p = a / POD_SIZE, q = b / POD_SIZE;

			up[a] += a != b;
			pod_up[p] += p != q;
			if (a == b)
				near += is_new(met, i * NODES + turn.partner);
			else if (p == q)
				across += is_new(leaves,
						 (size_t)(a * LEAVES + b));
			else
				far += is_new(pods, (size_t)(p * PODS + q));
		}
		for (int i = 0; i < LEAVES; i++)
			ck_assert_int_le(up[i], 1);
		for (int i = 0; i < PODS; i++)
			ck_assert_int_le(pod_up[i], 1);
	}
	schedule_level(s, 0, &level);
	ck_assert_uint_eq(near, 2 * level.pairs);
	for (int i = 0; i < PODS; i++) {
		int in = i == PODS - 1 ? LEAVES - i * POD_SIZE : POD_SIZE;

		want += (size_t)(in * (in - 1));
	}
	ck_assert_uint_eq(across, want);
	ck_assert_uint_eq(far, PODS * (PODS - 1));
	free(met);
	schedule_destroy(s);
}
END_TEST

/* What a node does per slot does not grow, and the levels hardly. */
START_TEST(test_cost_of_a_flat_cluster)
{
	static const struct {
		const char *nodes;
		size_t levels;
	} cases[] = {
		{ "n[1-32]", 1 },    { "n[1-33]", 2 },    { "n[1-1000]", 2 },
		{ "n[1-10000]", 3 }, { "n[1-60000]", 4 },
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		struct schedule *s = make(cases[c].nodes, NULL);

		ck_assert_uint_eq(schedule_levels(s), cases[c].levels);
		for (uint64_t t = 0; t < cases[c].levels; t++)
			check_slot(s, NOW + t);
		schedule_destroy(s);
	}
}
END_TEST

/* In time every node represents its leaf, and all pairs of two leaves meet. */
START_TEST(test_representatives_take_turns)
{
	struct schedule *s =
		make("a[1-3],b[1-4],c", "SwitchName=s1 Nodes=a[1-3]\n"
					"SwitchName=s2 Nodes=b[1-4] # four\n"
					"SwitchName=top Switches=s[1-2]\n");
	int met[8][8] = { { 0 } };

	ck_assert_uint_eq(schedule_levels(s), 3);
	for (uint64_t t = 0; t < 2ULL * 3 * 4 * 3 * 4; t++) {
		check_slot(s, t);
		for (size_t i = 0; i < 8; i++) {
			struct schedule_turn turn;

			if (schedule_turn(s, i, t, &turn))
				met[i][turn.partner]++;
		}
	}
	for (size_t i = 0; i < 8; i++)
		for (size_t j = 0; j < 8; j++)
			ck_assert_msg((met[i][j] > 0) == (i != j),
				      "%s and %s met %d times",
				      schedule_name(s, i), schedule_name(s, j),
				      met[i][j]);
	schedule_destroy(s);
}
END_TEST

/* Levels may be of any depth, switches empty, nodes unknown. */
START_TEST(test_crooked_tree)
{
	struct schedule *s = make("a[1-70],b[1-2],d1,x[1-40]",
				  "SwitchName=big Nodes=a[1-70],gone[1-5]\n"
				  "SwitchName=small Nodes=b[1-2]\n"
				  "SwitchName=none Nodes=gone[6-9]\n"
				  "SwitchName=one Nodes=d1\n"
				  "SwitchName=mid Switches=small,none\n"
				  "SwitchName=top Switches=mid,big\n"
				  "SwitchName=other Switches=one\n");

	ck_assert_uint_eq(schedule_count(s), 113);
	for (uint64_t t = 0; t < 1000; t++)
		check_slot(s, NOW + t);
	schedule_destroy(s);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_all_pairs_of_a_few_nodes,
		test_nobody_to_probe,
		test_order_of_the_list_does_not_matter,
		test_ten_thousand_nodes,
		test_cost_of_a_flat_cluster,
		test_representatives_take_turns,
		test_crooked_tree,
		NULL,
	};

	return suite_run("schedule", tests);
}
