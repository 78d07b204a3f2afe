/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_table.c - aligned columns, and nothing that upsets a terminal */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/cli/table.h"
#include "tests/unit/suite.h"

static const struct table_column columns[] = {
	{ .header = "NODE" },
	{ .header = "LOAD", .right = true },
	{ .header = "STATE" },
	{ .header = NULL },
};

/* What a table prints; the caller frees. */
static char *print(struct table *table)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	struct sp_error err;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(table_print(table, file, &err), 0);
	fclose(file);
	return text;
}

START_TEST(test_columns)
{
	struct table *table = table_create_heads("NODE, >LOAD, STATE");

	table_cell(table, "n%d", 1);
	table_number(table, "%.2f", 3.14159);
	table_cell(table, "idle");
	table_cell(table, "login-node");
	table_number(table, "%.2f", NAN);
	table_cell(table, "%s", "");

	char *text = print(table);

	ck_assert_str_eq(text, "NODE        LOAD  STATE\n"
			       "n1          3.14  idle\n"
			       "login-node     -  -\n");
	free(text);
	table_destroy(table);
}
END_TEST

START_TEST(test_styles)
{
	struct table *table = table_create_heads("NODE, >LOAD, ~STATE");

	table_fit(table, 12);
	for (int i = 9; i < 11; i++) {
		table_cell(table, "n%d", i);
		table_number(table, "%.2f", i / 7.0);
		table_cell(table, "down|drained for a long time");
	}
	table_style =
		(struct table_style){ .no_header = true, .parsable = true };

	char *text = print(table);

	ck_assert_str_eq(text, "n9|1.29|down?drained for a long time\n"
			       "n10|1.43|down?drained for a long time\n");
	free(text);
	table_style.no_header = false;
	text = print(table);
	ck_assert(!strncmp(text, "NODE|LOAD|STATE\nn9|", 19));
	free(text);
	table_style.parsable = false;
	table_destroy(table);
}
END_TEST

START_TEST(test_facts_have_no_header)
{
	struct table *table = table_create_heads(", ");

	table_cell(table, "a");
	table_cell(table, "first");
	table_cell(table, "bcd");
	table_cell(table, "second");

	char *text = print(table);

	ck_assert_str_eq(text, "a    first\nbcd  second\n");
	free(text);
	table_destroy(table);
}
END_TEST

START_TEST(test_fits_a_terminal)
{
	static const struct table_column cut[] = {
		{ .header = "NAME", .min = 4 },
		{ .header = "ST" },
		{ .header = "WHERE", .min = 6 },
		{ .header = NULL },
	};
	static const char *const cells[] = { "short", "R",
					     "n1",    "z\xc3\xbcrich-long",
					     "PD",    "(Resources)" };
	static const struct {
		size_t width;
		const char *text;
	} cases[] = {
		{ 0, "NAME         ST  WHERE\n"
		     "short        R   n1\n"
		     "z\xc3\xbcrich-long  PD  (Resources)\n" },
		{ 22, "NAME      ST  WHERE\n"
		      "short     R   n1\n"
		      "z\xc3\xbcrich-+  PD  (Resour+\n" },
		{ 1, "NAME  ST  WHERE\n"
		     "sho+  R   n1\n"
		     "z\xc3\xbcr+  PD  (Reso+\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct table *table = table_create(cut);

		for (size_t k = 0; k < sizeof(cells) / sizeof(*cells); k++)
			table_cell(table, "%s", cells[k]);
		table_fit(table, cases[i].width);

		char *text = print(table);

		ck_assert_str_eq(text, cases[i].text);
		free(text);
		table_destroy(table);
	}
}
END_TEST

START_TEST(test_control_characters)
{
	struct table *table = table_create(columns);

	table_cell(table, "a\033[31mb\nc\x7f");
	table_cell(table, "\xc2\x9b");
	table_cell(table, "z\xc3\xbcrich"); /* letters stay */

	char *text = print(table);

	ck_assert_ptr_nonnull(strstr(text, "a?[31mb?c?"));
	ck_assert_ptr_nonnull(strstr(text, "??"));
	ck_assert_ptr_nonnull(strstr(text, "z\xc3\xbcrich"));
	free(text);
	table_destroy(table);
}
END_TEST

START_TEST(test_no_memory)
{
	struct sp_error err;

	table_cell(NULL, "a");
	table_number(NULL, "%g", 2.5);
	ck_assert_int_eq(table_print(NULL, stdout, &err), -1);
	table_destroy(NULL);
}
END_TEST

START_TEST(test_many_rows)
{
	struct table *table = table_create(columns);
	size_t lines = 0;

	for (int i = 0; i < 3 * 5000; i++)
		table_cell(table, "%d", i * 37 % 101);

	char *text = print(table);

	for (char *c = text; *c; c++)
		lines += *c == '\n';
	ck_assert_uint_eq(lines, 5001);
	free(text);
	table_destroy(table);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_columns,
				       test_facts_have_no_header,
				       test_styles,
				       test_fits_a_terminal,
				       test_control_characters,
				       test_no_memory,
				       test_many_rows,
				       NULL };

	return suite_run("table", tests);
}
