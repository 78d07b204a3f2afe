/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_named_nodes.c - lists of nodes that users name */
#include <stdio.h>

#include "predictor/placement/named_nodes.h"
#include "tests/unit/suite.h"

#define NODES 40

static struct node_facts *facts;
static struct hostlist required, excluded;
static struct named_nodes named;

static void set_up(void)
{
	struct node_properties node = { .cpus = 4, .partitions = "main" };

	facts = node_facts_create("tiny");
	for (int i = 0; i < NODES; i++) {
		snprintf(node.name, sizeof(node.name), "n%02d", i);
		ck_assert_int_eq(node_facts_add(facts, &node, NULL), 0);
	}
	ck_assert_int_eq(node_facts_arrange(facts, NULL), 0);
	required = excluded = (struct hostlist){ .count = 0 };
}

static void tear_down(void)
{
	named_nodes_clear(&named);
	named_nodes_clear(&named);
	hostlist_clear(&required);
	hostlist_clear(&excluded);
	node_facts_put(facts);
}

START_TEST(test_flags)
{
	ck_assert_int_eq(hostlist_expand("n[03,17]", &required, NULL), 0);
	ck_assert_int_eq(hostlist_expand("x[1-60000],n05", &excluded, NULL), 0);
	ck_assert_int_eq(
		named_nodes_find(NULL, facts, &required, &excluded, &named), 0);
	ck_assert(!named.strange);
	ck_assert_ptr_null(named.out);
	ck_assert_uint_eq(named.required_count, 2);
	for (uint32_t i = 0; i < NODES; i++) {
		bool wanted = i == node_facts_find(facts, "n03") ||
			      i == node_facts_find(facts, "n17");

		ck_assert_int_eq(named.required[i], wanted);
		ck_assert_int_eq(named.excluded[i],
				 i == node_facts_find(facts, "n05"));
	}
}
END_TEST

START_TEST(test_none_and_strange_ones)
{
	ck_assert_int_eq(named_nodes_find(NULL, facts, NULL, &excluded, &named),
			 0);
	ck_assert_ptr_null(named.required);
	ck_assert_ptr_null(named.excluded);
	ck_assert_uint_eq(named.required_count, 0);
	ck_assert_int_eq(hostlist_expand("n[38-41]", &required, NULL), 0);
	ck_assert_int_eq(named_nodes_find(NULL, facts, &required, NULL, &named),
			 0);
	ck_assert(named.strange);
	named_nodes_clear(&named);
	ck_assert_int_eq(named_nodes_find(NULL, NULL, &required, NULL, &named),
			 0);
	ck_assert(!named.strange);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_flags, test_none_and_strange_ones,
				       NULL };

	return suite_run_each("named_nodes", tests, set_up, tear_down);
}
