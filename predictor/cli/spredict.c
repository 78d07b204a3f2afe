/* spredict.c - predictions of run times, for people and their programs
 *
 * Each subcommand is one file with a function, and one row here.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "predictor/cli/cli.h"

static const struct subcommand subcommands[] = {
	{ .name = "predict",
	  .function = cli_predict,
	  .arguments = " [SBATCH OPTION...] SCRIPT [ARGUMENT...]",
	  .help = "how long a job would run if it were submitted now" },
	{ .name = "job",
	  .function = cli_job,
	  .arguments = " ID",
	  .help = "a job's prediction against its progress or outcome, and "
		  "why" },
	{ .name = "nodes",
	  .function = cli_nodes,
	  .arguments = " [--slow] [--history [--resource=NAME]] "
		       "[--horizon=TIME]",
	  .help = "the state of the nodes, as measured and as forecast" },
	{ .name = "links",
	  .function = cli_links,
	  .arguments = " [--table] [--latency] [--node=NODE]",
	  .help = "the ways between nodes, as a matrix or a table" },
	{ .name = "probes",
	  .function = cli_probes,
	  .arguments = " --plan [--slots=N] [--node=NODE] [--nodes=LIST "
		       "[--topology=FILE]]\n      [--interval=S]",
	  .help = "who probes whom, when" },
	{ .name = "accuracy",
	  .function = cli_accuracy,
	  .arguments = " [--by=WHAT] [--since=T] [--until=T] [--user=U] ...",
	  .help = "how good the predictions have been, by model or by what is "
		  "said" },
	{ .name = "applications",
	  .function = cli_applications,
	  .arguments = "",
	  .help = "the applications whose runs are known" },
	{ .name = "profile",
	  .function = cli_profile,
	  .arguments = " APPLICATION",
	  .help = "what an application does with CPUs and links" },
	{ .name = "import",
	  .function = cli_import,
	  .arguments = " [--since=TIME] [--until=TIME] [--dry-run] "
		       "[--restart] sacct|swf [FILE]",
	  .help = "put past jobs into the history: from sacct, or from a "
		  "file" },
	{ .name = "export",
	  .function = cli_export,
	  .arguments = " [--since=TIME] [--until=TIME] [--anonymize] "
		       "[--output=FILE] swf",
	  .help = "the history as a job log" },
	{ .name = "backtest",
	  .function = cli_backtest,
	  .arguments = " [--swf=FILE | --sacct=FILE] [--models=A,B] "
		       "[--by=WHAT]\n      [--what-if-scheduling [--cpus=N]] "
		       "[--skip=N] [--plot=FILE.svg]",
	  .help = "what would have been predicted for past jobs" },
	{ .name = "forecast",
	  .function = cli_forecast,
	  .arguments = " [--column=N|NAME] [--horizon=N] [FILE]",
	  .help = "what forecasts of a series of numbers are worth" },
	{ .name = NULL },
};

static int choose(const char *name, const struct subcommand **ret,
		  struct sp_error *err)
{
	if (!name)
		return sp_error_set(err, "which subcommand?");
	for (const struct subcommand *s = subcommands; s->name; s++) {
		if (strcmp(s->name, name) == 0) {
			*ret = s;
			return 0;
		}
	}
	return sp_error_set(err, "no subcommand %s", name);
}

static void print_help(void)
{
	puts("Usage: spredict [OPTION...] SUBCOMMAND [ARGUMENT...]\n");
	for (const struct subcommand *s = subcommands; s->name; s++)
		printf("  %s%s\n      %s\n", s->name, s->arguments, s->help);
	puts("\n"
	     "  -M, --clusters=CLUSTER  a cluster other than Slurm's own\n"
	     "  -u, --url=URL           predictd's address, as in\n"
	     "                          unix:/run/slurm-predict/predictd.sock\n"
	     "      --json              print the reply as JSON\n"
	     "  -v, --verbose           say what is done\n"
	     "  -h, --help              print this\n"
	     "  -V, --version           print the version\n"
	     "\n"
	     "Exit status: 0 answered, 1 no answer, 2 wrong usage.");
}

/* What was printed must have got where it should go. */
static int flushed(const struct cli *cli, int status)
{
	struct sp_error err;

	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (errno == EPIPE) /* the reader has seen enough */
		return CLI_FAILED;
	sp_error_set(&err, "standard output: %s", strerror(errno));
	return cli_fail(cli, &err);
}

static void print_about(const struct cli *cli, const struct subcommand *chosen)
{
	if (cli->version)
		printf("slurm-predict %s\n", SP_VERSION);
	else if (chosen)
		printf("Usage: spredict %s%s\n  %s\n", chosen->name,
		       chosen->arguments, chosen->help);
	else
		print_help();
}

int main(int argc, char **argv)
{
	struct cli cli = { .json = false };
	const struct subcommand *chosen = NULL;
	int status = CLI_OK;
	struct sp_error err;
	int first;

	signal(SIGPIPE, SIG_IGN);
	if (cli_options(&cli, argc, argv, true, &first, &err))
		return cli_usage(&err);
	if (!cli_only_about(&cli)) {
		if (choose(argv[first], &chosen, &err))
			return cli_usage(&err);
		status = chosen->function(&cli, argc - first, argv + first);
	}
	if (cli_only_about(&cli))
		print_about(&cli, chosen);
	return flushed(&cli, status);
}
