/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_chooser.c - candidates of a snapshot, and the best set of them */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/placement/chooser.h"
#include "predictor/snapshot/snapshot_state.h"
#include "tests/unit/no_memory.h"
#include "tests/unit/suite.h"

static void add_node(struct snapshot *s, const char *name, float available)
{
	struct snapshot_node *node = &s->nodes[s->node_count++];

	*node = (struct snapshot_node){
		.leaf = SNAPSHOT_NONE,
		.available = { available, available, available },
		.error = NAN,
		.load = NAN,
		.speed = NAN,
		.memory_mb = NAN,
		.bandwidth_bps = NAN,
		.latency_s = NAN,
	};
	snprintf(node->name, sizeof(node->name), "%s", name);
}

/* n1 is busy, of n4 nothing is known. */
static struct snapshot *five_nodes(void)
{
	struct snapshot *s = snapshot_create(5, 0, 0);

	add_node(s, "n10", 1);
	add_node(s, "n9", 1);
	add_node(s, "n4", NAN);
	add_node(s, "n2", 0.99f);
	add_node(s, "n1", 0.5f);
	ck_assert_int_eq(snapshot_arrange(s), 0);
	return s;
}

struct want {
	uint32_t nodes;
	const char *required, *excluded;
	const char *weights; /* NULL: none */
	bool known_only, or_fewer;
};

static void expand(const char *text, struct hostlist *ret)
{
	*ret = (struct hostlist){ 0 };
	if (text)
		ck_assert_int_eq(hostlist_expand(text, ret, NULL), 0);
}

/* The best set, "-": there is none. */
static const char *best(struct chooser *c, struct snapshot *s, struct want want)
{
	/* Lent until the next request. */
	static struct placement_model model;
	static struct hostlist in;
	static struct hostlist out;
	static char text[256];
	struct hostlist names;
	struct rank_set worth;
	struct chooser_request request = { .snapshot = s,
					   .model = &model,
					   .nodes = want.nodes,
					   .required = &in,
					   .excluded = &out,
					   .known_only = want.known_only,
					   .or_fewer = want.or_fewer };

	hostlist_clear(&in);
	hostlist_clear(&out);
	placement_model_from_runtime(want.nodes, want.nodes, NAN, &model);
	if (want.weights)
		ck_assert_int_eq(placement_weights_parse(want.weights,
							 want.nodes,
							 &model.weights),
				 0);
	expand(want.required, &in);
	expand(want.excluded, &out);
	ck_assert_int_eq(chooser_begin(c, &request), 0);
	strcpy(text, "-");
	if (!chooser_best(c, &worth)) {
		chooser_names(c, &names);
		hostlist_compress(&names, text, sizeof(text));
	}
	return text;
}

#define BEST(count, ...) \
	best(c, s, (struct want){ .nodes = (count), __VA_ARGS__ })

START_TEST(test_best_of_the_known)
{
	struct chooser *c = chooser_create();
	struct snapshot *s = five_nodes();

	/* 0.99 is as good as 1; n9 comes before n10. */
	ck_assert_str_eq(BEST(1, .known_only = true), "n2");
	ck_assert_str_eq(BEST(2, .known_only = true), "n[2,9]");
	ck_assert_str_eq(BEST(3, .known_only = true), "n[2,9-10]");
	ck_assert_str_eq(BEST(4, .known_only = true), "n[1-2,9-10]");

	/* n4 counts as the median of the others, which is 1. */
	ck_assert_str_eq(BEST(2, .or_fewer = false), "n[2,4]");

	ck_assert_str_eq(BEST(5, .known_only = true), "-");
	ck_assert_str_eq(BEST(5, .known_only = true, .or_fewer = true),
			 "n[1-2,9-10]");
	ck_assert_str_eq(BEST(6, .or_fewer = false), "-");
	ck_assert_str_eq(BEST(UINT32_MAX, .or_fewer = true), "n[1-2,4,9-10]");
	snapshot_put(s);
	chooser_destroy(c);
	chooser_destroy(NULL);
}
END_TEST

START_TEST(test_required_and_excluded)
{
	struct chooser *c = chooser_create();
	struct snapshot *s = five_nodes();

	ck_assert_str_eq(BEST(2, .excluded = "n[2,4,9]"), "n[1,10]");
	ck_assert_str_eq(BEST(2, .required = "n1", .excluded = "n[2,4]"),
			 "n[1,9]");
	ck_assert_str_eq(BEST(2, .required = "n4", .known_only = true),
			 "n[2,4]");
	ck_assert_str_eq(BEST(3, .excluded = "n[2,4,9]"), "-");

	/* All that are required, if they are more than nodes. */
	ck_assert_str_eq(BEST(1, .required = "n[1,4]"), "n[1,4]");

	/* One that the snapshot does not know may be there. */
	ck_assert_str_eq(BEST(2, .required = "x7", .known_only = true),
			 "n2,x7");
	ck_assert_str_eq(BEST(2, .required = "n1,n1", .excluded = "n[2,4]"),
			 "n[1,9]");
	snapshot_put(s);
	chooser_destroy(c);
}
END_TEST

/* The busy n1 is good enough in the first place, which is its own: by names in
 * their natural order, whatever is required. */
START_TEST(test_unequal_work)
{
	struct chooser *c = chooser_create();
	struct snapshot *s = five_nodes();

	ck_assert_str_eq(BEST(2, .weights = "Uz"), "n[1-2]");
	ck_assert_str_eq(BEST(2, .weights = "zU"), "n[2,4]");
	ck_assert_str_eq(BEST(3, .weights = "Uzz", .required = "n10"),
			 "n[1-2,10]");
	ck_assert_str_eq(BEST(3, .weights = "zUz", .required = "n10"),
			 "n[2,4,10]");
	ck_assert_str_eq(BEST(2, .weights = "Uz", .required = "n10,n9"),
			 "n[9-10]");
	snapshot_put(s);
	chooser_destroy(c);
}
END_TEST

START_TEST(test_without_a_snapshot)
{
	struct chooser *c = chooser_create();
	struct snapshot *s = NULL;

	ck_assert_str_eq(BEST(2, .or_fewer = false), "-");
	ck_assert_str_eq(BEST(2, .or_fewer = true), "-");
	ck_assert_str_eq(BEST(2, .required = "a[1-3]", .excluded = "a2"),
			 "a[1-3]");
	ck_assert_str_eq(BEST(2, .required = "a1", .or_fewer = true), "a1");
	chooser_destroy(c);
}
END_TEST

START_TEST(test_one_set_after_another)
{
	struct chooser *c = chooser_create();
	struct snapshot *s = five_nodes();
	struct rank_set worth;
	struct hostlist list;

	ck_assert_str_eq(BEST(2, .known_only = true), "n[2,9]");
	ck_assert(chooser_next(c));
	ck_assert_int_eq(chooser_best(c, &worth), 0);
	chooser_names(c, &list);
	ck_assert_str_eq(list.names[0], "n1");
	ck_assert_str_eq(list.names[1], "n10");
	ck_assert_float_eq_tol(worth.offer.available, 0.5f, 1e-6f);
	ck_assert(chooser_next(c));
	ck_assert_int_eq(chooser_best(c, &worth), -1);

	/* Required nodes stay in. */
	ck_assert_str_eq(BEST(2, .required = "n[1,10]"), "n[1,10]");
	ck_assert(!chooser_next(c));

	ck_assert_str_eq(BEST(2, .excluded = "n9"), "n[2,4]");
	expand("n[9-10]", &list);
	ck_assert_int_eq(chooser_evaluate(c, &list, &worth), 0);
	ck_assert_float_eq_tol(worth.offer.available, 1, 1e-6f);
	strcpy(list.names[1], "n9");
	ck_assert_int_eq(chooser_evaluate(c, &list, &worth), -1);
	strcpy(list.names[1], "n11");
	ck_assert_int_eq(chooser_evaluate(c, &list, &worth), -1);
	hostlist_clear(&list);
	ck_assert_int_eq(chooser_evaluate(c, &list, &worth), -1);
	snapshot_put(s);
	chooser_destroy(c);
}
END_TEST

START_TEST(test_grows_with_the_snapshot)
{
	struct chooser *c = chooser_create();
	struct snapshot *s = five_nodes();
	struct snapshot *large = snapshot_create(3000, 0, 0);
	char name[HOSTLIST_NAME_SIZE];

	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		add_node(large, name, i % 4 ? 0.5f : 1);
	}
	ck_assert_int_eq(snapshot_arrange(large), 0);
	ck_assert_str_eq(BEST(1, .or_fewer = false), "n2");
	ck_assert_str_eq(best(c, large, (struct want){ .nodes = 3 }),
			 "m[0,4,8]");
	ck_assert_str_eq(
		best(c, large,
		     (struct want){ .nodes = 2, .required = "m[1-2999]" }),
		"m[1-2999]");
	ck_assert_str_eq(BEST(1, .or_fewer = false), "n2");
	snapshot_put(s);
	snapshot_put(large);
	chooser_destroy(c);
}
END_TEST

START_TEST(test_no_memory)
{
	struct placement_model model;
	struct snapshot *s = five_nodes();
	struct chooser_request request = { .snapshot = s,
					   .model = &model,
					   .nodes = 2 };
	bool failed = true;

	placement_model_from_runtime(2, 2, NAN, &model);
	for (int n = 1; failed; n++) {
		struct chooser *c = chooser_create();

		memory_fails_at(n);

		int rc = chooser_begin(c, &request);

		failed = memory_failed();
		ck_assert_int_eq(rc, failed ? -1 : 0);
		ck_assert_str_eq(BEST(1, .known_only = true), "n2");
		chooser_destroy(c);
	}
	snapshot_put(s);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_best_of_the_known,
		test_required_and_excluded,
		test_unequal_work,
		test_without_a_snapshot,
		test_one_set_after_another,
		test_grows_with_the_snapshot,
		test_no_memory,
		NULL,
	};

	return suite_run("chooser", tests);
}
