/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_index.c - hash table of positions in the caller's array */
#include <stdlib.h>

#include "predictor/base/index.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define KEYS 3000

struct key {
	const uint32_t *keys;
	uint32_t wanted;
};

static bool same(const void *context, uint32_t position)
{
	const struct key *key = context;

	return key->keys[position] == key->wanted;
}

/* Few hash values, so that there are long chains to take elements out of. */
static uint64_t bad_hash(uint32_t key)
{
	return key % 37;
}

START_TEST(test_finds_what_is_there_and_nothing_else)
{
	struct random r = { 17 };
	struct index index = { 0 };
	uint32_t keys[KEYS];
	bool there[KEYS] = { false };

	for (uint32_t i = 0; i < KEYS; i++)
		keys[i] = i;
	for (int step = 0; step < 20000; step++) {
		uint32_t i = (uint32_t)random_below(&r, KEYS);
		struct key key = { keys, i };

		ck_assert_uint_eq(index_find(&index, bad_hash(i), same, &key),
				  there[i] ? i : INDEX_NONE);
		if (there[i]) {
			index_remove(&index, bad_hash(i), i);
		} else {
			ck_assert_int_eq(index_reserve(&index), 0);
			index_add(&index, bad_hash(i), i);
		}
		there[i] = !there[i];
	}

	uint32_t count = 0;

	for (uint32_t i = 0; i < KEYS; i++) {
		struct key key = { keys, i };

		count += there[i];
		ck_assert_uint_eq(index_find(&index, bad_hash(i), same, &key),
				  there[i] ? i : INDEX_NONE);
	}
	ck_assert_uint_eq(index.count, count);
	index_remove(&index, 4711, 3); /* not there: nothing happens */
	ck_assert_uint_eq(index.count, count);
	index_clear(&index);
	index_clear(&index);
	ck_assert_uint_eq(index_find(&index, 1, same, NULL), INDEX_NONE);
}
END_TEST

START_TEST(test_hashes_depend_on_all_bytes)
{
	char text[] = "the quick brown fox";
	uint64_t hash = index_hash_text(0, text);

	ck_assert_uint_eq(index_hash_text(0, text), hash);
	ck_assert_uint_ne(index_hash_text(1, text), hash);
	for (size_t i = 0; i < sizeof(text) - 1; i++) {
		text[i] ^= 1;
		ck_assert_uint_ne(index_hash_text(0, text), hash);
		text[i] ^= 1;
	}
	ck_assert_uint_ne(index_hash(0, text, 3), index_hash(0, text, 4));
	ck_assert_uint_ne(index_hash(0, "\0", 1), index_hash(0, "\0\0", 2));
}
END_TEST

/* Not by chance: each of these hashes is a bijection of the key. */
START_TEST(test_small_keys_are_found_by_their_hashes)
{
	struct index index = { 0 };

	for (uint32_t i = 0; i < 50000; i++) {
		const uint32_t pair[2] = { i / 250, i % 250 };
		uint64_t hash = index_hash(2, pair, sizeof(pair));

		ck_assert_uint_eq(index_find(&index, hash, NULL, NULL),
				  INDEX_NONE);
		ck_assert_int_eq(index_reserve(&index), 0);
		index_add(&index, hash, i);
	}
	for (uint32_t i = 0; i < 50000; i += 7) {
		const uint32_t pair[2] = { i / 250, i % 250 };
		uint64_t hash = index_hash(2, pair, sizeof(pair));

		ck_assert_uint_eq(index_find(&index, hash, NULL, NULL), i);
	}
	index_clear(&index);
}
END_TEST

START_TEST(test_arrays_grow)
{
	int *numbers = NULL;
	uint32_t capacity = 0;

	for (uint32_t i = 0; i < 1000; i++) {
		ck_assert_int_eq(
			index_grow(&numbers, &capacity, i, sizeof(*numbers)),
			0);
		ck_assert_uint_gt(capacity, i);
		numbers[i] = (int)i;
	}
	for (uint32_t i = 0; i < 1000; i++)
		ck_assert_int_eq(numbers[i], (int)i);
	/* By more than its usual step, at once. */
	ck_assert_int_eq(
		index_grow(&numbers, &capacity, 9999, sizeof(*numbers)), 0);
	ck_assert_uint_ge(capacity, 10000);
	numbers[9999] = 1;
	ck_assert_int_eq(numbers[999], 999);
	ck_assert_int_eq(
		index_grow(&numbers, &capacity, UINT32_MAX, sizeof(*numbers)),
		-1);
	capacity = UINT32_MAX;
	ck_assert_int_eq(
		index_grow(&numbers, &capacity, UINT32_MAX, sizeof(*numbers)),
		-1);
	free(numbers);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_finds_what_is_there_and_nothing_else,
		test_hashes_depend_on_all_bytes,
		test_small_keys_are_found_by_their_hashes,
		test_arrays_grow,
		NULL,
	};

	return suite_run("index", tests);
}
