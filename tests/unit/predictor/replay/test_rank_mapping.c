/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rank_mapping.c - against all mappings there are */
#include <math.h>

#include "predictor/replay/rank_mapping.h"
#include "tests/unit/predictor/replay/random_trace.h"
#include "tests/unit/suite.h"

#define RANKS 6
#define NODES 3
#define SLOTS 3

struct setting {
	struct replay_node nodes[NODES];
	struct replay_link links[NODES * NODES];
	int slots[NODES];
	int recorded[RANKS];
	struct random_trace program;
	struct matched_trace *m;
	struct run_replay run;
	struct mapping_search search;
};

/* Ranks of very unequal work. */
static void set_up(struct setting *s, struct random *random)
{
	struct replay_placement place = { NODES,       s->nodes, s->links,
					  s->recorded, 4096,     false,
					  false,       NULL };

	random_trace_fill(&s->program, RANKS, 30, random);
	for (int r = 0; r < RANKS; r++)
		for (int i = 0; i < s->program.counts[r]; i++)
			s->program.events[r][i].work_s *=
				1 + (double)(r * 7 % 5);
	s->m = matched_trace_create(&s->program.trace, NULL, NULL);
	for (int n = 0; n < NODES; n++) {
		s->nodes[n] =
			(struct replay_node){ 1 + (double)random_below(random,
								       2),
					      .4 + random_unit(random), 0 };
		s->slots[n] = SLOTS;
	}
	for (int i = 0; i < NODES * NODES; i++)
		s->links[i] = (struct replay_link){ i % 4 ? 5e-5 : 1e-6, 1e8 };
	for (int r = 0; r < RANKS; r++)
		s->recorded[r] = r / 2;
	ck_assert_int_eq(run_replay_create(s->m, &place, 3.5, &s->run, NULL),
			 0);
	s->search = (struct mapping_search){ .run = &s->run,
					     .place = place,
					     .slots = s->slots,
					     .replays_max = 10000 };
}

static void tear_down(struct setting *s)
{
	run_replay_clear(&s->run);
	matched_trace_destroy(s->m);
	random_trace_free(&s->program);
}

static double time_of(struct setting *s, const int node[])
{
	struct replay_placement place = s->search.place;
	double time_s;

	place.node = node;
	ck_assert_int_eq(run_replay_time(&s->run, &place, &time_s, NULL), 0);
	return time_s;
}

/* Return the best of all that fit. */
static double best_of_all(struct setting *s)
{
	double best_s = HUGE_VAL;

	for (int code = 0; code < 729; code++) {
		int node[RANKS], used[NODES] = { 0 };
		bool fits = true;

		for (int r = 0, rest = code; r < RANKS; r++, rest /= NODES) {
			node[r] = rest % NODES;
			fits &= ++used[node[r]] <= SLOTS;
		}
		if (fits)
			best_s = fmin(best_s, time_of(s, node));
	}
	return best_s;
}

START_TEST(test_against_all)
{
	struct random random = { 64 };
	double regret = 0;

	for (int i = 0; i < 20; i++) {
		struct setting s;
		int node[RANKS], used[NODES] = { 0 };
		double time_s;

		set_up(&s, &random);
		ck_assert_int_eq(
			rank_mapping_find(&s.search, node, &time_s, NULL), 0);
		for (int r = 0; r < RANKS; r++)
			ck_assert_int_le(++used[node[r]], SLOTS);
		ck_assert_double_eq(time_s, time_of(&s, node));
		ck_assert_double_le(time_s, time_of(&s, s.recorded));
		regret = fmax(regret, time_s / best_of_all(&s));
		tear_down(&s);
	}
	ck_assert_double_le(regret, 1.05);
}
END_TEST

START_TEST(test_swap)
{
	struct random random = { 2002 };
	struct setting s;
	int a, b;
	double time_s;

	set_up(&s, &random);
	ck_assert_int_eq(
		rank_mapping_swap(&s.search, s.recorded, &a, &b, &time_s, NULL),
		0);

	double best_s = time_of(&s, s.recorded);

	for (int i = 0; i < RANKS; i++)
		for (int k = 0; k < i; k++) {
			int node[RANKS];

			for (int r = 0; r < RANKS; r++)
				node[r] = s.recorded[r == i   ? k
						     : r == k ? i
							      : r];
			best_s = fmin(best_s, time_of(&s, node));
		}
	ck_assert_double_eq_tol(time_s, best_s, 1e-5);
	tear_down(&s);
}
END_TEST

START_TEST(test_limits)
{
	struct random random = { 5 };
	struct setting s;
	int node[RANKS] = { 7 };
	double time_s;
	struct sp_error err;

	set_up(&s, &random);
	s.search.replays_max = 1; /* by blocks */
	ck_assert_int_eq(rank_mapping_find(&s.search, node, &time_s, NULL), 0);
	ck_assert_int_eq(node[2], 1);
	s.slots[1] = s.slots[2] = 1;
	ck_assert_int_eq(rank_mapping_find(&s.search, node, &time_s, &err), -1);
	ck_assert_str_eq(err.text, "6 ranks do not fit on the nodes");
	tear_down(&s);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_against_all, test_swap, test_limits,
				       NULL };

	return suite_run("rank_mapping", tests);
}
