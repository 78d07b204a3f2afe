/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cli_options.c - parsing tables of options, and the tables themselves */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/cli/sbatch.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/tools.h"

#define WORDS_MAX 16

struct values {
	bool slow;
	const char *resource, *horizon, *gpus;
};

static int set_resource(const struct cli_option *row, void *into,
			const char *value, struct sp_error *err)
{
	if (value && !strcmp(value, "bad"))
		return sp_error_set(err, "--%s: bad", row->name);
	((struct values *)into)->resource = value ? value : "(none)";
	return 0;
}

static const struct cli_option table[] = {
	{ .name = "slow",
	  .letter = 's',
	  .set = cli_set_flag,
	  .offset = offsetof(struct values, slow) },
	{ .name = "resource", .argument = "[NAME]", .set = set_resource },
	{ .name = "gpus",
	  .letter = 'G',
	  .argument = "[TYPE:]NUMBER",
	  .set = cli_set_text,
	  .offset = offsetof(struct values, gpus) },
	{ .name = "horizon",
	  .letter = 'H',
	  .argument = "TIME",
	  .set = cli_set_text,
	  .offset = offsetof(struct values, horizon) },
	{ .name = "ignored", .argument = "TEXT" },
	{ .name = NULL },
};

static struct cli cli;
static struct values values;
static struct sp_error err;
static char *argv[WORDS_MAX + 1];
static int first;

static int parse(bool in_order, const char *const words[])
{
	const struct cli_options own = { .rows = table,
					 .into = &values,
					 .in_order = in_order };
	static char storage[WORDS_MAX][64];
	int argc = 1;

	memset(&cli, 0, sizeof(cli));
	memset(&values, 0, sizeof(values));
	argv[0] = strcpy(storage[0], "nodes");
	for (; words[argc - 1]; argc++)
		argv[argc] = strcpy(storage[argc], words[argc - 1]);
	argv[argc] = NULL;
	return cli_options_parse(&cli, &own, argc, argv, &first, &err);
}

#define PARSE(in_order, ...) \
	parse(in_order, (const char *[]){ __VA_ARGS__, NULL })

START_TEST(test_own_and_common)
{
	ck_assert_int_eq(PARSE(false, "--horizon", "1:00", "a", "-sv",
			       "--clusters=tern", "b", "--ignored=7"),
			 0);
	ck_assert_str_eq(values.horizon, "1:00");
	ck_assert(values.slow);
	ck_assert_ptr_null(values.resource);
	ck_assert(cli.verbose);
	ck_assert(!cli.json);
	ck_assert_str_eq(cli.cluster, "tern");
	ck_assert_str_eq(argv[first], "a");
	ck_assert_str_eq(argv[first + 1], "b");
}
END_TEST

START_TEST(test_optional_value)
{
	ck_assert_int_eq(PARSE(false, "--resource", "x"), 0);
	ck_assert_str_eq(values.resource, "(none)");
	ck_assert_str_eq(argv[first], "x");
	ck_assert_int_eq(PARSE(false, "--resource=x"), 0);
	ck_assert_str_eq(values.resource, "x");

	/* Brackets around a part of the name do not make it optional. */
	ck_assert_int_eq(PARSE(false, "-G", "a100:2", "x"), 0);
	ck_assert_str_eq(values.gpus, "a100:2");
	ck_assert_str_eq(argv[first], "x");
	ck_assert_int_eq(PARSE(false, "--gpus"), -1);
	ck_assert_str_eq(err.text, "option --gpus: its value is missing");
}
END_TEST

START_TEST(test_in_order)
{
	ck_assert_int_eq(PARSE(true, "-s", "a", "--horizon=3"), 0);
	ck_assert(values.slow);
	ck_assert_ptr_null(values.horizon);
	ck_assert_int_eq(first, 2);
	ck_assert_int_eq(PARSE(false, "-s", "--", "--horizon=3"), 0);
	ck_assert_ptr_null(values.horizon);
	ck_assert_str_eq(argv[first], "--horizon=3");
}
END_TEST

START_TEST(test_refused)
{
	static const struct {
		const char *word, *why;
	} rows[] = {
		{ "--horizon", "option --horizon: its value is missing" },
		{ "--horizon=", "option --horizon: its value is missing" },
		{ "-H", "option -H: its value is missing" },
		{ "--slow=yes", "option --slow=yes: it takes no value" },
		{ "--fast", "option --fast: unknown" },
		{ "-sx", "option -x: unknown" },
		{ "--resource=bad", "--resource: bad" },
		{ "--clusters=a,b/", "b/: no name of a cluster" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ck_assert_int_eq(PARSE(false, rows[i].word), -1);
		ck_assert_str_eq(err.text, rows[i].why);
	}
}
END_TEST

/* --- The tables of spredict ----------------------------------------------- */

/* A name or letter must mean one thing on a command line, and a line of help
 * must fit in a terminal. */
static void check_rows(const struct cli_option rows[],
		       const struct cli_option others[])
{
	for (const struct cli_option *a = rows; a && a->name; a++) {
		if (a->help)
			ck_assert_msg(strlen(a->help) <= 51, "--%s: %s",
				      a->name, a->help);
		for (const struct cli_option *b = others; b->name; b++) {
			if (a == b)
				continue;
			ck_assert_msg(strcmp(a->name, b->name) != 0, "--%s",
				      a->name);
			ck_assert_msg(!a->letter || a->letter != b->letter,
				      "-%c", a->letter);
		}
	}
}

static void check_subcommands(const struct subcommand *const all[])
{
	for (size_t i = 0; all[i]; i++) {
		const struct subcommand *s = all[i];
		const struct tool *tool = tool_find(s->name);

		ck_assert_ptr_eq(subcommand_find(all, s->name), s);
		ck_assert_int_eq(!tool, all == subcommands);
		ck_assert_uint_le(strlen(tool ? tool->help : s->help), 63);
		if (s->options)
			check_rows(s->options, s->options);
		check_rows(s->options, cli_common_options);
	}
	ck_assert_ptr_null(subcommand_find(all, "predic"));
}

START_TEST(test_subcommands)
{
	check_subcommands(subcommands);
	check_subcommands(tool_subcommands);
	check_rows(cli_common_options, cli_common_options);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cli_options");
	TCase *tests = tcase_create("cli_options");
	SRunner *runner = srunner_create(suite);

	tcase_add_test(tests, test_own_and_common);
	tcase_add_test(tests, test_optional_value);
	tcase_add_test(tests, test_in_order);
	tcase_add_test(tests, test_refused);
	tcase_add_test(tests, test_subcommands);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
