/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_snapshots.c - leaf switches and ways in the engine's snapshots
 *
 * Snapshots are of the real time, so measurements are too.
 */
#include <stdlib.h>
#include <time.h>

#include "predictor/base/clock.h"
#include "predictor/engine/nodes/snapshots.h"
#include "predictor/placement/rank.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

#define FAST_BPS  9.4e8
#define FAST_S    1.2e-4 /* there and back */
#define TRUNK_BPS 3e7
#define TRUNK_S   7e-4

static struct engine *engine;

static void set_topology(const char *text)
{
	struct topology topology;
	struct sp_error err = { "" };

	ck_assert_msg(!topology_parse(text, strlen(text), &topology, &err),
		      "%s", err.text);
	ck_assert_int_eq(engine_set_topology(engine, &topology, NULL), 0);
	topology_clear(&topology);
}

static void measure_node(int node, double load)
{
	char name[16];

	snprintf(name, sizeof(name), "n%02d", node);
	for (int sample = 0; sample < 6; sample++)
		life_measure(engine, name, clock_now_s() - 6 + sample, load);
}

static void measure_link_at(int from, int to, double bandwidth_bps,
			    double latency_s, double time_s)
{
	struct link_measurement m = { .time_s = time_s,
				      .bandwidth_bps = bandwidth_bps,
				      .latency_s = latency_s,
				      .utilisation = NAN };

	snprintf(m.from, sizeof(m.from), "n%02d", from);
	snprintf(m.to, sizeof(m.to), "n%02d", to);
	ck_assert_int_eq(engine_measure_link(engine, "tiny", &m, NULL), 0);
}

static void measure_link(int from, int to, double bandwidth_bps,
			 double latency_s)
{
	for (int sample = 0; sample < 3; sample++)
		measure_link_at(from, to, bandwidth_bps, latency_s,
				clock_now_s() - 90 + 30 * sample);
}

/* One that was made after this was called. */
static struct snapshot *look(void)
{
	double began_s = clock_now_s();

	for (int i = 0; i < 200; i++) {
		struct snapshot *s = NULL;
		size_t size;
		char *text = engine_snapshot_text(engine, "tiny",
						  SNAPSHOT_FORMAT, 0, 0, &size);

		if (text)
			ck_assert_int_eq(
				snapshot_read(text, size, NULL, &s, NULL), 0);
		free(text);
		if (s && s->made_at_s >= began_s)
			return s;
		snapshot_put(s);
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	}
	ck_abort_msg("no snapshot came");
	return NULL;
}

/* The best `count` nodes for a job that computes as long as it sends, on a
 * fast link; as a bit for each row. */
static uint64_t best(const struct snapshot *s, uint32_t count)
{
	struct placement_model model = {
		.basis = PLACEMENT_PROFILE,
		.nodes = count,
		.tasks = count,
		.horizon_s = 60,
		.busy_s = 30,
		.link_bits = 30 * (float)FAST_BPS,
	};
	struct rank_candidate candidates[64];
	uint32_t chosen[64];
	struct rank_result result;
	struct rank_request request = {
		.snapshot = s,
		.model = &model,
		.candidates = candidates,
		.count = s->node_count,
		.nodes = count,
	};
	void *scratch = malloc(rank_scratch_size(s->node_count));
	uint64_t rows = 0;

	for (uint32_t i = 0; i < s->node_count; i++)
		candidates[i] = (struct rank_candidate){
			.node = i, .place = i, .leaf = SNAPSHOT_NONE
		};
	ck_assert_int_eq(rank_choose(&request, scratch, chosen, &result), 0);
	for (uint32_t i = 0; i < count; i++)
		rows |= (uint64_t)1 << chosen[i];
	free(scratch);
	return rows;
}

/* --- Two leaves ----------------------------------------------------------- */

#define TWO_LEAVES                      \
	"SwitchName=b Nodes=n[04-06]\n" \
	"SwitchName=a Nodes=n[01-03]\n" \
	"SwitchName=top Switches=a,b\n"

/* n01 and n04 are free, the others a little busy; n03 hangs on a slow cable,
 * n06 was measured from n01 only. */
static void measure_two_leaves(void)
{
	for (int i = 1; i <= 6; i++)
		measure_node(i, i % 3 == 1 ? 0 : 0.25);
	measure_link(1, 2, FAST_BPS, FAST_S);
	measure_link(2, 1, FAST_BPS, FAST_S);
	measure_link(1, 3, FAST_BPS / 8, FAST_S);
	measure_link(3, 1, FAST_BPS / 8, FAST_S);
	measure_link(4, 5, FAST_BPS, FAST_S);
	measure_link(5, 4, FAST_BPS, FAST_S);
	measure_link(1, 4, TRUNK_BPS, TRUNK_S);
	measure_link(4, 2, 2 * TRUNK_BPS, TRUNK_S);
	measure_link(3, 5, TRUNK_BPS / 3, TRUNK_S * 2);
	measure_link(1, 6, TRUNK_BPS, TRUNK_S);
}

static void check_two_leaves(const struct snapshot *s)
{
	ck_assert_uint_eq(s->node_count, 6);
	ck_assert_uint_eq(s->leaf_count, 2);
	for (uint32_t i = 0; i < 6; i++)
		ck_assert_uint_eq(s->nodes[i].leaf, i / 3);

	/* Only the best links tell of a way, and none of the other leaf. */
	ck_assert_float_eq_tol(s->nodes[0].bandwidth_bps, (float)FAST_BPS, 1e6);
	ck_assert_float_eq_tol(s->nodes[2].bandwidth_bps, (float)FAST_BPS / 8,
			       1e6);
	ck_assert_float_eq_tol(s->nodes[4].bandwidth_bps, (float)FAST_BPS, 1e6);
	ck_assert_float_eq_tol(s->nodes[0].latency_s, (float)FAST_S / 4, 2e-6);

	/* Unless it has no others. */
	ck_assert_float_eq_tol(s->nodes[5].bandwidth_bps, (float)TRUNK_BPS,
			       1e5);

	/* The worse of both directions, the best of each. */
	ck_assert_uint_eq(s->pair_count, 1);
	ck_assert_uint_eq(s->pairs[0].a, 0);
	ck_assert_uint_eq(s->pairs[0].b, 1);
	ck_assert_float_eq_tol(s->pairs[0].bandwidth_bps, (float)TRUNK_BPS,
			       1e5);
	ck_assert_float_eq_tol(s->pairs[0].latency_s,
			       (float)(TRUNK_S / 2 - FAST_S / 2), 1e-5);
}

START_TEST(test_two_leaves)
{
	struct snapshot *s;

	engine = engine_create();
	set_topology(TWO_LEAVES);
	measure_two_leaves();
	s = look();
	check_two_leaves(s);
	ck_assert_uint_eq(best(s, 2), 1 << 0 | 1 << 1);
	snapshot_put(s);

	/* Where nobody knows of the switch the free nodes are the best. */
	ck_assert_int_eq(engine_set_topology(engine, NULL, NULL), 0);
	s = look();
	ck_assert_uint_eq(s->leaf_count, 0);
	ck_assert_uint_eq(s->pair_count, 0);
	ck_assert_uint_eq(s->nodes[3].leaf, SNAPSHOT_NONE);
	ck_assert_uint_eq(best(s, 2), 1 << 0 | 1 << 3);
	snapshot_put(s);

	/* Known later than the nodes. */
	set_topology(TWO_LEAVES);
	s = look();
	check_two_leaves(s);
	snapshot_put(s);
	engine_destroy(engine);
}
END_TEST

/* Four links of n01 were measured since it fell; those who were measured with
 * it are as good as ever, and so is it when the first one says so. */
START_TEST(test_a_way_changes)
{
	enum { NODES = 8 };
	struct snapshot *s;

	engine = engine_create();
	for (int i = 1; i <= NODES; i++) {
		measure_node(i, 0);
		for (int j = 1; j <= NODES; j++)
			if (i != j)
				measure_link(i, j, FAST_BPS, FAST_S);
	}
	for (int i = 2; i <= 5; i++) {
		measure_link_at(1, i, FAST_BPS / 8, FAST_S, clock_now_s() - 10);
		measure_link_at(i, 1, FAST_BPS / 8, FAST_S, clock_now_s() - 10);
	}
	s = look();
	ck_assert_float_eq_tol(s->nodes[0].bandwidth_bps, (float)FAST_BPS / 8,
			       1e6);
	for (uint32_t i = 1; i < NODES; i++)
		ck_assert_float_eq_tol(s->nodes[i].bandwidth_bps,
				       (float)FAST_BPS, 1e6);
	snapshot_put(s);
	measure_link_at(1, 6, FAST_BPS, FAST_S, clock_now_s() - 5);
	measure_link_at(6, 1, FAST_BPS, FAST_S, clock_now_s() - 5);
	s = look();
	ck_assert_float_eq_tol(s->nodes[0].bandwidth_bps, (float)FAST_BPS, 1e6);
	snapshot_put(s);
	engine_destroy(engine);
}
END_TEST

/* However often it is fetched, it is made twice a second: the thread is not to
 * take a CPU. */
START_TEST(test_made_twice_a_second)
{
	double before_s;
	struct snapshot *s;

	engine = engine_create();
	measure_node(1, 0);
	s = look();
	for (int i = 0; i < 2; i++) {
		before_s = s->made_at_s;
		snapshot_put(s);
		s = look();
		ck_assert_double_gt(s->made_at_s, before_s + 0.45);
	}
	snapshot_put(s);
	engine_destroy(engine);
}
END_TEST

START_TEST(test_nodes_on_no_switch)
{
	struct snapshot *s;

	engine = engine_create();
	set_topology("SwitchName=a Nodes=n[01-02]\nSwitchName=b Nodes=x1\n");
	measure_two_leaves();
	s = look();
	ck_assert_uint_eq(s->nodes[1].leaf, 0);
	ck_assert_uint_eq(s->nodes[2].leaf, SNAPSHOT_NONE);
	ck_assert_uint_eq(s->pair_count, 0);
	ck_assert_float_eq_tol(s->nodes[0].bandwidth_bps, (float)FAST_BPS, 1e6);
	ck_assert_float_eq_tol(s->nodes[4].bandwidth_bps, (float)FAST_BPS, 1e6);
	snapshot_put(s);
	engine_destroy(engine);
}
END_TEST

/* --- Eleven leaves -------------------------------------------------------- */

#define LEAVES   11
#define PER_LEAF 4

static void measure_leaf(int leaf, double trunk_bps)
{
	int first = PER_LEAF * leaf;

	/* One free node on each, all half free on the eighth. */
	for (int i = first; i < first + PER_LEAF; i++) {
		measure_node(i, leaf == 7 ? 0.5 : i == first ? 0 : 0.8);
		for (int j = first; j < first + PER_LEAF; j++)
			if (i != j)
				measure_link(i, j, FAST_BPS, FAST_S);
	}
	for (int other = 0; other < leaf; other++) {
		measure_link(first, PER_LEAF * other, trunk_bps, TRUNK_S);
		measure_link(PER_LEAF * other + 1, first + 1, trunk_bps,
			     TRUNK_S);
	}
}

static struct snapshot *eleven_leaves(double trunk_bps)
{
	char text[2048];
	size_t size = 0;

	engine = engine_create();
	for (int i = 0; i < LEAVES; i++)
		size += (size_t)snprintf(
			text + size, sizeof(text) - size,
			"SwitchName=l%02d Nodes=n[%02d-%02d]\n", i,
			PER_LEAF * i, PER_LEAF * i + PER_LEAF - 1);
	snprintf(text + size, sizeof(text) - size,
		 "SwitchName=m1 Switches=l[00-05]\n"
		 "SwitchName=m2 Switches=l[06-10]\n"
		 "SwitchName=top Switches=m[1-2]\n");
	set_topology(text);
	for (int i = 0; i < LEAVES; i++)
		measure_leaf(i, trunk_bps);
	return look();
}

START_TEST(test_eleven_leaves)
{
	struct snapshot *s = eleven_leaves(TRUNK_BPS);

	ck_assert_uint_eq(s->leaf_count, LEAVES);
	ck_assert_uint_eq(s->pair_count, LEAVES * (LEAVES - 1) / 2);
	for (uint32_t i = 0; i < s->pair_count; i++)
		ck_assert_float_eq_tol(s->pairs[i].bandwidth_bps,
				       (float)TRUNK_BPS, 1e5);
	for (uint32_t i = 0; i < s->node_count; i++)
		ck_assert_float_eq_tol(s->nodes[i].bandwidth_bps,
				       (float)FAST_BPS, 1e6);

	/* On one leaf, and that with the best worst node. */
	ck_assert_uint_eq(best(s, PER_LEAF), (uint64_t)0xf << 7 * PER_LEAF);
	snapshot_put(s);
	engine_destroy(engine);
}
END_TEST

START_TEST(test_eleven_leaves_and_a_fast_trunk)
{
	struct snapshot *s = eleven_leaves(FAST_BPS);
	uint64_t rows = best(s, PER_LEAF);

	/* Free nodes are the first of their leaves. */
	for (int i = 0; i < LEAVES * PER_LEAF; i++)
		if (rows >> i & 1)
			ck_assert(i % PER_LEAF == 0 && i / PER_LEAF != 7);
	snapshot_put(s);
	engine_destroy(engine);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_two_leaves,
		test_a_way_changes,
		test_made_twice_a_second,
		test_nodes_on_no_switch,
		test_eleven_leaves,
		test_eleven_leaves_and_a_fast_trunk,
		NULL,
	};

	return suite_run("snapshots", tests);
}
