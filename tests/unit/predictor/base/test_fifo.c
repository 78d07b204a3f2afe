/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fifo.c - items come out in the order in which they went in */
#include <stdlib.h>

#include "predictor/base/fifo.h"
#include "tests/unit/suite.h"

struct numbered {
	struct fifo_link link;
	int number;
};

static struct fifo fifo;
static struct numbered items[100];

static void set_up(void)
{
	fifo_init(&fifo);
	for (int i = 0; i < 100; i++)
		items[i].number = i;
}

static void put(int from, int to, size_t weight)
{
	for (int i = from; i <= to; i++)
		fifo_put(&fifo, &items[i].link, weight);
}

/* The list holds exactly the items from `from` to `to`. */
static void check_list(struct numbered *list, int from, int to)
{
	for (int i = from; i <= to; i++) {
		ck_assert_ptr_nonnull(list);
		ck_assert_int_eq(list->number, i);
		list = fifo_next(&list->link);
	}
	ck_assert_ptr_null(list);
}

START_TEST(test_order)
{
	ck_assert_ptr_null(fifo_take(&fifo, 9, 9));
	put(3, 7, 1);
	ck_assert_uint_eq(fifo.count, 5);
	check_list(fifo_take(&fifo, 2, 100), 3, 4);
	put(8, 9, 1);
	check_list(fifo_take(&fifo, 100, 100), 5, 9);
	ck_assert_uint_eq(fifo.count, 0);
	ck_assert_ptr_null(fifo_take(&fifo, 9, 9));
	put(10, 10, 1);
	check_list(fifo_take(&fifo, 1, 1), 10, 10);
}
END_TEST

START_TEST(test_weights)
{
	put(1, 5, 7);
	put(6, 6, 50);
	put(7, 8, 0);
	ck_assert_uint_eq(fifo.weight, 85);
	check_list(fifo_take(&fifo, 100, 21), 1, 3);
	check_list(fifo_take(&fifo, 100, 20), 4, 5);
	ck_assert_uint_eq(fifo.weight, 50);
	/* One is taken though it is too heavy. */
	check_list(fifo_take(&fifo, 100, 20), 6, 6);
	check_list(fifo_take(&fifo, 1, 0), 7, 7);
	ck_assert_uint_eq(fifo.count, 1);
	ck_assert_uint_eq(fifo.weight, 0);
}
END_TEST

START_TEST(test_return)
{
	put(1, 9, 3);

	struct numbered *list = fifo_take(&fifo, 4, 100);

	fifo_return(&fifo, &list->link);
	ck_assert_uint_eq(fifo.count, 9);
	ck_assert_uint_eq(fifo.weight, 27);
	list = fifo_take(&fifo, 100, 100);
	check_list(list, 1, 9);
	/* Into an empty one; what is put then comes behind. */
	fifo_return(&fifo, &list->link);
	put(10, 11, 3);
	fifo_return(&fifo, NULL);
	check_list(fifo_take(&fifo, 100, 100), 1, 11);
	fifo_return(&fifo, NULL);
	put(12, 12, 3);
	check_list(fifo_take(&fifo, 100, 100), 12, 12);
}
END_TEST

/* Against two counters: the next to put and the next to take. */
START_TEST(test_random)
{
	int in = 0, out = 0;

	srandom(7);
	for (int step = 0; step < 10000; step++) {
		if (random() % 2 && in - out < 100) {
			items[in % 100].number = in;
			fifo_put(&fifo, &items[in % 100].link,
				 (size_t)(in % 5));
			in++;
			continue;
		}

		size_t most = (size_t)(random() % 4 + 1);
		struct numbered *list = fifo_take(&fifo, most, 10);

		if (random() % 3 == 0) {
			fifo_return(&fifo, list ? &list->link : NULL);
			continue;
		}
		for (; list; list = fifo_next(&list->link))
			ck_assert_int_eq(list->number, out++);
		ck_assert_int_eq((int)fifo.count, in - out);
	}
	ck_assert_int_gt(out, 1000);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_order, test_weights, test_return,
				       test_random, NULL };

	return suite_run_each("fifo", tests, set_up, NULL);
}
