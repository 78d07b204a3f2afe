/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_text.c - JSON, printed, as json-c reads it */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/utf8.h"
#include "predictor/wire/wire.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static struct random generator = { 7 };

static struct json_object *read_back(struct wire_text *text)
{
	struct sp_error err = { "" };
	struct json_object *value;

	ck_assert(!text->failed);
	ck_assert_uint_eq(strlen(text->bytes), text->size);
	value = wire_parse(text->bytes, text->size, &err);
	ck_assert_msg(value != NULL, "%s: %s", text->bytes, err.text);
	return value;
}

START_TEST(test_strings)
{
	struct wire_text text = { 0 };

	for (int round = 0; round < 20000; round++) {
		char string[24] = "", want[24];
		size_t size = random_below(&generator, sizeof(string));
		size_t max = random_below(&generator, sizeof(string));

		/* Often enough characters of two to four bytes. */
		for (size_t i = 0; i < size; i++)
			string[i] =
				"\"\\/\b\n\x01\x1f\x7f"
				"ab\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80"
				"\xff\xed\xa0"[random_below(&generator, 22)];
		string[size] = '\0';
		memcpy(want, string, sizeof(want));
		want[strnlen(string, max)] = '\0';
		utf8_repair(want, strlen(want));
		wire_text_empty(&text);
		wire_text_add_string(&text, string, max);

		struct json_object *got = read_back(&text);

		ck_assert_str_eq(json_object_get_string(got), want);
		json_object_put(got);
	}
	wire_text_clear(&text);
}
END_TEST

static double number_of(struct wire_text *text)
{
	struct json_object *got = read_back(text);
	double number = json_object_get_double(got);

	json_object_put(got);
	return number;
}

static double any_number(void)
{
	double scale = pow(10, (double)random_below(&generator, 18));
	double number = (double)random_below(&generator, 1000000) / scale;

	switch (random_below(&generator, 4)) {
	case 0:
		return -number;
	case 1:
		return number * 1e9;
	case 2:
		return exp(600 * random_unit(&generator) - 300);
	default:
		return number;
	}
}

START_TEST(test_numbers_are_the_same)
{
	static const double odd[] = { 0,         1,     9007199254740991.0,
				      1e15,      1e22,  4503599627370497.5,
				      0.1,       1e-7,  123456.789,
				      5e-324,    1e308, 0.30000000000000004,
				      1718000.25 };
	struct wire_text text = { 0 };

	for (size_t i = 0; i < 50000; i++) {
		double number =
			i < sizeof(odd) / sizeof(*odd) ? odd[i] : any_number();

		wire_text_empty(&text);
		wire_text_add_number(&text, number);
		ck_assert_msg(number_of(&text) == number, "%s for %.17g",
			      text.bytes, number);
	}
	wire_text_clear(&text);
}
END_TEST

START_TEST(test_estimates_are_near)
{
	struct wire_text text = { 0 };

	for (int i = 0; i < 50000; i++) {
		double number = fabs(any_number()), told;
		char once[64];

		wire_text_empty(&text);
		wire_text_add_estimate(&text, number);
		told = number_of(&text);
		ck_assert_msg(fabs(told - number) <= 5.1e-7 * number,
			      "%s for %.17g", text.bytes, number);
		ck_assert_uint_lt(text.size, sizeof(once));
		strcpy(once, text.bytes);
		wire_text_empty(&text);
		wire_text_add_estimate(&text, told);
		ck_assert_str_eq(text.bytes, once);
	}
	wire_text_clear(&text);
}
END_TEST

START_TEST(test_texts_of_numbers)
{
	static const struct {
		void (*add)(struct wire_text *text, double value);
		double value;
		const char *text;
	} cases[] = {
		{ wire_text_add_number, 120.5, "120.5" },
		{ wire_text_add_number, -0.05, "-0.05" },
		{ wire_text_add_number, 4000, "4000" },
		{ wire_text_add_number, NAN, "null" },
		{ wire_text_add_number, HUGE_VAL, "null" },
		{ wire_text_add_number, 1.0 / 3, "0.3333333333333333" },
		{ wire_text_add_estimate, 1.0 / 3, "0.3333333" },
		{ wire_text_add_estimate, 200.0 / 3, "66.66667" },
		{ wire_text_add_estimate, 9.99999999, "10" },
		{ wire_text_add_estimate, 123456789.6, "123456790" },
		{ wire_text_add_estimate, NAN, "null" },
		{ wire_text_add_estimate, 0, "0" },
		{ wire_text_add_time, 1700000000.1234567, "1700000000.123457" },
		{ wire_text_add_time, 1700000000, "1700000000" },
		{ wire_text_add_time, NAN, "null" },
	};
	struct wire_text text = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		wire_text_empty(&text);
		cases[i].add(&text, cases[i].value);
		ck_assert_str_eq(text.bytes, cases[i].text);
	}
	wire_text_empty(&text);
	wire_text_add_integer(&text, INT64_MIN);
	wire_text_add_constant(&text, " ");
	wire_text_add_integer(&text, 0);
	ck_assert_str_eq(text.bytes, "-9223372036854775808 0");
	wire_text_clear(&text);
	ck_assert_ptr_null(text.bytes);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_strings, test_numbers_are_the_same,
				       test_estimates_are_near,
				       test_texts_of_numbers, NULL };

	return suite_run("text", tests);
}
