/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subcommands.c - the subcommands of spredict itself */
#include <stdio.h>

#include "predictor/cli/subcommands.h"
#include "predictor/cli/tools.h"

const struct subcommand *const subcommands[] = {
	&subcommand_predict,
	&subcommand_job,
	&subcommand_queue,
	&subcommand_report,
	&subcommand_curve,
	&subcommand_bundle,
	&subcommand_explain_script,
	&subcommand_applications,
	&subcommand_profile,
	&subcommand_nodes,
	&subcommand_links,
	&subcommand_doctor,
	&subcommand_accuracy,
	&subcommand_probes,
	NULL,
};

static void print_group(enum cli_group group, const char *title)
{
	printf("\n%s:\n", title);
	for (size_t i = 0; subcommands[i]; i++)
		if (subcommands[i]->group == group)
			printf("  %-15s %s\n", subcommands[i]->name,
			       subcommands[i]->help);
	for (const struct tool *t = tools; t->name; t++)
		if (t->group == group)
			printf("  %-15s %s\n", t->name, t->help);
}

void subcommands_print_help(void)
{
	static const char *const titles[CLI_GROUPS] = {
		[CLI_USERS] = "For users",
		[CLI_ADMINS] = "For admins",
		[CLI_DEVELOPERS] = "For developers",
	};

	puts("Usage: spredict [OPTION...] SUBCOMMAND [ARGUMENT...]");
	for (int group = 0; group < CLI_GROUPS; group++)
		print_group(group, titles[group]);
	puts("\n\"spredict SUBCOMMAND --help\" lists the options of one.\n");
	cli_options_print_help(cli_common_options);
	puts("\nExit status: 0 success, 1 failure, 2 wrong usage, 3 no "
	     "advice.");
}
