/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_traits.c - the texts that a user gave to an application */
#include <stdio.h>
#include <string.h>

#include "predictor/features/application.h"
#include "predictor/features/secret.h"
#include "predictor/features/traits.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static bool add(char traits[TRAITS_SIZE], const char *name, const char *value)
{
	return traits_add(traits, name, strlen(name), value);
}

START_TEST(test_stays_sorted)
{
	char traits[TRAITS_SIZE] = "";

	ck_assert(add(traits, "model", "llama-70b"));
	ck_assert(add(traits, "data", "a b\tc=\xc3\xa4"));
	ck_assert(add(traits, "z.1-x", "y"));
	ck_assert(add(traits, "mode", "fast"));
	ck_assert(add(traits, "models", "x"));
	ck_assert(!add(traits, "model", "other"));
	ck_assert_str_eq(traits, "data=a_b_c=__ mode=fast model=llama-70b "
				 "models=x z.1-x=y");
}
END_TEST

START_TEST(test_refuses_and_stays)
{
	static const char *const names[] = { "",    ".a",  "-a",  "a b",
					     "a=b", "a/b", "a\n", "\xc3\xbc" };
	char traits[TRAITS_SIZE] = "m=x";
	char long_name[40];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ck_assert(!add(traits, names[i], "y"));
	ck_assert(!add(traits, "n", ""));
	memset(long_name, 'a', sizeof(long_name));
	ck_assert(!traits_add(traits, long_name, sizeof(long_name), "y"));
	ck_assert_str_eq(traits, "m=x");
}
END_TEST

START_TEST(test_keeps_no_secret)
{
	static const char *const names[] = {
		"key",       "OPENAI_API_KEY", "token",         "db-password",
		"SECRET_1",  "PGPASS",         "x_credentials", "Authorization",
		"HTTP_AUTH", "session-cookie",
	};
	char traits[TRAITS_SIZE] = "";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ck_assert_msg(!add(traits, names[i], "abc"), "%s", names[i]);
	ck_assert(!add(traits, "source", "postgres://me:word@host"));
	ck_assert(add(traits, "source", "s3://bucket"));
	ck_assert(add(traits, "tokenizer", "bert"));
	ck_assert_str_eq(traits, "source=s3://bucket tokenizer=bert");
}
END_TEST

/* Whatever is added, the text stays within its bounds, and what it has is found
 * again. */
START_TEST(test_bounds)
{
	struct random r = { 5 };

	for (int round = 0; round < 2000; round++) {
		char traits[TRAITS_SIZE] = "";
		int added = 0, count = 0;

		for (int i = 0; i < 12; i++) {
			char name[PARAMETER_NAME_SIZE], value[80];

			snprintf(name, sizeof(name), "n%0*d",
				 (int)random_below(&r, 28),
				 (int)random_below(&r, 20));
			memset(value, 'v', sizeof(value));
			value[random_below(&r, sizeof(value))] = '\0';
			value[sizeof(value) - 1] = '\0';
			added += add(traits, name, value);
		}

		const char *at = traits;
		struct trait trait;

		while (traits_next(&at, &trait)) {
			count++;
			ck_assert_uint_lt(trait.value_length, TRAIT_VALUE_SIZE);
		}
		ck_assert_int_eq(count, added);
		ck_assert_int_le(count, TRAITS_MAX);
		ck_assert_uint_lt(strlen(traits), TRAITS_SIZE);
	}
}
END_TEST

START_TEST(test_any_text_is_read)
{
	const char *at = "  x =  =y a=b= c= ==  d=e";
	struct trait trait;

	ck_assert(traits_next(&at, &trait));
	ck_assert_uint_eq(trait.name_length, 1);
	ck_assert_int_eq(trait.name[0], 'a');
	ck_assert_uint_eq(trait.value_length, 2);
	ck_assert(traits_next(&at, &trait));
	ck_assert_int_eq(trait.name[0], 'd');
	ck_assert(!traits_next(&at, &trait));
}
END_TEST

START_TEST(test_merge)
{
	struct application strong = { .name = "a", .traits = "m=1 n=2" };
	struct application weak = { .name = "b", .traits = "a=0 n=3 z=4" };

	parameters_set(&strong.parameters, "k", 7, NULL);
	parameters_set(&weak.parameters, "k", 8, NULL);
	parameters_set(&weak.parameters, "l", 9, NULL);
	application_merge(&strong, &weak);
	ck_assert_str_eq(strong.name, "a");
	ck_assert_str_eq(strong.traits, "a=0 m=1 n=2 z=4");
	ck_assert_int_eq(strong.parameters.count, 2);
	ck_assert_double_eq(*parameters_get(&strong.parameters, "k"), 7);
}
END_TEST

/* What was stored before the gate knew a form. */
START_TEST(test_masked)
{
	struct application a = { .name = "fit-jane@example.org" };
	long counts[SECRET_FORMS] = { 0 };
	char text[] = "model=a password=horse9 pAb1234Xy=shop "
		      "to=jane@example.org z=1 ";

	a.parameters.count = 2;
	a.parameters.of[0] = (struct parameter){ "n", 4711 };
	a.parameters.of[1] = (struct parameter){ "pin", 4711 };
	strcpy(a.traits, text);
	ck_assert(traits_mask(text, counts));
	ck_assert_str_eq(text, "model=a password=*** p***=shop to=*** z=1");
	ck_assert_int_eq(counts[SECRET_NAMED], 1);
	ck_assert_int_eq(counts[SECRET_CLIENT], 1);
	ck_assert_int_eq(counts[SECRET_MAIL], 1);
	ck_assert(!traits_mask(text, counts));
	application_mask(&a);
	ck_assert_str_eq(a.name, "***");
	ck_assert_str_eq(a.traits, text);
	ck_assert_double_eq(a.parameters.of[0].value, 4711);
	ck_assert_double_eq(a.parameters.of[1].value, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_stays_sorted,     test_refuses_and_stays,
		test_keeps_no_secret,  test_bounds,
		test_any_text_is_read, test_merge,
		test_masked,           NULL,
	};

	return suite_run("traits", tests);
}
