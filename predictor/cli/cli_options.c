/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cli_options.c - tables of options: parsing, usage line and help
 *
 * Two tables, the common one and that of a subcommand, are joined to the form
 * that getopt_long() wants.  What it returns is the letter of a row, or
 * ROW_BASE and the place of the row among all.
 */
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "predictor/cli/cli.h"
#include "predictor/cli/cli_options.h"
#include "predictor/cli/table.h"
#include "predictor/client/client.h"

#define ROW_BASE 256 /* above all letters */

#define LINE_WIDTH  79
#define HELP_COLUMN 28 /* where help texts begin */

/* --- Setters -------------------------------------------------------------- */

int cli_set_text(const struct cli_option *row, void *into, const char *value,
		 struct sp_error *err)
{
	if (!*value)
		return sp_error_set(err, "option --%s: its value is missing",
				    row->name);
	*(const char **)(void *)((char *)into + row->offset) = value;
	return 0;
}

int cli_set_flag(const struct cli_option *row, void *into,
		 const char *value UNUSED, struct sp_error *err UNUSED)
{
	*(bool *)((char *)into + row->offset) = true;
	return 0;
}

static int set_cluster(const struct cli_option *row UNUSED, void *into,
		       const char *value, struct sp_error *err)
{
	return cli_set_cluster(into, value, err);
}

static int set_url(const struct cli_option *row UNUSED, void *into,
		   const char *value, struct sp_error *err)
{
	struct cli *cli = into;

	if (client_check_url(value, err))
		return -1;
	cli->url = value;
	return 0;
}

/* It holds for all tables of the process. */
static int set_style(const struct cli_option *row, void *into UNUSED,
		     const char *value, struct sp_error *err)
{
	return cli_set_flag(row, &table_style, value, err);
}

#define CLI(member) offsetof(struct cli, member)

const struct cli_option cli_common_options[] = {
	{ "clusters", 'M', "CLUSTER", set_cluster, 0, NULL,
	  "cluster, if not that of slurm.conf; lists: or all" },
	{ "cluster", 0, "CLUSTER", set_cluster, 0, NULL, NULL },
	{ "url", 0, "URL", set_url, 0, NULL,
	  "predictd: unix:/PATH or http://ADDRESS:PORT" },
	{ "json", 0, NULL, cli_set_flag, CLI(json), NULL,
	  "print the reply as JSON" },
	{ "verbose", 'v', NULL, cli_set_flag, CLI(verbose), NULL,
	  "print more rows, and to stderr what is done" },
	{ "noheader", 0, NULL, set_style,
	  offsetof(struct table_style, no_header), NULL,
	  "print tables without headers" },
	{ "parsable2", 'P', NULL, set_style,
	  offsetof(struct table_style, parsable), NULL,
	  "print tables with | between cells, for programs" },
	{ "help", 'h', NULL, cli_set_flag, CLI(help), NULL,
	  "print this help and exit" },
	{ "version", 'V', NULL, cli_set_flag, CLI(version), NULL,
	  "print the version and exit" },
	{ .name = NULL },
};

/* --- Parsing -------------------------------------------------------------- */

struct getopt_form {
	int count;
	const struct cli_option *rows[CLI_OPTIONS_MAX];
	void *into[CLI_OPTIONS_MAX];
	struct option longs[CLI_OPTIONS_MAX + 1];
	char shorts[3 * CLI_OPTIONS_MAX + 3]; /* "+:", then "a", "a:", "a::" */
};

/* "[NAME]" may be left out, but not "[TYPE:]NUMBER". */
static bool is_optional(const char *argument)
{
	return *argument == '[' &&
	       strchr(argument, ']') == argument + strlen(argument) - 1;
}

static int argument_kind(const struct cli_option *row)
{
	if (!row->argument)
		return no_argument;
	return is_optional(row->argument) ? optional_argument
					  : required_argument;
}

static void form_add(struct getopt_form *form, const struct cli_option rows[],
		     void *into)
{
	static const char *const colons[] = {
		[no_argument] = "",
		[required_argument] = ":",
		[optional_argument] = "::",
	};
	size_t used = strlen(form->shorts);

	for (; rows && rows->name; rows++) {
		int kind = argument_kind(rows);
		int i = form->count++;

		assert(i < CLI_OPTIONS_MAX);
		form->rows[i] = rows;
		form->into[i] = into;
		form->longs[i] = (struct option){ .name = rows->name,
						  .has_arg = kind,
						  .val = ROW_BASE + i };
		if (!rows->letter)
			continue;
		form->shorts[used++] = rows->letter;
		strcpy(form->shorts + used, colons[kind]);
		used += strlen(colons[kind]);
	}
}

/* The place of the row that getopt_long() found; -1: none. */
static int form_find(const struct getopt_form *form, int option)
{
	if (option >= ROW_BASE)
		return option - ROW_BASE;
	for (int i = 0; i < form->count; i++)
		if (form->rows[i]->letter == option)
			return i;
	return -1;
}

/* getopt_long() returned `option` at the argument `word`. */
static int refuse_option(int option, const char *word, struct sp_error *err)
{
	if (option == ':')
		return sp_error_set(err, "option %s: its value is missing",
				    word);
	if (optopt >= ROW_BASE)
		return sp_error_set(err, "option %s: it takes no value", word);
	if (optopt)
		return sp_error_set(err, "option -%c: unknown", optopt);
	return sp_error_set(err, "option %s: unknown", word);
}

/* After an error: the reply to it may have to be JSON. */
static void find_json(struct cli *cli, const struct getopt_form *form, int argc,
		      char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, form->shorts, form->longs,
				     NULL)) != -1) {
		int i = form_find(form, option);

		cli->json |= i >= 0 && form->into[i] == cli &&
			     form->rows[i]->offset == CLI(json) &&
			     form->rows[i]->set == cli_set_flag;
	}
}

static int parse_options(struct cli *cli, const struct cli_options *own,
			 struct getopt_form *form, int argc, char **argv,
			 struct sp_error *err)
{
	int option;

	while ((option = getopt_long(argc, argv, form->shorts, form->longs,
				     NULL)) != -1) {
		int i = form_find(form, option);
		const char *word = argv[optind > 0 ? optind - 1 : 0];

		if (own->lenient && option == '?' && optopt < ROW_BASE) {
			fprintf(stderr,
				"spredict: warning: option %s: unknown\n",
				word);
			continue;
		}
		if (option == '?' || option == ':' || i < 0)
			return refuse_option(option, word, err);

		const struct cli_option *row = form->rows[i];

		if (!row->set)
			cli_note(cli, "--%s has no effect here", row->name);
		else if (row->set(row, form->into[i], optarg, err))
			return -1;
	}
	return 0;
}

int cli_options_parse(struct cli *cli, const struct cli_options *own, int argc,
		      char **argv, int *ret_first, struct sp_error *err)
{
	struct getopt_form form = { .count = 0 };

	strcpy(form.shorts, own->in_order ? "+:" : ":");
	form_add(&form, cli_common_options, cli);
	form_add(&form, own->rows, own->into);
	optind = 0; /* glibc: start over */
	opterr = 0;
	if (parse_options(cli, own, &form, argc, argv, err)) {
		find_json(cli, &form, argc, argv);
		return -1;
	}
	*ret_first = optind;
	return 0;
}

/* --- What --help prints --------------------------------------------------- */

/* "--name", "--name=VALUE" or "--name[=VALUE]". */
static void format_option(const struct cli_option *row, char *ret, size_t size)
{
	const char *argument = row->argument;

	if (!argument)
		snprintf(ret, size, "--%s", row->name);
	else if (is_optional(argument))
		snprintf(ret, size, "--%s[=%s", row->name, argument + 1);
	else
		snprintf(ret, size, "--%s=%s", row->name, argument);
}

int cli_print_word(const char *word, int column)
{
	int width = 1 + (int)strlen(word);

	if (column + width > LINE_WIDTH)
		column = printf("\n     ") - 1;
	printf(" %s", word);
	return column + width;
}

int cli_options_print_usage(const struct cli_option rows[], int column)
{
	char option[64], word[68];

	for (; rows && rows->name; rows++) {
		if (!rows->help)
			continue;
		format_option(rows, option, sizeof(option));
		snprintf(word, sizeof(word), "[%s]", option);
		column = cli_print_word(word, column);
	}
	return column;
}

void cli_options_print_help(const struct cli_option rows[])
{
	char text[64];

	for (; rows && rows->name; rows++) {
		if (!rows->help)
			continue;
		format_option(rows, text, sizeof(text));

		int column = rows->letter
				     ? printf("  -%c, %s", rows->letter, text)
				     : printf("      %s", text);

		if (column > HELP_COLUMN - 2)
			column = printf("\n") - 1;
		printf("%*s%s\n", HELP_COLUMN - column, "", rows->help);
	}
}
