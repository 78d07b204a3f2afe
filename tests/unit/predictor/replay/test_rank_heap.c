/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rank_heap.c - random changes, against a search of all */
#include <stdbool.h>

#include "predictor/replay/rank_heap.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define NUMBERS 61

START_TEST(test_against_search)
{
	int items[NUMBERS];
	int positions[NUMBERS];
	double keys[NUMBERS];
	bool inside[NUMBERS] = { false };
	struct rank_heap heap = { 0, items, positions, keys };
	struct random random = { 61 };

	for (int i = 0; i < 20000; i++) {
		int item = random_below(&random, NUMBERS);
		double key = random_below(&random, 30) * .37; /* some equal */

		if (!inside[item]) {
			rank_heap_add(&heap, item, key);
			inside[item] = true;
		} else if (random_below(&random, 2)) {
			rank_heap_change(&heap, item, key);
		} else {
			rank_heap_remove(&heap, item);
			inside[item] = false;
		}

		int first = -1;
		int count = 0;

		for (int k = 0; k < NUMBERS; k++) {
			count += inside[k];
			if (inside[k] && (first < 0 || keys[k] < keys[first]))
				first = k;
		}
		ck_assert_int_eq(count, heap.count);
		if (first >= 0)
			ck_assert_int_eq(items[0], first);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_against_search, NULL };

	return suite_run("rank_heap", tests);
}
