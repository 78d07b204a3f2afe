/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subcommand_help.c - what spredict and its tools print of one subcommand */
#include <stdio.h>
#include <string.h>

#include "predictor/cli/subcommands.h"
#include "predictor/cli/tools.h"

const struct subcommand *subcommand_find(const struct subcommand *const table[],
					 const char *name)
{
	int i = 0;

	while (table[i] && strcmp(table[i]->name, name) != 0)
		i++;
	return table[i];
}

void subcommand_print_help(const struct subcommand *subcommand)
{
	const struct cli_option *own = subcommand->options;
	int column = printf("Usage: spredict %s", subcommand->name);

	if (subcommand->options_usage)
		column = cli_print_word(subcommand->options_usage, column);
	else
		column = cli_options_print_usage(own, column);
	if (subcommand->operands)
		cli_print_word(subcommand->operands, column);
	printf("\n\n  %s\n\n", subcommand->help
				       ? subcommand->help
				       : tool_find(subcommand->name)->help);
	if (own) {
		cli_options_print_help(own);
		putchar('\n');
	}
	puts("Options of all subcommands:");
	cli_options_print_help(cli_common_options);
}
