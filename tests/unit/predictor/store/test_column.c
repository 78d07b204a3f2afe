/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_column.c - arrays for PostgreSQL, byte by byte */
#include <math.h>
#include <string.h>

#include "predictor/store/column.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define ELEMENTS 300

START_TEST(test_bytes)
{
	/* select array_send(array[7, null]::int4[]) in PostgreSQL 15 */
	static const unsigned char expected[] = {
		0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 23, 0,    0,    0,    2,
		0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 7,  0xff, 0xff, 0xff, 0xff,
	};
	struct column column;
	struct sp_error err;

	column_init(&column, COLUMN_INT4);
	column_add_int4(&column, 7);
	column_add_null(&column);
	ck_assert_int_eq(column_finish(&column, &err), 0);
	ck_assert_uint_eq(column.size, sizeof(expected));
	ck_assert_mem_eq(column.bytes, expected, sizeof(expected));
	column_clear(&column);
	column_clear(&column);
}
END_TEST

START_TEST(test_row_with_array)
{
	/* copy (select 7, array['ab', null], null::int) to stdout (format
	 * binary) in PostgreSQL 15, without its head and end */
	static const unsigned char expected[] = {
		0, 3,  0,   0,   0,    4,    0,    0,    0,    7,    0,    0,
		0, 30, 0,   0,   0,    1,    0,    0,    0,    1,    0,    0,
		0, 25, 0,   0,   0,    2,    0,    0,    0,    1,    0,    0,
		0, 2,  'a', 'b', 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	};
	struct column row;
	struct column_array array;
	size_t size;

	column_init(&row, COLUMN_TEXT);
	column_begin_row(&row, 3);
	column_add_int4(&row, 7);
	column_array_begin(&row, COLUMN_TEXT, &array);
	column_add_text(&row, "ab", 2);
	column_add_null(&row);
	column_array_end(&row, &array);
	column_add_null(&row);
	ck_assert_int_eq(column_finish(&row, NULL), 0);

	const char *bytes = column_content(&row, &size);

	ck_assert_uint_eq(size, sizeof(expected));
	ck_assert_mem_eq(bytes, expected, size);
	column_clear(&row);
}
END_TEST

/* --- What goes in comes out ---------------------------------------------- */

struct reals {
	int count;
	double of[ELEMENTS];
};

static void read_real(void *context, int index, const char *value, int size)
{
	struct reals *reals = context;

	ck_assert(!value || size == 8);
	reals->of[index] = value ? column_read_float8(value) : NAN;
	reals->count = index + 1;
}

static void read_time(void *context, int index, const char *value, int size)
{
	struct reals *reals = context;

	ck_assert_int_eq(size, 8);
	reals->of[index] = column_read_time(value);
	reals->count = index + 1;
}

START_TEST(test_reals_come_back)
{
	struct random random = { 5 };
	struct column column;
	double in[ELEMENTS];
	struct reals out = { 0 };

	column_init(&column, COLUMN_FLOAT8);
	for (int i = 0; i < ELEMENTS; i++) {
		in[i] = ldexp(random_unit(&random) - 0.5,
			      (int)random_below(&random, 200) - 100);
		column_add_float8(&column, in[i]);
	}
	ck_assert_int_eq(column_finish(&column, NULL), 0);
	ck_assert_int_eq(column_read_array((char *)column.bytes,
					   (int)column.size, read_real, &out),
			 ELEMENTS);
	ck_assert_mem_eq(in, out.of, sizeof(in));

	/* Cut anywhere, it is no array, and nothing is read beyond. */
	for (int size = 0; size < (int)column.size; size++)
		ck_assert_int_eq(column_read_array((char *)column.bytes, size,
						   read_real, &out),
				 -1);
	column_clear(&column);
}
END_TEST

START_TEST(test_times_come_back)
{
	struct random random = { 6 };
	struct column column;
	double in[ELEMENTS];
	struct reals out = { 0 };

	column_init(&column, COLUMN_TIME);
	for (int i = 0; i < ELEMENTS; i++) {
		in[i] = (double)random_below(&random, 4102444800000000) / 1e6;
		column_add_time(&column, in[i]);
	}
	ck_assert_int_eq(column_finish(&column, NULL), 0);
	ck_assert_int_eq(column_read_array((char *)column.bytes,
					   (int)column.size, read_time, &out),
			 ELEMENTS);
	ck_assert_mem_eq(in, out.of, sizeof(in));
	column_clear(&column);
}
END_TEST

START_TEST(test_time_range)
{
	ck_assert(column_time_ok(0));
	ck_assert(column_time_ok(1.7e9));
	ck_assert(!column_time_ok(-1e-3));
	ck_assert(!column_time_ok(1e12));
	ck_assert(!column_time_ok(NAN));
	ck_assert(!column_time_ok(HUGE_VAL));
	ck_assert(!column_time_ok(-HUGE_VAL));
}
END_TEST

START_TEST(test_texts_become_utf8)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "", "" },
		{ "n-body", "n-body" },
		{ "zo\xc3\xab", "zo\xc3\xab" },
		{ "zo\xc3", "zo?" },
		{ "\xe2\x82\xac\xe2\x82", "\xe2\x82\xac??" },
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
		{ "\xc0\xaf", "??" },             /* too long a form */
		{ "\xed\xa0\x80", "???" },        /* half of a surrogate */
		{ "\xf4\x90\x80\x80x", "????x" }, /* beyond Unicode */
		{ "\xff\xfe", "??" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct column column;
		size_t length = strlen(cases[i].out);

		column_init(&column, COLUMN_TEXT);
		column_add_text(&column, cases[i].in, 64);
		ck_assert_int_eq(column_finish(&column, NULL), 0);
		ck_assert_uint_eq(column.size, 24 + length);
		ck_assert_mem_eq(column.bytes + 24, cases[i].out, length);
		column_clear(&column);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_bytes,
		test_row_with_array,
		test_reals_come_back,
		test_times_come_back,
		test_time_range,
		test_texts_become_utf8,
		NULL,
	};

	return suite_run("column", tests);
}
