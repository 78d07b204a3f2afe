/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subcommands.c - the subcommands of spredict itself */
#include <stdio.h>

#include "predictor/cli/subcommands.h"
#include "predictor/cli/tools.h"

const struct subcommand *const subcommands[] = {
	&subcommand_predict,
	&subcommand_curve,
	&subcommand_bundle,
	&subcommand_queue,
	&subcommand_job,
	&subcommand_nodes,
	&subcommand_links,
	&subcommand_probes,
	&subcommand_accuracy,
	&subcommand_applications,
	&subcommand_profile,
	&subcommand_doctor,
	&subcommand_explain_script,
	NULL,
};

void subcommands_print_help(void)
{
	puts("Usage: spredict [OPTION...] SUBCOMMAND [ARGUMENT...]\n");
	for (size_t i = 0; subcommands[i]; i++)
		printf("  %-14s %s\n", subcommands[i]->name,
		       subcommands[i]->help);
	for (const struct tool *t = tools; t->name; t++)
		printf("  %-14s %s\n", t->name, t->help);
	puts("\n\"spredict SUBCOMMAND --help\" lists the options of one.\n");
	cli_options_print_help(cli_common_options);
	puts("\nExit status: 0 success, 1 failure, 2 wrong usage.");
}
