/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon_options.c - the command line that all daemons share
 *
 * The rows of all daemons and those of the program are joined in one table,
 * from which getopt_long()'s two forms are made.  The row's function applies an
 * option; help and version are printed once the whole line has been parsed.
 */
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/daemon_options.h"

#define ROWS_MAX    16
#define LONG_OPTION 256 /* getopt_long() returns this and the row's index */

#define EXIT_USAGE 2

static const struct daemon_option common_options[] = {
	{ NULL, 'D', .help = "stay in the foreground",
	  .flag = DAEMON_MEMBER(foreground) },
	{ NULL, 'f', "FILE", .help = "read this configuration file",
	  .text = DAEMON_MEMBER(config_path) },
	{ NULL, 'v', .help = "log more", .flag = DAEMON_MEMBER(verbose) },
	{ "version", 'V', .help = "print the version",
	  .action = DAEMON_VERSION },
	{ "help", 'h', .help = "print this", .action = DAEMON_HELP },
	{ "check-config", .help = "check the configuration file, and exit",
	  .action = DAEMON_CHECK_CONFIG },
	{ .help = NULL },
};

/* All rows of a program, and the same in the forms that getopt_long() reads. */
struct option_table {
	int count;
	const struct daemon_option *rows[ROWS_MAX];
	char letters[3 * ROWS_MAX + 1];
	struct option names[ROWS_MAX + 1];
};

static void table_add(struct option_table *table,
		      const struct daemon_option *row)
{
	int takes = !row->argument           ? no_argument
		    : row->may_lack_argument ? optional_argument
					     : required_argument;

	assert(table->count < ROWS_MAX);
	table->rows[table->count] = row;
	if (row->letter) {
		char *end = strchr(table->letters, '\0');

		*end++ = row->letter;
		for (int colons = 0; colons < takes; colons++)
			*end++ = ':'; /* one: required, two: optional */
	}
	if (row->name) {
		int at = 0;

		while (table->names[at].name)
			at++;
		table->names[at] = (struct option){
			.name = row->name,
			.has_arg = takes,
			.val = LONG_OPTION + table->count,
		};
	}
	table->count++;
}

static void table_fill(struct option_table *table,
		       const struct daemon_program *program)
{
	const struct daemon_option *const lists[] = { common_options,
						      program->own_options };

	*table = (struct option_table){ .count = 0 };
	for (int i = 0; i < 2; i++)
		for (const struct daemon_option *row = lists[i];
		     row && row->help; row++)
			table_add(table, row);
}

/* Return the row of what getopt_long() returned; NULL: none. */
static const struct daemon_option *table_find(const struct option_table *table,
					      int code)
{
	if (code >= LONG_OPTION)
		return table->rows[code - LONG_OPTION];
	for (int i = 0; i < table->count; i++)
		if (table->rows[i]->letter == code)
			return table->rows[i];
	return NULL;
}

/* As in "-f FILE", "-V, --version", "--migrate[=CONNINFO]". */
static void format_row(const struct daemon_option *row, char *ret, size_t size)
{
	const char *argument = row->argument ? row->argument : "";
	const char *before = !row->argument ? "" : row->name ? "=" : " ";
	const char letter[] = { '-', row->letter, '\0' };

	snprintf(ret, size, "%s%s%s%s%s%s%s%s", row->letter ? letter : "",
		 row->letter && row->name ? ", " : "", row->name ? "--" : "",
		 row->name ? row->name : "", row->may_lack_argument ? "[" : "",
		 before, argument, row->may_lack_argument ? "]" : "");
}

static void print_help(const struct daemon_program *program,
		       const struct option_table *table)
{
	printf("Usage: %s [OPTION]...\n", program->name);
	for (int i = 0; i < table->count; i++) {
		char text[64];

		format_row(table->rows[i], text, sizeof(text));
		printf("  %-21s %s\n", text, table->rows[i]->help);
	}
	printf("Configuration file: %s, with the keys:\n",
	       program->config_path);
	for (const struct conf_key *key = program->config_keys; key->name;
	     key++)
		if (!key->removed)
			printf("  %-21s %s\n", key->name, key->help);
}

static enum daemon_action parse(const struct option_table *table, int argc,
				char *argv[], struct daemon_options *options)
{
	int code;

	while ((code = getopt_long(argc, argv, table->letters, table->names,
				   NULL)) != -1) {
		const struct daemon_option *row = table_find(table, code);

		if (!row)
			return DAEMON_USAGE; /* getopt_long() said why */
		if (row->action)
			options->action = row->action;
		if (row->flag)
			*(bool *)((char *)options + row->flag) = true;
		if (row->text)
			*(const char **)(void *)((char *)options + row->text) =
				optarg;
	}
	if (optind < argc) {
		fprintf(stderr, "%s: unexpected '%s'; try -h\n", argv[0],
			argv[optind]);
		return DAEMON_USAGE;
	}
	return options->action;
}

int daemon_options_parse(const struct daemon_program *program, int argc,
			 char *argv[], struct daemon_options *ret,
			 int *ret_exit_status)
{
	struct option_table table;

	table_fill(&table, program);
	*ret = (struct daemon_options){ .action = DAEMON_SERVE,
					.config_path = program->config_path };
	*ret_exit_status = EXIT_SUCCESS;
	switch (parse(&table, argc, argv, ret)) {
	case DAEMON_HELP:
		print_help(program, &table);
		return 1;
	case DAEMON_VERSION:
		puts("slurm-predict " SP_VERSION);
		return 1;
	case DAEMON_USAGE:
		*ret_exit_status = EXIT_USAGE;
		return 1;
	default:
		return 0;
	}
}
