/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_stock_sets.c - the nodes that stock select/cons_tres takes */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/placement/stock_sets.h"
#include "tests/unit/suite.h"

#define NODES 12

static struct node_facts *facts;
static bool open[NODES], required[NODES], taken[NODES];
static uint32_t idle[NODES];

/* n1 to n12, in slurmctld's order, not that of their names. */
static void facts_make(const uint32_t weights[NODES])
{
	static struct node_properties node;

	facts = node_facts_create("tiny");
	for (int i = 0; i < NODES; i++) {
		memset(&node, 0, sizeof(node));
		snprintf(node.name, sizeof(node.name), "n%d", i + 1);
		node.cpus = 8;
		node.weight = weights ? weights[i] : 1;
		ck_assert_int_eq(node_facts_add(facts, &node, NULL), 0);
	}
	ck_assert_int_eq(node_facts_arrange(facts, NULL), 0);
	memset(required, 0, sizeof(required));
	for (int i = 0; i < NODES; i++) {
		open[i] = true;
		idle[i] = 8;
	}
}

static void begin(void)
{
	facts_make(NULL);
}

static void end(void)
{
	node_facts_put(facts);
}

static uint32_t find(int number)
{
	char name[16];

	snprintf(name, sizeof(name), "n%d", number);
	return node_facts_find(facts, name);
}

static void close_nodes(const int numbers[])
{
	for (int i = 0; numbers[i]; i++)
		open[find(numbers[i])] = false;
}

typedef uint32_t choice(const struct stock_request *request, uint32_t *ret);

static void assert_chosen(choice *choose, uint32_t nodes, uint32_t cpus,
			  const char *expected)
{
	uint32_t picked[NODES];
	char text[128];
	struct hostlist list;
	const struct stock_request request = {
		.facts = facts,
		.open = open,
		.idle = idle,
		.taken = taken,
		.nodes = nodes,
		.cpus = cpus,
	};

	memcpy(taken, required, sizeof(taken));
	list.count = choose(&request, picked);
	list.names = calloc(NODES, sizeof(list.names[0]));
	for (size_t i = 0; i < list.count; i++) {
		ck_assert(taken[picked[i]]);
		strcpy(list.names[i], facts->nodes[picked[i]].name);
	}
	hostlist_compress(&list, text, sizeof(text));
	ck_assert_str_eq(text, expected);
	free(list.names);
}

static uint32_t at_the_end(const struct stock_request *request, uint32_t *ret)
{
	return stock_at(request, 1, ret);
}

static uint32_t in_the_middle(const struct stock_request *request,
			      uint32_t *ret)
{
	return stock_at(request, 0.5, ret);
}

START_TEST(test_the_first_that_fit)
{
	assert_chosen(stock_first, 1, 1, "n1");
	assert_chosen(stock_first, 3, 3, "n[1-3]");
	assert_chosen(stock_first, 12, 12, "n[1-12]");
	assert_chosen(stock_first, 4, 4, "n[1-4]");
	close_nodes((int[]){ 1, 2, 0 });
	assert_chosen(stock_first, 1, 1, "n3");
}
END_TEST

/* Free are 1, 3-5, 7-8, 10-12. */
START_TEST(test_runs_of_neighbours)
{
	close_nodes((int[]){ 2, 6, 9, 0 });
	assert_chosen(stock_first, 1, 1, "n1");
	assert_chosen(stock_first, 2, 2, "n[7-8]");
	assert_chosen(stock_first, 3, 3, "n[3-5]");
	/* None is enough: the largest, then the smallest of what is. */
	assert_chosen(stock_first, 4, 4, "n[1,3-5]");
	assert_chosen(stock_first, 5, 5, "n[3-5,7-8]");
	/* CPUs count, too. */
	idle[find(7)] = 1;
	assert_chosen(stock_first, 2, 16, "n[3-4]");
	/* Fewer than requested. */
	close_nodes((int[]){ 1, 3, 4, 5, 7, 8, 10, 0 });
	assert_chosen(stock_first, 3, 3, "n[11-12]");
}
END_TEST

START_TEST(test_weights)
{
	static const uint32_t weights[NODES] = { 9, 9, 9, 9, 2, 2,
						 9, 9, 2, 9, 9, 9 };

	end();
	facts_make(weights);
	assert_chosen(stock_first, 1, 1, "n9");
	assert_chosen(stock_first, 2, 2, "n[5-6]");
	assert_chosen(stock_first, 3, 3, "n[5-6,9]");
	/* Then the smallest run of the others. */
	assert_chosen(stock_first, 5, 5, "n[5-9]");
}
END_TEST

START_TEST(test_required_nodes)
{
	required[find(11)] = true;
	assert_chosen(stock_first, 1, 1, "n11");
	close_nodes((int[]){ 1, 0 });
	assert_chosen(stock_least_loaded, 2, 2, "n[2,11]");
	assert_chosen(at_the_end, 2, 2, "n[11-12]");
}
END_TEST

START_TEST(test_the_least_loaded)
{
	for (int i = 1; i <= NODES; i++)
		idle[find(i)] = (uint32_t)(i % 4) * 2 + 1;
	assert_chosen(stock_least_loaded, 1, 1, "n3");
	assert_chosen(stock_least_loaded, 3, 3, "n[3,7,11]");
	assert_chosen(stock_least_loaded, 4, 4, "n[2-3,7,11]");
	idle[find(12)] = 5000;
	assert_chosen(stock_least_loaded, 1, 1, "n12");
	close_nodes((int[]){ 12, 11, 7, 3, 2, 6, 10, 1, 5, 0 });
	assert_chosen(stock_least_loaded, 4, 1, "n[4,8-9]");
}
END_TEST

START_TEST(test_any_nodes)
{
	assert_chosen(at_the_end, 2, 2, "n[11-12]");
	assert_chosen(in_the_middle, 2, 2, "n[6-7]");
	close_nodes((int[]){ 12, 7, 0 });
	assert_chosen(at_the_end, 2, 2, "n[10-11]");
	assert_chosen(in_the_middle, 12, 12, "n[1-6,8-11]");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_the_first_that_fit,
				       test_runs_of_neighbours,
				       test_weights,
				       test_required_nodes,
				       test_the_least_loaded,
				       test_any_nodes,
				       NULL };

	return suite_run_each("stock_sets", tests, begin, end);
}
