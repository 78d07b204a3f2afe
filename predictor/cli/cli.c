/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cli.c - what spredict's subcommands share */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/cli/cli.h"
#include "predictor/cli/cluster_list.h"
#include "predictor/cli/fetch.h"
#include "predictor/features/secret.h"
#include "predictor/slurm/slurm_command.h"

int cli_check_clusters(const struct cli *cli, struct sp_error *err)
{
	enum cli_clusters may =
		cli->subcommand ? cli->subcommand->clusters : CLI_CLUSTERS_ONE;

	if (!cli->clusters || may == CLI_CLUSTERS_ANY ||
	    (may == CLI_CLUSTERS_ALL && strcmp(cli->clusters, "all") == 0))
		return 0;
	return sp_error_set(
		err, "option --clusters: %s: one cluster%s is wanted",
		cli->clusters, may == CLI_CLUSTERS_ALL ? ", or all," : "");
}

int cli_arguments(struct cli *cli, void *into, int argc, char **argv,
		  int *ret_first, struct sp_error *err)
{
	const struct subcommand *subcommand = cli->subcommand;
	const struct cli_options own = { .rows = subcommand->options,
					 .into = into };
	int most = subcommand->operands_max;

	if (cli_options_parse(cli, &own, argc, argv, ret_first, err))
		return -1;
	if (cli_check_clusters(cli, err))
		return -1;
	if (argc - *ret_first > most)
		return sp_error_set(err, "%s: unexpected argument: %s",
				    subcommand->name, argv[*ret_first + most]);
	cli->operand = *ret_first < argc ? argv[*ret_first] : NULL;
	return 0;
}

static int run_steps(struct cli *cli, int argc, char **argv, void *options)
{
	const struct subcommand *s = cli->subcommand;
	struct sp_error err;
	int first;

	if (cli_arguments(cli, options, argc, argv, &first, &err))
		return cli_usage(cli, &err);
	if (cli_only_about(cli))
		return CLI_OK;
	if (s->check && s->check(cli, options, &err))
		return cli_usage(cli, &err);
	return s->act(cli, options, &err) ? cli_fail(cli, &err) : CLI_OK;
}

int cli_run(struct cli *cli, int argc, char **argv)
{
	void *options;
	int status;

	if (cli->subcommand->function)
		return cli->subcommand->function(cli, argc, argv);
	options = calloc(1, cli->subcommand->options_size + 1);
	if (!options)
		return cli_fail(cli, &(struct sp_error){ "out of memory" });
	status = run_steps(cli, argc, argv, options);
	free(options);
	return status;
}

int cli_set_cluster(struct cli *cli, const char *names, struct sp_error *err)
{
	struct cluster_list list;

	if (cluster_list_parse(names, &list, err))
		return -1;

	bool several = list.count > 1 || strcmp(names, "all") == 0;

	cli->cluster = several ? NULL : names;
	cli->clusters = several ? names : NULL;
	return 0;
}

/* Return what scontrol prints of a cluster (NULL: this one); NULL: nothing. */
static char *config_text(struct cli *cli, const char *cluster)
{
	const char *const argv[] = { "scontrol", "show",
				     "config",   cluster ? "-M" : NULL,
				     cluster,    NULL };
	struct sp_error err;
	char *text = slurm_command_run(argv, SCONTROL_TIMEOUT_S,
				       SCONTROL_OUTPUT_MAX, &err);
	if (!text)
		cli_note(cli, "Slurm's configuration is not known: %s",
			 err.text);
	return text;
}

/* A cluster that Slurm does not know may be one of a log that was imported:
 * this cluster's predictd has it. */
const struct slurm_config *cli_site(struct cli *cli)
{
	char *text;

	if (cli->site_read)
		return &cli->site;
	text = config_text(cli, cli->cluster);
	if (!text && cli->cluster)
		text = config_text(cli, NULL);
	slurm_config_parse(text ? text : "", &cli->site);
	free(text);
	cli->site_read = true;
	return &cli->site;
}

const char *cli_cluster(struct cli *cli)
{
	return cli->cluster ? cli->cluster : cli_site(cli)->cluster;
}

bool cli_only_about(const struct cli *cli)
{
	return cli->help || cli->version;
}

static void print_error(const struct cli *cli, const struct sp_error *why)
{
	struct json_object *reply = cli->json ? wire_reply_create() : NULL;
	struct sp_error masked = *why;

	secret_mask_text(masked.text);
	fprintf(stderr, "spredict: error: %s\n", masked.text);
	if (!reply)
		return;
	wire_reply_add_error(reply, masked.text, NULL);
	reply_print(reply);
	json_object_put(reply);
}

int cli_fail(const struct cli *cli, const struct sp_error *why)
{
	print_error(cli, why);
	return cli->refused     ? CLI_USAGE
	       : cli->no_advice ? CLI_NO_ADVICE
				: CLI_FAILED;
}

int cli_usage(const struct cli *cli, const struct sp_error *why)
{
	const struct subcommand *subcommand = cli->subcommand;

	if (cli->unreadable)
		return cli_fail(cli, why);
	print_error(cli, why);
	fprintf(stderr, "Try \"spredict%s%s --help\" for more information\n",
		subcommand ? " " : "", subcommand ? subcommand->name : "");
	return CLI_USAGE;
}

int cli_flush(const struct cli *cli, int status)
{
	struct sp_error err;

	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (errno == EPIPE) /* the reader has ended */
		return CLI_FAILED;
	sp_error_set(&err, "standard output: %s", strerror(errno));
	return cli_fail(cli, &err);
}

void cli_note(const struct cli *cli, const char *format, ...)
{
	va_list arguments;

	if (!cli->verbose)
		return;
	fputs("spredict: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}
