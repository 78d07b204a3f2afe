/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_hostlist.c - node names as Slurm writes them */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/hostlist.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

/* All names of a list, with blanks between them. */
static const char *joined(const struct hostlist *list)
{
	static char text[4096];

	text[0] = '\0';
	for (size_t i = 0; i < list->count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%s%s", i ? " " : "", list->names[i]);
	return text;
}

START_TEST(test_finds)
{
	struct hostlist list;

	ck_assert_int_eq(hostlist_expand("n[8-9],login", &list, NULL), 0);
	ck_assert_int_eq(hostlist_position(&list, "n8"), 0);
	ck_assert_int_eq(hostlist_position(&list, "login"), 2);
	ck_assert_int_eq(hostlist_position(&list, "n"), -1);
	ck_assert_int_eq(hostlist_position(&list, "n80"), -1);
	hostlist_clear(&list);
	ck_assert_int_eq(hostlist_position(&list, "n8"), -1);
}
END_TEST

START_TEST(test_expands)
{
	static const struct {
		const char *text, *names;
	} cases[] = {
		{ "", "" },
		{ "login", "login" },
		{ "n[1-4,7],login", "n1 n2 n3 n4 n7 login" },
		{ "n[08-11]", "n08 n09 n10 n11" },
		{ "n[098-101]", "n098 n099 n100 n101" },
		{ "n[3,1,3]", "n3 n1 n3" },
		{ "r[1-2]n[01-02]-ib", "r1n01-ib r1n02-ib r2n01-ib r2n02-ib" },
		{ "[1-2]", "1 2" },
		{ "a.b-c_d,E", "a.b-c_d E" },
		{ "n[999999999]", "n999999999" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hostlist list;
		struct sp_error err;

		ck_assert_msg(!hostlist_expand(cases[i].text, &list, &err),
			      "%s: %s", cases[i].text, err.text);
		ck_assert_str_eq(joined(&list), cases[i].names);
		hostlist_clear(&list);
		hostlist_clear(&list);
	}
}
END_TEST

START_TEST(test_refuses)
{
	static const char *const texts[] = {
		",",
		"a,",
		"a,,b",
		",a",
		"n[",
		"n[]",
		"n[1",
		"n[1-",
		"n[1-]",
		"n[-2]",
		"n[2-1]",
		"n[1,]",
		"n[1,,2]",
		"n[a]",
		"n]",
		"n[1-2]]",
		"n[[1]]",
		"n 1",
		"n1 ",
		"n\n",
		"n/1",
		"n\xc3\xbc",
		"n[1]]",
		"n[0-65536]",
		"n[1-2",
		"n[0-999999999]",
		"n[0-9999999999]",
		"a[0-999]b[0-999]",
		"1234567890123456789012345678901234567890123456789012345678901"
		"234", /* 64 bytes */
		"123456789012345678901234567890123456789012345678901234567890"
		"[1000]",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct hostlist list = { .count = 77 };
		struct sp_error err = { "" };

		ck_assert_msg(hostlist_expand(texts[i], &list, &err) == -1,
			      "'%s' was taken", texts[i]);
		ck_assert_uint_eq(list.count, 77);
		ck_assert_ptr_null(list.names);
		ck_assert_str_ne(err.text, "");
	}
}
END_TEST

START_TEST(test_bounds_hold_exactly)
{
	struct hostlist list;

	ck_assert_int_eq(hostlist_expand("n[0-65535]", &list, NULL), 0);
	ck_assert_uint_eq(list.count, HOSTLIST_NAMES_MAX);
	hostlist_clear(&list);
	ck_assert_int_eq(hostlist_expand("n[0-65534],a,b", &list, NULL), -1);

	char name[HOSTLIST_NAME_SIZE];

	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(hostlist_expand(name, &list, NULL), 0);
	ck_assert_str_eq(list.names[0], name);
	hostlist_clear(&list);
}
END_TEST

START_TEST(test_compresses_as_slurm_does)
{
	static const struct {
		const char *text, *compressed;
	} cases[] = {
		{ "", "" },
		{ "login", "login" },
		{ "n7", "n7" },
		{ "n3,n1,n2,n7", "n[1-3,7]" },
		{ "n[1-4,7],login", "login,n[1-4,7]" },
		{ "n9,n10,n11", "n[9-11]" },
		{ "n09,n10,n11", "n[09-11]" },
		{ "n099,n100", "n[099-100]" },
		{ "n99,n0100", "n[99,0100]" },
		{ "n1,n01,n2", "n[1,01,2]" },
		{ "n2,n2,n2,a,a", "a,n2" },
		{ "n1-ib,n2-ib", "n1-ib,n2-ib" },
		{ "r1n1,r1n2,r2n1", "r1n[1-2],r2n1" },
		{ "n,n1", "n,n1" },
		{ "a12345678901,a12345678902", "a12[345678901-345678902]" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hostlist list;
		char text[256];

		ck_assert_int_eq(hostlist_expand(cases[i].text, &list, NULL),
				 0);
		hostlist_compress(&list, text, sizeof(text));
		ck_assert_str_eq(text, cases[i].compressed);
		hostlist_clear(&list);
	}
}
END_TEST

START_TEST(test_cut_text_says_so)
{
	struct hostlist list;
	char whole[64], text[64];

	ck_assert_int_eq(hostlist_expand("a[1-3],b7,n[01-15]", &list, NULL), 0);
	hostlist_compress(&list, whole, sizeof(whole));
	ck_assert_str_eq(whole, "a[1-3],b7,n[01-15]");
	for (size_t size = 1; size <= strlen(whole); size++) {
		memset(text, 'x', sizeof(text));
		hostlist_compress(&list, text, size);
		ck_assert_uint_lt(strlen(text), size);
		ck_assert_int_eq(text[size], 'x');
		if (size > 3)
			ck_assert_str_eq(text + strlen(text) - 3, "...");
	}
	hostlist_compress(&list, text, strlen(whole) + 1);
	ck_assert_str_eq(text, whole);
	hostlist_compress(&list, text, 0);
	hostlist_clear(&list);
}
END_TEST

/* Whatever numbers there are, in whatever order: the same set comes back. */
START_TEST(test_expands_what_it_compressed)
{
	struct random r = { 4711 };

	for (int round = 0; round < 300; round++) {
		bool wanted[200] = { false };
		char(*names)[HOSTLIST_NAME_SIZE] = calloc(100, sizeof(*names));
		struct hostlist list = { .count = 100, .names = names };
		struct hostlist back;
		char text[2048];
		size_t different = 0;

		for (size_t i = 0; i < list.count; i++) {
			size_t number = random_below(&r, 200);

			different += !wanted[number];
			wanted[number] = true;
			snprintf(names[i], sizeof(*names), "n%03zu", number);
		}
		hostlist_compress(&list, text, sizeof(text));
		ck_assert_int_eq(hostlist_expand(text, &back, NULL), 0);
		ck_assert_uint_eq(back.count, different);
		for (size_t i = 0; i < back.count; i++)
			ck_assert(wanted[atoi(back.names[i] + 1)]);
		hostlist_clear(&list);
		hostlist_clear(&back);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_expands,
		test_refuses,
		test_bounds_hold_exactly,
		test_compresses_as_slurm_does,
		test_cut_text_says_so,
		test_finds,
		test_expands_what_it_compressed,
		NULL,
	};

	return suite_run("hostlist", tests);
}
