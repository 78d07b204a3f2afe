/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_snapshot_delta.c - what changed between two snapshots */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/predictor/snapshot/snapshot_made.h"
#include "tests/unit/random.h"

START_TEST(test_only_changes)
{
	struct snapshot_deltas *deltas = snapshot_deltas_create();
	struct snapshot *known = NULL;
	size_t whole;
	size_t size;

	for (int round = 0; round < 4; round++) {
		struct snapshot *s = snapshot_create(100, 0, 0);

		strcpy(s->cluster, "tiny");
		for (int i = 0; i < 100; i++) {
			char name[16];

			snprintf(name, sizeof(name), "n%d", i);
			add_node(s, name);
		}
		s->nodes[17].available[0] = round < 2 ? 0.502f : 0.51f;
		ck_assert_int_eq(snapshot_arrange(s), 0);
		ck_assert_int_eq(snapshot_deltas_add(deltas, s), 0);

		struct snapshot *next = delta_to(deltas, known, &size);

		if (round == 0)
			whole = size;
		else
			ck_assert_uint_lt(size, whole / 20);
		ck_assert_int_eq(next == known, round == 1 || round == 3);
		snapshot_put(known);
		known = next;
	}
	ck_assert_float_eq_tol(
		known->nodes[snapshot_node(known, "n17")].available[0], 0.51f,
		1e-4f);
	snapshot_put(known);
	snapshot_deltas_destroy(deltas);
}
END_TEST

static bool same_jobs(const struct snapshot *a, const struct snapshot *b)
{
	if (a->job_count != b->job_count || a->node_count != b->node_count)
		return false;
	for (uint32_t i = 0; i < a->job_count; i++)
		if (a->jobs[i].id != b->jobs[i].id ||
		    a->jobs[i].model.busy_s != b->jobs[i].model.busy_s)
			return false;
	for (uint32_t i = 0; i < a->node_count; i++)
		if (strcmp(a->nodes[i].name, b->nodes[i].name) != 0)
			return false;
	return true;
}

/* However often a client asks, it gets to the same snapshot. */
START_TEST(test_jobs_come_and_go)
{
	struct snapshot_deltas *deltas = snapshot_deltas_create();
	struct snapshot *often = NULL;
	struct snapshot *seldom = NULL;
	struct random random = { 99 };

	for (int round = 0; round < 300; round++) {
		struct snapshot *s = snapshot_create(60, 0, 200);

		strcpy(s->cluster, "tiny");
		for (uint64_t id = 1; id < 200; id++)
			if (random_below(&random, 3))
				add_job(s, id * 0x10101010101u,
					(double)(1 + random_below(&random, 3)));
		for (int i = 0; i < round / 6; i++) {
			char name[16];

			snprintf(name, sizeof(name), "n%d", i);
			add_node(s, name);
		}
		ck_assert_int_eq(snapshot_arrange(s), 0);
		ck_assert_int_eq(snapshot_deltas_add(deltas, s), 0);

		struct snapshot *next = delta_to(deltas, often, NULL);

		snapshot_put(often);
		often = next;
		ck_assert(same_jobs(often, snapshot_deltas_newest(deltas)));
		if (round % 7 && round != 299)
			continue;
		next = delta_to(deltas, seldom, NULL);
		snapshot_put(seldom);
		seldom = next;
		ck_assert(same_jobs(seldom, often));
	}
	snapshot_put(often);
	snapshot_put(seldom);
	snapshot_deltas_destroy(deltas);
}
END_TEST

#define MANY_GONE 9000 /* more than are remembered */

/* Add a snapshot of the jobs from `first` to MANY_GONE. */
static void add_jobs_from(struct snapshot_deltas *deltas, uint64_t first)
{
	struct snapshot *s = snapshot_create(1, 0, MANY_GONE);

	strcpy(s->cluster, "tiny");
	add_node(s, "n1");
	for (uint64_t id = first; id <= MANY_GONE; id++)
		add_job(s, id, 7);
	ck_assert_int_eq(snapshot_arrange(s), 0);
	ck_assert_int_eq(snapshot_deltas_add(deltas, s), 0);
}

/* More jobs left than are remembered: whoever is too old to hear of all of them
 * gets the whole snapshot, and keeps no job that left. */
START_TEST(test_many_jobs_leave)
{
	static const uint64_t next_first[] = { 2, 3000, 8000, MANY_GONE + 1 };
	struct snapshot_deltas *deltas = snapshot_deltas_create();
	struct snapshot *seen[5];
	size_t size, all;

	add_jobs_from(deltas, 1);
	seen[0] = delta_to(deltas, NULL, NULL);
	for (int i = 0; i < 4; i++) {
		add_jobs_from(deltas, next_first[i]);
		seen[i + 1] = delta_to(deltas, seen[i], &size);
		ck_assert_uint_eq(seen[i + 1]->job_count,
				  MANY_GONE + 1 - next_first[i]);
	}
	snapshot_put(delta_to(deltas, NULL, &all));
	for (int i = 0; i < 5; i++) {
		struct snapshot *next = delta_to(deltas, seen[i], &size);

		ck_assert_uint_eq(next->job_count, 0);
		/* 9000 and 8999 left since the first two, 6001 since the third:
		 * those fit. */
		if (i < 2)
			ck_assert_uint_eq(size, all);
		else
			ck_assert_uint_ne(size, all);
		snapshot_put(next);
		snapshot_put(seen[i]);
	}
	snapshot_deltas_destroy(deltas);
}
END_TEST

START_TEST(test_restarted_predictd_sends_all)
{
	struct snapshot_deltas *a = snapshot_deltas_create();
	struct snapshot_deltas *b = snapshot_deltas_create();
	struct snapshot *s = snapshot_create(1, 0, 0);
	struct snapshot *t = snapshot_create(1, 0, 0);

	add_node(s, "n1");
	add_node(t, "n2");
	ck_assert_int_eq(snapshot_arrange(s), 0);
	ck_assert_int_eq(snapshot_deltas_add(a, s), 0);
	ck_assert_int_eq(snapshot_arrange(t), 0);
	ck_assert_int_eq(snapshot_deltas_add(b, t), 0);

	struct snapshot *first = delta_to(a, NULL, NULL);
	struct snapshot *second = delta_to(b, first, NULL);

	ck_assert_uint_eq(second->node_count, 1);
	ck_assert_str_eq(second->nodes[0].name, "n2");
	snapshot_put(first);
	snapshot_put(second);
	snapshot_deltas_destroy(a);
	snapshot_deltas_destroy(b);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_only_changes,
		test_jobs_come_and_go,
		test_many_jobs_leave,
		test_restarted_predictd_sends_all,
		NULL,
	};

	return suite_run("snapshot delta", tests);
}
