/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spredict.c - predictions of run times, for people and their programs
 *
 * Subcommands that are not in its own table are programs beside it (tools.h).
 */
#include <signal.h>
#include <stdio.h>

#include "predictor/cli/subcommands.h"
#include "predictor/cli/tools.h"

static void print_about(const struct cli *cli)
{
	if (cli->version)
		printf("slurm-predict %s\n", SP_VERSION);
	else if (cli->subcommand)
		subcommand_print_help(cli->subcommand);
	else
		subcommands_print_help();
}

/* Run argv[first], the subcommand.  Returns an enum cli_exit. */
static int run_subcommand(struct cli *cli, int argc, char **argv, int first)
{
	bool unknown = true;
	struct sp_error err;

	sp_error_set(&err, "a subcommand is missing");
	if (first < argc) {
		cli->subcommand = subcommand_find(subcommands, argv[first]);
		if (cli->subcommand)
			return cli_run(cli, argc - first, argv + first);
		tool_run(argc, argv, first, &unknown, &err);
	}
	return unknown ? cli_usage(cli, &err) : cli_fail(cli, &err);
}

int main(int argc, char **argv)
{
	const struct cli_options none = { .rows = NULL, .in_order = true };
	struct cli cli = { .json = false };
	int status = CLI_OK;
	struct sp_error err;
	int first;

	signal(SIGPIPE, SIG_IGN);
	if (cli_options_parse(&cli, &none, argc, argv, &first, &err))
		return cli_usage(&cli, &err);
	if (!cli_only_about(&cli))
		status = run_subcommand(&cli, argc, argv, first);
	if (cli_only_about(&cli))
		print_about(&cli);
	return cli_flush(&cli, status);
}
