/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_timeline_plot.c - what is drawn, and how much of it */
#include <stdlib.h>
#include <string.h>

#include "predictor/cli/commands/timeline_plot.h"
#include "tests/unit/predictor/replay/random_trace.h"
#include "tests/unit/suite.h"

#define RANKS 3

static const char *const names[RANKS] = { "n1", "n<2>", "n3" };

/* A core and a node for each rank, no network. */
static char *plot(const struct matched_trace *m, size_t *ret_size)
{
	struct replay_node nodes[RANKS];
	struct replay_link links[RANKS * RANKS];
	const int node[RANKS] = { 0, 1, 2 };
	const struct replay_placement place = {
		.nodes_count = m->ranks,
		.nodes = nodes,
		.links = links,
		.node = node,
		.rendezvous_bytes = 65536,
	};
	struct replay_result result;
	struct rank_result ranks[RANKS];
	struct replay_step *steps = calloc(m->count, sizeof(*steps));
	struct critical_path path;
	char *text = NULL;
	FILE *file = open_memstream(&text, ret_size);

	for (int n = 0; n < RANKS; n++)
		nodes[n] = (struct replay_node){ 1, 1, 0 };
	for (int i = 0; i < RANKS * RANKS; i++)
		links[i] = (struct replay_link){ 0, 1e9 };
	ck_assert_int_eq(trace_replay(m, &place, &result, ranks, steps, NULL),
			 0);
	ck_assert_int_eq(critical_path_find(m, steps, &path, NULL), 0);

	const struct timeline_plot timeline = {
		.title = "a & b",
		.trace = m,
		.steps = steps,
		.path = &path,
		.names = names,
		.time_s = result.time_s,
		.factor = 10,
	};

	ck_assert_int_eq(timeline_plot_write(file, &timeline, NULL), 0);
	fclose(file);
	critical_path_clear(&path);
	free(steps);
	return text;
}

/* Rank 0 works for the first quarter of 4 s, and sends; rank 1 goes on. */
START_TEST(test_small)
{
	const struct trace_event a[] = { { .work_s = 1, .peer = 1 },
					 { .call = CALL_END } };
	const struct trace_event b[] = { { .call = CALL_RECEIVE },
					 { .work_s = 3, .call = CALL_END } };
	const struct trace_event *events[] = { a, b };
	const int counts[] = { 2, 2 };
	const struct trace trace = { 2, counts, events };
	struct matched_trace *m = matched_trace_create(&trace, NULL, NULL);
	size_t size;
	char *text = plot(m, &size);

	ck_assert_ptr_nonnull(strstr(text, ">a &#38; b<"));
	ck_assert_ptr_nonnull(strstr(text, "n&#60;2&#62; 1<"));
	ck_assert_ptr_nonnull(strstr(text, "x=\"120.0\" y=\"96.0\" "
					   "width=\"225.0\" "
					   "height=\"20.0\"/>"));
	ck_assert_ptr_nonnull(strstr(text, "x=\"345.0\" y=\"118.0\" "
					   "width=\"675.0\""));
	ck_assert_ptr_nonnull(strstr(text, "points=\"120.0,107.0 345.0,107.0 "
					   "345.0,129.0 1020.0,129.0 \""));
	ck_assert_ptr_nonnull(strstr(text, ">40<")); /* seconds */
	free(text);
	matched_trace_destroy(m);
}
END_TEST

START_TEST(test_large_trace_small_file)
{
	struct random random = { 9 };
	struct random_trace t;
	size_t size;

	random_trace_fill(&t, RANKS, 40000, &random);

	struct matched_trace *m = matched_trace_create(&t.trace, NULL, NULL);
	char *text = plot(m, &size);

	ck_assert_uint_le(size, 4 << 20);
	ck_assert_ptr_nonnull(strstr(text, "</svg>\n"));
	free(text);
	matched_trace_destroy(m);
	random_trace_free(&t);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_small, test_large_trace_small_file,
				       NULL };

	return suite_run("timeline_plot", tests);
}
