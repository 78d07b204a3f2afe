/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_records.c - the newest of many structs, found by a key */
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/records.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

struct thing {
	char name[500];
	uint64_t number;
	char more[300];
};

/* Anything from all zeros to no zero at all. */
static struct thing thing_of(uint64_t key, uint64_t version)
{
	struct random r = { key * 1000 + version };
	struct thing thing = { .number = key };
	uint64_t share = random_below(&r, 5);

	for (size_t i = 0; i < sizeof(thing.name); i++)
		if (random_below(&r, 4) < share)
			thing.name[i] = (char)(1 + random_below(&r, 255));
	memset(thing.more, 'x', random_below(&r, sizeof(thing.more) + 1));
	return thing;
}

START_TEST(test_keeps_the_newest)
{
	struct records *r = records_create(sizeof(struct thing), 100, 20000);
	struct random random = { 31 };
	uint64_t version[400] = { 0 };

	for (uint64_t step = 1; step <= 20000; step++) {
		uint64_t key = random_below(&random, 400);
		struct thing thing = thing_of(key, step);
		struct thing got;

		ck_assert_int_eq(records_put(r, key, &thing, key % 2), 0);
		version[key] = step;
		ck_assert_int_eq(records_get(r, key, &got), 0);
		ck_assert_mem_eq(&got, &thing, sizeof(got));

		/* What is there is the last that was put. */
		key = random_below(&random, 400);
		if (records_get(r, key, &got) == 0) {
			thing = thing_of(key, version[key]);
			ck_assert_mem_eq(&got, &thing, sizeof(got));
		}
	}

	uint32_t count = 0;
	uint32_t marked = 0;

	for (uint64_t key = 0; key < 400; key++) {
		struct thing got;
		bool there = records_get(r, key, &got) == 0;

		count += there;
		marked += there && key % 2;
	}
	ck_assert_uint_eq(records_count(r), count);
	ck_assert_uint_eq(records_marked(r), marked);
	ck_assert_uint_gt(count, 15);
	ck_assert_uint_le(count, 100);
	records_destroy(r);
	records_destroy(NULL);
}
END_TEST

START_TEST(test_zeros_take_no_room)
{
	struct records *r = records_create(60000, 1000, 200000);
	char *thing = calloc(1, 60000);
	char *got = malloc(60000);

	for (uint64_t key = 0; key < 1000; key++) {
		thing[key * 50] = 1;
		thing[59999] = (char)key;
		ck_assert_int_eq(records_put(r, key, thing, false), 0);
		thing[key * 50] = 0;
	}
	ck_assert_uint_eq(records_count(r), 1000);
	ck_assert_int_eq(records_get(r, 17, got), 0);
	ck_assert_int_eq(got[17 * 50], 1);
	ck_assert_int_eq(got[59999], 17);
	free(thing);
	free(got);
	records_destroy(r);
	ck_assert_ptr_null(records_create(70000, 10, 1 << 20));
	ck_assert_ptr_null(records_create(1000, 10, 1999));
}
END_TEST

/* A record that shrinks has room to grow again, and nobody takes it. */
START_TEST(test_updates_in_their_room)
{
	struct records *r = records_create(64, 100, 10000);
	uint64_t full[8], empty[8] = { 0 }, got[8];

	memset(full, 0xff, sizeof(full));
	for (uint64_t key = 0; key < 90; key++)
		records_put(r, key, key == 40 ? full : empty, false);
	for (int i = 0; i < 1000; i++)
		records_update(r, 40, i % 2 ? full : empty);
	for (uint64_t key = 0; key < 90; key++)
		ck_assert_int_eq(records_get(r, key, got), 0);
	for (uint64_t i = 0; i < 5000; i++) {
		full[0] = i;
		records_put(r, 1000 + i, i % 3 ? full : empty, false);
		if (i < 30)
			continue;
		records_update(r, 1000 + i - 20, empty);
		records_update(r, 1000 + i - 20, full);
		ck_assert_int_eq(records_get(r, 1000 + i - 20, got), 0);
		ck_assert_mem_eq(got, full, sizeof(got));
	}
	records_destroy(r);
}
END_TEST

/* However often a few records are updated, the others stay. */
START_TEST(test_updates_push_none_out)
{
	struct records *r = records_create(64, 100, 10000);
	uint64_t thing[8] = { 1, 2, 3 }, got[8];

	for (uint64_t key = 0; key < 90; key++) {
		thing[7] = key;
		ck_assert_int_eq(records_put(r, key, thing, key % 2), 0);
	}
	for (uint64_t i = 1; i < 10000; i++) {
		thing[1] = i;
		thing[7] = i % 3;
		records_update(r, i % 3, thing);
	}
	records_update(r, 1000, thing);
	ck_assert_uint_eq(records_count(r), 90);
	ck_assert_uint_eq(records_marked(r), 45);
	for (uint64_t key = 0; key < 90; key++) {
		ck_assert_int_eq(records_get(r, key, got), 0);
		ck_assert_uint_eq(got[7], key);
		ck_assert_uint_eq(got[1], key < 3 ? 9999 - (3 - key) % 3 : 2);
	}
	/* Grown, it is a new one. */
	memset(thing, 0xff, sizeof(thing));
	records_update(r, 5, thing);
	ck_assert_int_eq(records_get(r, 5, got), 0);
	ck_assert_mem_eq(got, thing, sizeof(got));
	records_destroy(r);
}
END_TEST

/* A reader has each once, in the order of arrival, while others come and the
 * oldest are dropped. */
START_TEST(test_read_while_others_come)
{
	struct records *r = records_create(sizeof(uint64_t), 7, 1000);
	uint64_t cursor = 0, before = 0, got, key = 0;
	int count = 0;

	for (; key < 12; key++)
		records_put(r, key, &key, false);
	while (!records_next(r, &cursor, &got)) {
		ck_assert_uint_eq(got, count++ ? before + 1 : 5);
		before = got;
		if (key < 18) {
			records_put(r, key, &key, false);
			key++;
		}
	}
	ck_assert_int_eq(count, 13);
	for (; key < 35; key++)
		records_put(r, key, &key, false);
	ck_assert_int_eq(records_next(r, &cursor, &got), 0);
	ck_assert_uint_eq(got, 28);
	records_destroy(r);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_keeps_the_newest,       test_zeros_take_no_room,
		test_updates_in_their_room,  test_updates_push_none_out,
		test_read_while_others_come, NULL,
	};

	return suite_run("records", tests);
}
