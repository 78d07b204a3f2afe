/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_kept_texts.c - big replies, kept for a second */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/http/kept_texts.h"
#include "tests/unit/suite.h"

static struct kept_texts texts;
static char text[KEPT_ALL_MAX];

static void set_up(void)
{
	memset(&texts, 0, sizeof(texts));
	memset(text, 'x', sizeof(text));
	kept_texts_init(&texts);
}

static void tear_down(void)
{
	kept_texts_clear(&texts);
	ck_assert_uint_eq(texts.bytes, 0);
}

static bool is_kept(const char *target, uint64_t scope, double now_s)
{
	struct kept_text *kept = kept_texts_find(&texts, target, scope, now_s);
	bool found = kept != NULL;

	kept_text_release(kept);
	return found;
}

static void put(const char *target, uint64_t scope, double now_s, size_t size)
{
	kept_text_release(
		kept_texts_put(&texts, target, scope, now_s, text, size));
}

START_TEST(test_who_sees_the_same_for_a_second)
{
	put("/v1/nodes", 7, 13.5, 20000);
	ck_assert(is_kept("/v1/nodes", 7, 14.4));
	ck_assert(!is_kept("/v1/nodes", 8, 14.4));
	ck_assert(!is_kept("/v1/nodes?limit=3", 7, 14.4));
	ck_assert(!is_kept("/v1/nodes", 7, 14.6));
	put("/v1/links", 7, 13.5, KEPT_LEAST - 1);
	ck_assert(!is_kept("/v1/links", 7, 13.5));
}
END_TEST

/* A text lives as long as somebody sends it. */
START_TEST(test_replaced)
{
	struct kept_text *old;

	text[0] = 'a';
	put("/v1/nodes", 7, 13.5, 20000);
	old = kept_texts_find(&texts, "/v1/nodes", 7, 13.5);
	ck_assert_ptr_nonnull(old);
	text[0] = 'b';
	put("/v1/nodes", 7, 13.7, 30000);
	ck_assert_uint_eq(texts.bytes, 30000);
	ck_assert_int_eq(old->text[0], 'a');
	ck_assert_uint_eq(old->size, 20000);
	kept_text_release(old);
	ck_assert(is_kept("/v1/nodes", 7, 14.6));
}
END_TEST

START_TEST(test_bounded)
{
	char target[32];

	for (int i = 0; i < 3 * KEPT_TEXTS_MAX; i++) {
		snprintf(target, sizeof(target), "/v1/nodes?limit=%d", i);
		put(target, 7, 13.5, 20000);
		ck_assert(is_kept(target, 7, 13.5) == (i < KEPT_TEXTS_MAX));
	}
	/* A second later all that is old makes room. */
	put("/v1/nodes", 7, 14.6, KEPT_ALL_MAX - 1);
	ck_assert_uint_eq(texts.bytes, KEPT_ALL_MAX - 1);
	put("/v1/links", 7, 14.7, 20000);
	ck_assert(!is_kept("/v1/links", 7, 14.7));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_who_sees_the_same_for_a_second,
				       test_replaced, test_bounded, NULL };

	return suite_run_each("kept_texts", tests, set_up, tear_down);
}
