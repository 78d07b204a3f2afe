/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_order_table.c - when an order of ranks is computed, kept
 * and forgotten */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/whatif/order_table.h"
#include "tests/unit/suite.h"

static const double even[] = { .9, .45, .9 };

static struct order_key make_key(int i)
{
	struct order_key key = { .user_id = 1000, .ranks = 3 };

	strcpy(key.cluster, "c");
	snprintf(key.application, sizeof(key.application), "app%d", i);
	strcpy(key.nodes, "n[1-3]");
	return key;
}

static struct rank_order make_order(double gain)
{
	struct rank_order order = { .ranks = 3,
				    .gain = gain,
				    .gain_low = gain };

	order.names = calloc(3, sizeof(*order.names));
	for (int r = 0; r < 3; r++)
		snprintf(order.names[r], sizeof(order.names[r]), "n%d", 3 - r);
	return order;
}

static enum order_state ask(struct order_table *table, int i, const char *job,
			    const double shares[], double now_s)
{
	struct order_key key = make_key(i);
	struct rank_order order = { 0 };
	enum order_state state =
		order_table_ask(table, &key, job, shares, 3, now_s, &order);

	if (state == ORDER_READY)
		ck_assert_str_eq(order.names[0], "n3");
	else
		ck_assert_ptr_null(order.names);
	rank_order_clear(&order);
	return state;
}

static void done(struct order_table *table, int i, double gain)
{
	struct order_key key = make_key(i);
	struct rank_order order = make_order(gain);

	order_table_done(table, &key, &order);
	ck_assert_ptr_null(order.names);
}

static void failed(struct order_table *table, int i)
{
	struct order_key key = make_key(i);

	order_table_done(table, &key, NULL);
}

START_TEST(test_life)
{
	struct order_table *table = order_table_create();

	ck_assert_int_eq(ask(table, 0, "a", even, 100), ORDER_BEGIN);
	ck_assert_int_eq(ask(table, 0, "a", even, 101), ORDER_COMPUTING);
	ck_assert_int_eq(ask(table, 0, "b", even, 101), ORDER_COMPUTING);
	done(table, 0, 1.3);
	ck_assert_int_eq(ask(table, 0, "a", even, 102), ORDER_READY);
	ck_assert_int_eq(ask(table, 0, "b", even, 102), ORDER_READY);
	/* One that does not pay is not looked for again. */
	ck_assert_int_eq(ask(table, 1, "a", even, 103), ORDER_BEGIN);
	done(table, 1, 1.01);
	ck_assert_int_eq(ask(table, 1, "b", even, 104), ORDER_NONE);
	/* After a failure it is, in a while. */
	ck_assert_int_eq(ask(table, 2, "a", even, 105), ORDER_BEGIN);
	failed(table, 2);
	ck_assert_int_eq(ask(table, 2, "a", even, 106), ORDER_COMPUTING);
	ck_assert_int_eq(ask(table, 2, "a", even, 105 + ORDER_RETRY_S),
			 ORDER_BEGIN);
	failed(table, 2);
	/* Old, or the clock was wrong. */
	ck_assert_int_eq(ask(table, 0, "b", even, 100 + ORDER_AGE_MAX_S),
			 ORDER_READY);
	ck_assert_int_eq(ask(table, 0, "b", even, 101 + ORDER_AGE_MAX_S),
			 ORDER_BEGIN);
	done(table, 0, 1.3);
	ck_assert_int_eq(ask(table, 0, "b", even, 50), ORDER_BEGIN);
	order_table_release(table);
}
END_TEST

/* Another user, another size, other nodes. */
START_TEST(test_keys)
{
	struct order_table *table = order_table_create();
	struct order_key keys[4] = { make_key(0), make_key(0), make_key(0),
				     make_key(0) };
	struct rank_order order = { 0 };

	ck_assert_int_eq(ask(table, 0, "a", even, 100), ORDER_BEGIN);
	done(table, 0, 1.3);
	keys[0].user_id++;
	keys[1].ranks++;
	strcpy(keys[2].cluster, "d");
	strcpy(keys[3].nodes, "n[1-2,4]");
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(order_table_ask(table, &keys[i], "a", even, 3,
						 101, &order),
				 ORDER_BEGIN);
		order_table_done(table, &keys[i], NULL);
	}
	keys[1].ranks = ORDER_RANKS_MAX + 1;
	ck_assert_int_eq(
		order_table_ask(table, &keys[1], "a", even, 3, 101, &order),
		ORDER_NONE);
	ck_assert_int_eq(
		order_table_ask(table, &keys[0], "a", even, 0, 101, &order),
		ORDER_NONE);
	order_table_release(table);
}
END_TEST

/* Nodes that have changed against each other make it old, but for the job that
 * it was made for. */
START_TEST(test_shares)
{
	static const double slower[] = { .44, .23, .45 };
	static const double other[] = { .45, .9, .9 };
	static const double unknown[] = { .9, NAN, .9 };
	static const double none[] = { 0, 0, 0 };
	struct order_table *table = order_table_create();

	ck_assert_int_eq(ask(table, 0, "a", even, 100), ORDER_BEGIN);
	done(table, 0, 1.3);
	ck_assert_int_eq(ask(table, 0, "b", slower, 101), ORDER_READY);
	ck_assert_int_eq(ask(table, 0, "a", other, 101), ORDER_READY);
	ck_assert_int_eq(ask(table, 0, "b", other, 101), ORDER_BEGIN);
	done(table, 0, 1.3);
	ck_assert_int_eq(ask(table, 0, "c", other, 102), ORDER_READY);
	ck_assert_int_eq(ask(table, 0, "c", unknown, 102), ORDER_BEGIN);
	done(table, 0, 1.3);
	ck_assert_int_eq(ask(table, 0, "d", none, 103), ORDER_BEGIN);
	failed(table, 0);
	order_table_release(table);
}
END_TEST

/* Few searches at a time, and a bounded number of orders: the one that nobody
 * wanted for longest goes. */
START_TEST(test_bounds)
{
	struct order_table *table = order_table_create();

	ck_assert_int_eq(ask(table, 0, "a", even, 1), ORDER_BEGIN);
	ck_assert_int_eq(ask(table, 1, "a", even, 1), ORDER_BEGIN);
	ck_assert_int_eq(ask(table, 2, "a", even, 1), ORDER_COMPUTING);
	done(table, 0, 1.3);
	ck_assert_int_eq(ask(table, 2, "a", even, 1), ORDER_BEGIN);
	done(table, 1, 1.3);
	done(table, 2, 1.3);
	for (int i = 3; i < ORDERS_MAX; i++) {
		ck_assert_int_eq(ask(table, i, "a", even, 2), ORDER_BEGIN);
		done(table, i, 1.3);
	}
	for (int i = 0; i < ORDERS_MAX; i++)
		if (i != 7)
			ck_assert_int_eq(ask(table, i, "a", even, 3),
					 ORDER_READY);
	ck_assert_int_eq(ask(table, ORDERS_MAX, "a", even, 4), ORDER_BEGIN);
	done(table, ORDERS_MAX, 1.3);
	ck_assert_int_eq(ask(table, 8, "a", even, 5), ORDER_READY);
	ck_assert_int_eq(ask(table, 7, "a", even, 5), ORDER_BEGIN);
	order_table_release(table);
}
END_TEST

static void count_call(void *context)
{
	++*(int *)context;
}

/* A search that outlives the server. */
START_TEST(test_closed)
{
	struct order_table *table = order_table_create();
	struct order_table *shared = order_table_share(table);
	int calls = 0;

	ck_assert_int_eq(ask(table, 0, "a", even, 1), ORDER_BEGIN);
	ck_assert_int_eq(order_table_if_open(shared, count_call, &calls), 0);
	order_table_close(table);
	ck_assert(order_table_closed(shared));
	ck_assert_int_eq(order_table_if_open(shared, count_call, &calls), -1);
	ck_assert_int_eq(calls, 1);
	ck_assert_int_eq(ask(table, 1, "a", even, 1), ORDER_COMPUTING);
	order_table_release(table);
	done(shared, 0, 1.3);
	order_table_release(shared);
	order_table_release(NULL);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_life,   test_keys,   test_shares,
				       test_bounds, test_closed, NULL };

	return suite_run("order_table", tests);
}
