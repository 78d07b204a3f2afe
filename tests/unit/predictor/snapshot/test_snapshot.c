/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_snapshot.c - snapshots and deltas, written as text and read again */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/predictor/snapshot/snapshot_made.h"

START_TEST(test_round_trip)
{
	struct snapshot_deltas *deltas = snapshot_deltas_create();
	struct snapshot *s = snapshot_create(4, 1, 2);
	size_t size;

	ck_assert_ptr_null(
		snapshot_deltas_text(deltas, SNAPSHOT_FORMAT, 0, 0, &size));
	strcpy(s->cluster, "tiny");
	s->made_at_s = 1234.5;
	add_node(s, "n2");
	add_node(s, "n10")->leaf = SNAPSHOT_NONE;
	add_node(s, "n1")->load = NAN;
	add_node(s, "with blank");
	s->pairs[s->pair_count++] = (struct snapshot_pair){ 2, 5, NAN, 1e-3f };
	add_job(s, 0xfedcba9876543210, 77.5);
	add_job(s, 0x11, NAN);
	ck_assert_int_eq(snapshot_arrange(s), 0);
	ck_assert_int_eq(snapshot_deltas_add(deltas, s), 0);

	struct snapshot *got = delta_to(deltas, NULL, NULL);

	ck_assert_str_eq(got->cluster, "tiny");
	ck_assert_double_eq(got->made_at_s, 1234.5);
	ck_assert_uint_eq(got->node_count, 3);
	ck_assert_uint_eq(snapshot_node(got, "n1"), 0);
	ck_assert_uint_eq(snapshot_node(got, "n10"), 1);
	ck_assert_uint_eq(snapshot_node(got, "n2"), 2);
	ck_assert_uint_eq(snapshot_node(got, "n3"), SNAPSHOT_NONE);
	ck_assert_uint_eq(got->nodes[1].leaf, SNAPSHOT_NONE);
	ck_assert_uint_eq(got->leaf_count, 4);
	ck_assert_float_nan(got->nodes[0].load);
	ck_assert_float_eq(got->nodes[2].load, 1.5f);
	ck_assert_float_eq(got->nodes[2].available[1], 0.75f);
	ck_assert_float_nan(got->nodes[2].available[2]);
	ck_assert_float_eq_tol(got->nodes[2].bandwidth_bps, 9.4e8f, 1e3f);
	ck_assert_float_eq_tol(got->nodes[2].latency_s, 3.2e-5f, 1e-9f);
	ck_assert_float_eq(got->typical.available[0], 0.5f);
	ck_assert_float_eq(got->typical.available[2], 1);
	ck_assert_uint_eq(got->pair_count, 1);
	ck_assert_uint_eq(got->pairs[0].b, 5);
	ck_assert_float_nan(got->pairs[0].bandwidth_bps);

	const struct placement_model *m = snapshot_job(got, "fedcba9876543210");

	ck_assert_ptr_nonnull(m);
	ck_assert_int_eq(m->basis, PLACEMENT_HISTORY);
	ck_assert_float_eq(m->busy_s, 77.5f);
	ck_assert_uint_eq(m->tasks, 8);
	m = snapshot_job(got, "0000000000000011, and more");
	ck_assert_ptr_nonnull(m);
	ck_assert_int_eq(m->basis, PLACEMENT_CONDITIONS);
	ck_assert_ptr_null(snapshot_job(got, "0000000000000012"));
	ck_assert_ptr_null(snapshot_job(got, "11"));
	snapshot_put(got);
	snapshot_deltas_destroy(deltas);
	snapshot_deltas_destroy(NULL);
}
END_TEST

#define JOB_1  "j 0000000000000011 2 2 2 0 0 60 1000 1 5000 100 10 0 0 0 0 0"
#define NODE_1 "n n1 - 9000 - - 10 0 10000 500 1000000 50000 400\n"

START_TEST(test_refuses)
{
	static const char *const wrong[] = {
		"",
		"snapshot 1 a1 7 0 1000 tiny\nend 0\n",
		"snapshot 3 a1 7 0 1000 tiny\n",
		"snapshot 3 a1 7 0 1000 tiny\nend 1\n",
		"snapshot 3 a1 7 0 1000 tiny\nend 0\nmore\n",
		"snapshot 3 a1 7 6 1000 tiny\nend 0\n", /* a delta to 6 */
		"snapshot 3 a1 7 0 1000 tiny\nx 1\nend 1\n",
		"snapshot 3 a1 7 0 1000 tiny\n" NODE_1 NODE_1 "end 2\n",
		"snapshot 3 a1 7 0 1000 tiny\nn n1 - 10001 - - - - - - - - -\n"
		"end 1\n",
		"snapshot 3 a1 7 0 1000 tiny\nn n1 - 1 - - - - - - - -\nend "
		"1\n",
		"snapshot 3 a1 7 0 1000 tiny\nn n1 4096 - - - - - - - - - -\n"
		"end 1\n",
		"snapshot 3 a1 7 0 1000 tiny\np 2 2 1 1\nend 1\n",
		"snapshot 2 a1 7 0 1000 tiny\nend 0\n",
		"snapshot 5 a1 7 0 1000 tiny\nend 0\n",
		"snapshot 3 a1 7 0 1000 tiny\n" JOB_1 " z7\nend 1\n",
		"snapshot 4 a1 7 0 1000 tiny\n" JOB_1 " z\nend 1\n",
		"snapshot 4 a1 7 0 1000 tiny\n" JOB_1 " z7 7\nend 1\n",
		"snapshot 4 a1 7 0 1000 tiny\n" JOB_1 " z7\n" JOB_1
		" z7\nend 2\n",
		"snapshot 3 a1 7 0 1000 tiny\nj 1 0 1 1 0 0 1 1 1 1 1 1 0 0 0 "
		"0\nend 1\n",
		"snapshot 3 a1 7 0 1000 tiny\nj 1 4 1 1 0 0 1 1 1 1 1 1 1 0 0 "
		"0 0\nend 1\n",
		"snapshot 3 a1 7 0 1000 tiny\nj 1 0 1 1 0 0 1 - 1 1 1 1 1 0 0 "
		"0 0\nend 1\n",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct snapshot *s = NULL;
		struct sp_error err = { "" };

		ck_assert_msg(snapshot_read(wrong[i], strlen(wrong[i]), NULL,
					    &s, &err) == -1,
			      "%s", wrong[i]);
		ck_assert_ptr_null(s);
		ck_assert_str_ne(err.text, "");
	}

	static const char good[] =
		"snapshot 3 a1 7 0 1000 tiny\n" NODE_1 "end 1\n";
	struct snapshot *s = NULL;

	ck_assert_int_eq(snapshot_read(good, strlen(good), NULL, &s, NULL), 0);
	ck_assert_float_eq(s->nodes[0].available[0], 0.9f);
	snapshot_put(s);
}
END_TEST

START_TEST(test_horizons)
{
	ck_assert_int_eq(snapshot_horizon(0), 0);
	ck_assert_int_eq(snapshot_horizon(60), 0);
	ck_assert_int_eq(snapshot_horizon(150), 0);
	ck_assert_int_eq(snapshot_horizon(250), 1);
	ck_assert_int_eq(snapshot_horizon(1e9), 2);
	ck_assert_int_eq(snapshot_horizon(NAN), 0);
}
END_TEST

START_TEST(test_model_alone)
{
	static const char *const bad[] = {
		"",
		"1",
		"9 2 8 0 0 100 80000 0 0 0 0 0 0 0 0 0",
		"1 2 8 0 0 100 80000 0 0 0 0 0 0 0 0",
		"1 2 8 0 0 100 80000 0 0 0 0 0 0 0 0 0 0",
		"1 2 8 0 0 100 80000 0 - 0 0 0 0 0 0 0",
		"1 2 8 0 0 100 80000 0 20000 0 0 0 0 0 0 0",
		"1 2 8 - 0 100 80000 0 0 0 0 0 0 0 0 0",
		"1 2 8 0 0 100 80000 0 0 0 0 0 0 0 0 0 z",
		"1 2 8 0 0 100 80000 0 0 0 0 0 0 0 0 0 zzz",
		"1 2 8 0 0 100 80000 0 0 0 0 0 0 0 0 0 yy",
		"1 2 8 0 0 100 80000 0 0 0 0 0 0 0 0 0 z~",
		"1 2 8 0 0 100 80000 0 0 0 0 0 0 0 0 0  z7",
		"1 2 8 0 0 100 80000 0 0 0 0 0 0 0 0 0 z7 0",
		"1 1 8 0 0 100 80000 0 0 0 0 0 0 0 0 0 z",
	};
	struct placement_model model, again = { .nodes = 7 };
	char text[SNAPSHOT_MODEL_SIZE];
	struct sp_error err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		err.text[0] = '\0';
		ck_assert_int_eq(snapshot_model_parse(bad[i], &again, &err),
				 -1);
		ck_assert(err.text[0]);
		ck_assert_uint_eq(again.nodes, 7);
	}
	placement_model_from_runtime(2, 8, 80, &model);
	model.link_bits = 3e15f;
	model.turns = 1744;
	model.curve = (struct placement_curve){
		.from = 2, .reach = 24, .c_s = { 10, 80.5f, 0.25f, 0.001f }
	};
	snapshot_model_print(&model, text);
	ck_assert_msg(!snapshot_model_parse(text, &again, &err), "%s: %s", text,
		      err.text);
	ck_assert_int_eq(again.basis, PLACEMENT_HISTORY);
	ck_assert_uint_eq(again.nodes, 2);
	ck_assert_uint_eq(again.tasks, 8);
	ck_assert_float_eq(again.busy_s, 80);
	ck_assert_float_eq(again.link_bits, 3e15f);
	ck_assert_float_eq(again.turns, 1744);
	ck_assert_uint_eq(again.weights.count, 0);
	ck_assert_int_eq(
		snapshot_model_parse("1 2 8 0 0 100 80000 0 0 0 0 0 0 0 0 0 7z",
				     &again, &err),
		0);
	ck_assert_uint_eq(again.weights.count, 2);
	ck_assert_uint_eq(again.weights.of[0], 7);
	snapshot_model_parse(text, &again, &err);
	ck_assert_uint_eq(again.curve.from, 2);
	ck_assert_uint_eq(again.curve.reach, 24);
	ck_assert_double_eq_tol(placement_curve_s(&again.curve, 8),
				10 + 80.5 / 8 + 0.75 + 0.008, 1e-5);
}
END_TEST

/* Clients that name no format get none, and one that changes is sent again. */
START_TEST(test_weights)
{
	struct snapshot_deltas *deltas = snapshot_deltas_create();
	struct snapshot *known = NULL;
	struct sp_error err = { "" };
	size_t size;

	for (int round = 0; round < 3; round++) {
		struct snapshot *s = snapshot_create(0, 0, 2);

		strcpy(s->cluster, "tiny");
		add_job(s, 0x11, 77.5);
		add_job(s, 0x12, 77.5);
		ck_assert_int_eq(
			placement_weights_parse(round ? "zU" : "z7", 2,
						&s->jobs[0].model.weights),
			0);
		ck_assert_int_eq(snapshot_arrange(s), 0);
		ck_assert_int_eq(snapshot_deltas_add(deltas, s), 0);
		ck_assert_uint_eq(s->version, round ? 2 : 1);

		struct snapshot *next = delta_to(deltas, known, &size);
		const struct placement_model *m =
			snapshot_job(next, "0000000000000011");

		ck_assert_uint_eq(m->weights.count, 2);
		ck_assert_uint_eq(m->weights.of[0], PLACEMENT_WEIGHT_ONE);
		ck_assert_uint_eq(m->weights.of[1], round ? 30 : 7);
		m = snapshot_job(next, "0000000000000012");
		ck_assert_uint_eq(m->weights.count, 0);
		snapshot_put(known);
		known = next;
	}

	char *text = snapshot_deltas_text(deltas, SNAPSHOT_FORMAT_OLDEST, 0, 0,
					  &size);
	struct snapshot *old = NULL;

	ck_assert_int_eq(strncmp(text, "snapshot 3 ", 11), 0);
	ck_assert_msg(!snapshot_read(text, size, NULL, &old, &err), "%s",
		      err.text);
	ck_assert_uint_eq(snapshot_job(old, "0000000000000011")->weights.count,
			  0);
	free(text);
	snapshot_put(old);
	snapshot_put(known);
	snapshot_deltas_destroy(deltas);
}
END_TEST

/* The largest numbers and all weights fit into a line, and into the text of a
 * new job's model. */
START_TEST(test_longest)
{
	struct snapshot_deltas *deltas = snapshot_deltas_create();
	struct snapshot *s = snapshot_create(0, 0, 1);
	struct snapshot_job *job = &s->jobs[s->job_count++];
	double work[PLACEMENT_WEIGHTS_MAX] = { 1 };
	char text[SNAPSHOT_MODEL_SIZE];

	*job = (struct snapshot_job){
		.id = UINT64_MAX,
		.model = { .basis = PLACEMENT_FARM,
			   .nodes = UINT32_MAX,
			   .tasks = UINT32_MAX,
			   .curve = { UINT32_MAX,
				      UINT32_MAX,
				      { 1e30f, 1e30f, 1e30f, 1e30f } },
			   .horizon_s = 1e30f,
			   .busy_s = 1e30f,
			   .idle_s = 1e30f,
			   .credit = 1,
			   .link_bits = 1e30f,
			   .link_messages = 1e30f,
			   .turns = 1e30f },
	};
	snapshot_model_print(&job->model, text);
	ck_assert_uint_lt(strlen(text) + 1 + PLACEMENT_WEIGHTS_MAX,
			  SNAPSHOT_MODEL_SIZE);
	job->model.nodes = PLACEMENT_WEIGHTS_MAX;
	placement_weights_of(work, PLACEMENT_WEIGHTS_MAX, &job->model.weights);
	strcpy(s->cluster, "tiny");
	ck_assert_int_eq(snapshot_arrange(s), 0);
	ck_assert_int_eq(snapshot_deltas_add(deltas, s), 0);

	struct snapshot *got = delta_to(deltas, NULL, NULL);

	ck_assert_uint_eq(got->jobs[0].model.weights.count,
			  PLACEMENT_WEIGHTS_MAX);
	snapshot_put(got);
	snapshot_deltas_destroy(deltas);
}
END_TEST

START_TEST(test_path)
{
	struct snapshot s = { .epoch = 0xabc, .version = 12, .cluster = "c1" };
	char path[SNAPSHOT_PATH_SIZE];

	snapshot_path("c1", NULL, path);
	ck_assert_str_eq(path, "/v1/snapshot?cluster=c1&since=0-0&format=4");
	snapshot_path("c1", &s, path);
	ck_assert_str_eq(path, "/v1/snapshot?cluster=c1&since=abc-12&format=4");
	snapshot_path("c2", &s, path);
	ck_assert_str_eq(path, "/v1/snapshot?cluster=c2&since=0-0&format=4");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_round_trip, test_refuses, test_horizons, test_model_alone,
		test_weights,    test_longest, test_path,     NULL,
	};

	return suite_run("snapshot", tests);
}
