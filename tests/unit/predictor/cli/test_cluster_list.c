/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cluster_list.c - what --clusters may name, and for which subcommands */
#include <string.h>

#include "predictor/cli/cluster_list.h"
#include "predictor/cli/subcommands.h"
#include "tests/unit/suite.h"

static struct cluster_list list;
static struct sp_error err;

START_TEST(test_lists)
{
	ck_assert_int_eq(cluster_list_parse("big,b_2,c.3-x", &list, &err), 0);
	ck_assert_uint_eq(list.count, 3);
	ck_assert_str_eq(list.names[0], "big");
	ck_assert_str_eq(list.names[1], "b_2");
	ck_assert_str_eq(list.names[2], "c.3-x");
	/* As sacctmgr prints them. */
	ck_assert_int_eq(cluster_list_parse("little\nbig\n", &list, &err), 0);
	ck_assert_uint_eq(list.count, 2);
	ck_assert_str_eq(list.names[1], "big");
}
END_TEST

START_TEST(test_no_lists)
{
	static const char *const texts[] = { "",      ",",   "a,,b",
					     ",a",    "a/b", "a b",
					     "a&b=c", "\n",  "a\n\nb" };
	char text[RUN_NAME_SIZE + 1];

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		ck_assert_msg(cluster_list_parse(texts[i], &list, &err) == -1,
			      "'%s'", texts[i]);
	memset(text, 'x', RUN_NAME_SIZE);
	text[RUN_NAME_SIZE] = '\0';
	ck_assert_int_eq(cluster_list_parse(text, &list, &err), -1);
	text[RUN_NAME_SIZE - 1] = '\0';
	ck_assert_int_eq(cluster_list_parse(text, &list, &err), 0);
}
END_TEST

START_TEST(test_too_many)
{
	char text[3 * CLUSTER_LIST_MAX + 3] = "";

	for (int i = 0; i < CLUSTER_LIST_MAX; i++)
		strcat(text, i ? ",ab" : "ab");
	ck_assert_int_eq(cluster_list_parse(text, &list, &err), 0);
	ck_assert_uint_eq(list.count, CLUSTER_LIST_MAX);
	strcat(text, ",ab");
	ck_assert_int_eq(cluster_list_parse(text, &list, &err), -1);
}
END_TEST

/* Parses "spredict NAME -M TEXT"; *ret has what was set. */
static int arguments(const char *name, char *text, struct cli *ret)
{
	char option[] = "-M";
	char *argv[] = { (char *)(uintptr_t)name, option, text, NULL };
	char into[1024] = "";
	int first;

	*ret = (struct cli){ .subcommand = subcommand_find(subcommands, name) };
	if (!ret->subcommand)
		ret->subcommand = subcommand_find(tool_subcommands, name);
	ck_assert_ptr_nonnull(ret->subcommand);
	return cli_arguments(ret, into, 3, argv, &first, &err);
}

START_TEST(test_subcommands)
{
	static const struct {
		const char *name;
		bool all, any;
	} cases[] = {
		{ "queue", true, true },    { "nodes", true, false },
		{ "links", true, false },   { "accuracy", true, false },
		{ "profile", true, false }, { "applications", true, false },
		{ "job", false, false },    { "export", false, false },
		{ "probes", false, false },
	};
	char all[] = "all", two[] = "big,little", one[] = "big";
	struct cli cli;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *name = cases[i].name;

		ck_assert_msg(!arguments(name, one, &cli), "%s", name);
		ck_assert_str_eq(cli.cluster, "big");
		ck_assert_ptr_null(cli.clusters);
		ck_assert_msg(arguments(name, all, &cli) ==
				      (cases[i].all ? 0 : -1),
			      "%s", name);
		ck_assert_ptr_null(cli.cluster);
		ck_assert_msg(arguments(name, two, &cli) ==
				      (cases[i].any ? 0 : -1),
			      "%s", name);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_lists, test_no_lists, test_too_many,
				       test_subcommands, NULL };

	return suite_run("cluster_list", tests);
}
