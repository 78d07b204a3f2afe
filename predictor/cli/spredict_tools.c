/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spredict_tools.c - the subcommands that need the models, logs or traces
 *
 * Links name it spredict-NAME, and spredict runs it by them (tools.h).
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "predictor/cli/subcommands.h"

#define PREFIX "spredict-"

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	const char *name = slash ? slash + 1 : argv[0];
	struct cli cli = { .json = false };
	struct sp_error err;

	signal(SIGPIPE, SIG_IGN);
	if (!strncmp(name, PREFIX, strlen(PREFIX)))
		cli.subcommand = subcommand_find(tool_subcommands,
						 name + strlen(PREFIX));
	if (!cli.subcommand) {
		sp_error_set(&err, "%s: run it as spredict SUBCOMMAND", name);
		return cli_usage(&cli, &err);
	}

	int status = cli_run(&cli, argc, argv);

	if (cli.version)
		printf("slurm-predict %s\n", SP_VERSION);
	else if (cli.help)
		subcommand_print_help(cli.subcommand);
	return cli_flush(&cli, status);
}
