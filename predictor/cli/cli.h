/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cli.h - what spredict's subcommands share
 *
 * A subcommand prints its result to the standard output, errors to the standard
 * error, and returns the exit status.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/base/unused.h"
#include "predictor/cli/cli_options.h"
#include "predictor/cli/predictd_url.h"
#include "predictor/slurm/slurm_config.h"

/* For scontrol: slurmctld may be busy, but a person waits. */
#define SCONTROL_TIMEOUT_S  10
#define SCONTROL_OUTPUT_MAX (1 << 20)

/* Which clusters --clusters may name. */
enum cli_clusters {
	CLI_CLUSTERS_ONE,
	CLI_CLUSTERS_ALL, /* one, or "all" */
	CLI_CLUSTERS_ANY, /* a list, too */
};

/* The exit status of all subcommands. */
enum cli_exit {
	CLI_OK = 0,     /* also if nothing is known yet, or a list is empty */
	CLI_FAILED = 1, /* not possible, not found, not allowed, no predictd */
	CLI_USAGE = 2,  /* the command line is wrong, or predictd says so */
	CLI_NO_ADVICE = 3, /* too few runs, or they differ too much */
};

/* Who needs a subcommand: groups of the list that --help prints. */
enum cli_group { CLI_USERS, CLI_ADMINS, CLI_DEVELOPERS, CLI_GROUPS };

struct subcommand;

/* The common options of the command line. */
struct cli {
	const struct subcommand *subcommand; /* NULL: none yet */
	const char *url;      /* of predictd; NULL: see predictd_url.h */
	const char *cluster;  /* NULL: that of slurm.conf, or all that
				predictd knows */
	const char *clusters; /* "all", or a list with commas; NULL: one */
	bool json;            /* print replies as JSON */
	bool verbose, help, version;
	bool refused;        /* predictd takes the last request for wrong */
	bool no_advice;      /* there is none: not an error like others */
	bool unreadable;     /* a file that the command line names */
	const char *operand; /* the first one; NULL: there is none */

	/* Use cli_site() and fetch_address(). */
	bool site_read;
	struct slurm_config site;
	struct predictd_url address;
};

/* A step of a subcommand, with its own options. */
typedef int cli_step_fn(struct cli *cli, void *options, struct sp_error *err);

struct subcommand {
	const char *name;
	/* argv[0] is the subcommand's name.  Returns an enum cli_exit.  NULL:
	 * the options, all 0 before, are parsed, checked (what `check` finds is
	 * wrong with the command line; it may be NULL), and acted upon. */
	int (*function)(struct cli *cli, int argc, char **argv);
	cli_step_fn *check, *act;
	size_t options_size;
	const struct cli_option *options; /* its own; NULL: none */
	const char *options_usage; /* stands for them in the usage line; NULL:
				      they are listed there */
	enum cli_clusters clusters;
	const char *operands; /* arguments, for the usage line; NULL: none */
	int operands_max;     /* how many cli_arguments() lets pass */
	const char *help;     /* one line; NULL: in tools.c */
	enum cli_group group; /* of spredict's own */
};

/* Parse the options of cli->subcommand, own ones into *into (NULL: it has
 * none).  Afterwards argv[*ret_first] is the first operand.  Fails on an option
 * that is unknown or wrong, and if there are too many operands. */
int cli_arguments(struct cli *cli, void *into, int argc, char **argv,
		  int *ret_first, struct sp_error *err);

/* Run cli->subcommand.  Returns an enum cli_exit. */
int cli_run(struct cli *cli, int argc, char **argv);

/* Set the cluster, or the clusters.  Fails if `names` is not the name of one, a
 * list of them with commas, or "all". */
int cli_set_cluster(struct cli *cli, const char *names, struct sp_error *err);

/* Fails if the subcommand cannot take as many clusters as were given; part of
 * cli_arguments(). */
int cli_check_clusters(const struct cli *cli, struct sp_error *err);

/* Slurm's configuration; read once. */
const struct slurm_config *cli_site(struct cli *cli);

/* Return the name of the cluster to use; empty: not known. */
const char *cli_cluster(struct cli *cli);

/* Return whether only help or version were requested: main() prints them. */
bool cli_only_about(const struct cli *cli);

/* Print the reason of a failure, with --json also as a reply.  Returns
 * CLI_FAILED, CLI_USAGE if predictd has refused the request as wrong, or
 * CLI_NO_ADVICE. */
int cli_fail(const struct cli *cli, const struct sp_error *why);

/* Print what is wrong with the arguments, as cli_fail() does.  Returns
 * CLI_USAGE, or CLI_FAILED if only a file could not be read. */
int cli_usage(const struct cli *cli, const struct sp_error *why);

/* The exit status of a program that would end with `status`: what it printed
 * must have been written. */
int cli_flush(const struct cli *cli, int status);

/* With --verbose: print a note to the standard error. */
void cli_note(const struct cli *cli, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
