/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_placement_list.c - ranks on nodes as text, and files for launchers */
#include <stdlib.h>
#include <string.h>

#include "predictor/replay/placement_list.h"
#include "tests/unit/suite.h"

START_TEST(test_parse)
{
	struct placement_list list;

	ck_assert_int_eq(
		placement_list_parse("b7:12,n[08-09]:3,a", &list, NULL), 0);
	ck_assert_uint_eq(list.names.count, 4);
	ck_assert_int_eq(list.ranks, 19);
	ck_assert_str_eq(list.names.names[0], "b7");
	ck_assert_int_eq(list.counts[0], 12);
	ck_assert_str_eq(list.names.names[2], "n09");
	ck_assert_int_eq(list.counts[2], 3);
	ck_assert_int_eq(list.counts[3], 1);
	placement_list_clear(&list);
}
END_TEST

START_TEST(test_refused)
{
	static const char *const texts[] = {
		"",      "n1:0",    "n1:",  "n1:2x",
		"n1:-3", "n1:5000", "n[1-", "n[1-9]:999",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct placement_list list = { .ranks = 77 };
		struct sp_error err = { "" };

		ck_assert_msg(placement_list_parse(texts[i], &list, &err) == -1,
			      "%s", texts[i]);
		ck_assert_str_ne(err.text, "");
		ck_assert_int_eq(list.ranks, 77);
	}
}
END_TEST

START_TEST(test_files)
{
	static const char *const names[] = { "n2", "n1", "n2", "n2" };
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	placement_write_hostfile(file, names, 4);
	placement_write_rankfile(file, names, 4);
	fclose(file);
	ck_assert_str_eq(text, "n2\nn1\nn2\nn2\n"
			       "rank 0=n2 slot=0\nrank 1=n1 slot=0\n"
			       "rank 2=n2 slot=1\nrank 3=n2 slot=2\n");
	free(text);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_parse, test_refused, test_files,
				       NULL };

	return suite_run("placement_list", tests);
}
