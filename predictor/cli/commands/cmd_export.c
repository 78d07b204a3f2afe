/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_export.c - spredict export: the history as a job log */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/cli/history_pages.h"
#include "predictor/cli/progress.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/timestamp.h"
#include "predictor/logs/swf.h"

struct export
{
	struct swf_writer *writer;
	struct progress progress;
	size_t runs;
};

static int write_run(void *context, const struct run *run, struct sp_error *err)
{
	struct export *e = context;

	progress_show(&e->progress, ++e->runs, 0);
	return swf_writer_add(e->writer, run, err);
}

/* `path`: NULL and "-" are the standard output. */
static int write_log(struct swf_writer *writer, const char *path,
		     struct sp_error *err)
{
	if (path && !strcmp(path, "-"))
		path = NULL;

	FILE *file = path ? fopen(path, "we") : stdout;

	if (!file)
		return sp_error_set(err, "%s: %s", path, strerror(errno));

	int rc = swf_writer_finish(writer, file, err);

	if (path && fclose(file) && !rc)
		rc = sp_error_set(err, "%s: %s", path, strerror(errno));
	return rc;
}

static int export_swf(struct cli *cli, const struct history_query *query,
		      const struct swf_writer_config *config,
		      const char *output)
{
	struct export e = { .runs = 0 };
	struct sp_error err;
	int rc = -1;

	e.writer = swf_writer_create(config, &err);
	if (!e.writer)
		return cli_fail(cli, &err);
	progress_begin(&e.progress, "reading", "runs");
	rc = history_visit(cli, query, write_run, &e, &err);
	progress_end(&e.progress);
	if (!rc)
		rc = write_log(e.writer, output, &err);
	swf_writer_destroy(e.writer);
	return rc ? cli_fail(cli, &err) : CLI_OK;
}

struct export_options {
	const char *since, *until, *output;
	bool anonymize;
};

static const struct cli_option options[] = {
	{ "since", .argument = "TIME", CLI_TEXT(struct export_options, since),
	  .help = "only runs that ended at that time or later" },
	{ "until", .argument = "TIME", CLI_TEXT(struct export_options, until),
	  .help = "only runs that ended before that time" },
	{ "output", .argument = "FILE", CLI_TEXT(struct export_options, output),
	  .help = "write to a file, not to the standard output" },
	{ "anonymize", CLI_FLAG(struct export_options, anonymize),
	  .help = "leave out all names" },
	{ .name = NULL },
};

static int run_export(struct cli *cli, int argc, char **argv)
{
	struct export_options given = { .since = NULL };
	struct swf_writer_config config;
	struct history_query query;
	struct sp_error err;
	int first;

	if (cli_arguments(cli, &given, argc, argv, &first, &err))
		return cli_usage(cli, &err);
	if (cli_only_about(cli))
		return CLI_OK;
	if (argc == first || strcmp(argv[first], "swf") != 0) {
		sp_error_set(&err, "the format is missing: swf");
		return cli_usage(cli, &err);
	}
	query.cluster = cli->cluster;
	if (timestamp_parse_range(given.since, given.until, clock_now_s(),
				  &query.since_s, &query.until_s, &err))
		return cli_usage(cli, &err);
	config = (struct swf_writer_config){ .computer = cli->cluster,
					     .anonymize = given.anonymize };
	return export_swf(cli, &query, &config, given.output);
}

const struct subcommand subcommand_export = {
	.name = "export",
	.function = run_export,
	.options = options,
	.operands = "swf",
	.operands_max = 1,
};
