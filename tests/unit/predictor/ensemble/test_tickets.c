/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_tickets.c - which jobs are in flight */
#include "predictor/ensemble/tickets.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static uint32_t add(struct tickets *t, uint64_t id, uint64_t user, double at_s)
{
	bool forgot;
	uint32_t at = tickets_add(t, id, user, at_s, &forgot);

	ck_assert_uint_ne(at, TICKET_NONE);
	ck_assert(!forgot);
	return at;
}

/* Jobs that never start are counted for two weeks, all others until their
 * end. */
START_TEST(test_never_started)
{
	struct tickets *t = tickets_create();
	uint32_t late, started;

	for (uint64_t id = 1; id <= 100; id++)
		add(t, id, 7, 1000);
	late = tickets_find(t, 10);
	started = tickets_find(t, 20);
	tickets_start(t, started);
	add(t, 101, 7, 1000 + TICKETS_WAIT_S / 2);
	ck_assert_uint_eq(tickets_of_user(t, 7), 101);
	ck_assert_uint_eq(tickets_at(t, tickets_find(t, 101))->in_flight, 101);
	tickets_remove(t, tickets_find(t, 1)); /* the oldest */
	tickets_advance(t, 999 + TICKETS_WAIT_S);
	ck_assert_uint_eq(tickets_of_user(t, 7), 100);
	tickets_advance(t, 1001 + TICKETS_WAIT_S);
	ck_assert_uint_eq(tickets_of_user(t, 7), 2);

	/* It starts all the same, and is judged by what was said. */
	tickets_start(t, late);
	tickets_start(t, late);
	ck_assert_uint_eq(tickets_of_user(t, 7), 3);
	tickets_remove(t, late);
	ck_assert_uint_eq(tickets_of_user(t, 7), 2);
	tickets_remove(t, tickets_find(t, 30));
	ck_assert_uint_eq(tickets_of_user(t, 7), 2);
	tickets_advance(t, 1e9);
	ck_assert_uint_eq(tickets_of_user(t, 7), 1);
	tickets_remove(t, started);
	ck_assert_uint_eq(tickets_of_user(t, 7), 0);
	tickets_destroy(t);
}
END_TEST

/* A lost run is not in flight any more, and its end may come all the same. */
START_TEST(test_lost)
{
	struct tickets *t = tickets_create();
	uint32_t lost[2];

	for (uint64_t id = 1; id <= 5; id++)
		add(t, id, 7, 1000);
	for (uint64_t i = 0; i < 2; i++) {
		lost[i] = tickets_find(t, 2 + i);
		tickets_start(t, lost[i]);
		tickets_lose(t, lost[i]);
		tickets_lose(t, lost[i]);
	}
	ck_assert_uint_eq(tickets_of_user(t, 7), 3);
	tickets_start(t, lost[0]);
	ck_assert_uint_eq(tickets_of_user(t, 7), 4);
	tickets_remove(t, lost[1]);
	ck_assert_uint_eq(tickets_of_user(t, 7), 4);
	tickets_destroy(t);
}
END_TEST

/* The count is that of a walk over all. */
START_TEST(test_any_order)
{
	struct tickets *t = tickets_create();
	struct random r = { 3 };
	double submitted_s[2001];
	bool there[2001] = { false }, started[2001] = { false };
	uint32_t next = 1, first = 1;

	for (double now_s = 0; next <= 2000; now_s += TICKETS_WAIT_S / 300) {
		uint32_t id = first + (uint32_t)random_below(&r, next);

		tickets_advance(t, now_s);
		submitted_s[next] = now_s;
		there[next] = true;
		add(t, next, 9, now_s);
		next++;
		if (id < next && there[id]) {
			if (random_below(&r, 2)) {
				tickets_start(t, tickets_find(t, id));
				started[id] = true;
			} else {
				tickets_remove(t, tickets_find(t, id));
				there[id] = false;
			}
		}

		uint32_t count = 0;

		for (uint32_t i = 1; i < next; i++)
			count += there[i] &&
				 (started[i] ||
				  !(submitted_s[i] + TICKETS_WAIT_S < now_s));
		ck_assert_uint_eq(tickets_of_user(t, 9), count);
	}
	tickets_destroy(t);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_never_started, test_lost,
				       test_any_order, NULL };

	return suite_run("tickets", tests);
}
