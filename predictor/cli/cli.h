/* cli.h - what spredict's subcommands share
 *
 * A subcommand is one file and one row of the table in spredict.c.  It prints
 * to the standard output what was asked for, to the standard error why it
 * could not, and returns the exit status.
 */
#ifndef PREDICTOR_CLI_CLI_H
#define PREDICTOR_CLI_CLI_H

#include <stdbool.h>

#include "predictor/base/error.h"
#include "predictor/cli/scontrol.h"

enum cli_exit { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/* What the user said about spredict itself. */
struct cli {
	const char *url; /* of predictd; NULL: as PREDICTD_URL or Slurm say */
	const char *cluster; /* NULL: the one that Slurm is configured for */
	bool json;           /* print replies as they are */
	bool verbose;
	bool help;
	bool version;

	/* Use cli_site(). */
	bool site_read;
	struct scontrol_site site;
};

struct subcommand {
	const char *name;
	/* argv[0] is the subcommand's name.  Returns an enum cli_exit. */
	int (*function)(struct cli *cli, int argc, char **argv);
	const char *arguments; /* for the usage line, after the name */
	const char *help;
};

int cli_predict(struct cli *cli, int argc, char **argv);
int cli_job(struct cli *cli, int argc, char **argv);
int cli_nodes(struct cli *cli, int argc, char **argv);
int cli_links(struct cli *cli, int argc, char **argv);
int cli_probes(struct cli *cli, int argc, char **argv);
int cli_accuracy(struct cli *cli, int argc, char **argv);
int cli_applications(struct cli *cli, int argc, char **argv);
int cli_profile(struct cli *cli, int argc, char **argv);
int cli_import(struct cli *cli, int argc, char **argv);
int cli_export(struct cli *cli, int argc, char **argv);
int cli_forecast(struct cli *cli, int argc, char **argv);
int cli_backtest(struct cli *cli, int argc, char **argv);

/* Take spredict's own options from argv; with `stop` up to the first argument
 * that is none, else from anywhere.  Afterwards argv[*ret_first] is the first
 * argument.  Fails on an unknown option. */
int cli_options(struct cli *cli, int argc, char **argv, bool stop,
		int *ret_first, struct sp_error *err);

/* Set the cluster, if `name` can be the name of one. */
int cli_set_cluster(struct cli *cli, const char *name, struct sp_error *err);

/* What Slurm's configuration says, asked for once. */
const struct scontrol_site *cli_site(struct cli *cli);

/* Name of the cluster that is meant; empty: not known. */
const char *cli_cluster(struct cli *cli);

/* Whether only help or version are wanted: main() prints them. */
bool cli_only_about(const struct cli *cli);

/* Say why it failed; for programs also as a reply.  Return CLI_FAILED. */
int cli_fail(const struct cli *cli, const struct sp_error *why);

/* Say what is wrong with the arguments.  Return CLI_USAGE. */
int cli_usage(const struct sp_error *why);

/* With -v: what may be worth knowing. */
void cli_note(const struct cli *cli, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
