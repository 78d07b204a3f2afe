/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spredict.c - predictions of run times, for people and their programs */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "predictor/cli/subcommands.h"

static int choose_subcommand(struct cli *cli, const char *name,
			     struct sp_error *err)
{
	if (!name)
		return sp_error_set(err, "a subcommand is missing");
	cli->subcommand = subcommand_find(name);
	if (!cli->subcommand)
		return sp_error_set(err, "no subcommand %s", name);
	return 0;
}

/* Everything that was printed must have been written. */
static int flush_output(const struct cli *cli, int status)
{
	struct sp_error err;

	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (errno == EPIPE) /* the reader has ended */
		return CLI_FAILED;
	sp_error_set(&err, "standard output: %s", strerror(errno));
	return cli_fail(cli, &err);
}

static void print_about(const struct cli *cli)
{
	if (cli->version)
		printf("slurm-predict %s\n", SP_VERSION);
	else if (cli->subcommand)
		subcommand_print_help(cli->subcommand);
	else
		subcommands_print_help();
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
	if (!cli_only_about(&cli)) {
		if (choose_subcommand(&cli, argv[first], &err))
			return cli_usage(&cli, &err);
		status = cli.subcommand->function(&cli, argc - first,
						  argv + first);
	}
	if (cli_only_about(&cli))
		print_about(&cli);
	return flush_output(&cli, status);
}
