/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subcommands.c - the subcommands of spredict */
#include <stdio.h>
#include <string.h>

#include "predictor/cli/subcommands.h"

const struct subcommand *const subcommands[] = {
	&subcommand_predict,
	&subcommand_curve,
	&subcommand_bundle,
	&subcommand_queue,
	&subcommand_whatif,
	&subcommand_critical,
	&subcommand_procedures,
	&subcommand_job,
	&subcommand_nodes,
	&subcommand_links,
	&subcommand_probes,
	&subcommand_accuracy,
	&subcommand_applications,
	&subcommand_profile,
	&subcommand_import,
	&subcommand_export,
	&subcommand_backtest,
	&subcommand_forecast,
	&subcommand_doctor,
	&subcommand_explain_script,
	NULL,
};

const struct subcommand *subcommand_find(const char *name)
{
	for (size_t i = 0; subcommands[i]; i++)
		if (!strcmp(subcommands[i]->name, name))
			return subcommands[i];
	return NULL;
}

void subcommand_print_help(const struct subcommand *subcommand)
{
	const struct cli_option *own = subcommand->options;
	int column = printf("Usage: spredict %s", subcommand->name);

	if (subcommand->options_usage)
		column = cli_print_word(subcommand->options_usage, column);
	else
		column = cli_options_print_usage(own, column);
	if (*subcommand->operands)
		cli_print_word(subcommand->operands, column);
	printf("\n\n  %s\n\n", subcommand->help);
	if (own) {
		cli_options_print_help(own);
		putchar('\n');
	}
	puts("Options of all subcommands:");
	cli_options_print_help(cli_common_options);
}

void subcommands_print_help(void)
{
	puts("Usage: spredict [OPTION...] SUBCOMMAND [ARGUMENT...]\n");
	for (size_t i = 0; subcommands[i]; i++)
		printf("  %-14s %s\n", subcommands[i]->name,
		       subcommands[i]->help);
	puts("\n\"spredict SUBCOMMAND --help\" lists the options of one.\n");
	cli_options_print_help(cli_common_options);
	puts("\nExit status: 0 success, 1 failure, 2 wrong usage.");
}
