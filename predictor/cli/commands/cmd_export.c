/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_export.c - spredict export: the history as a job log */
#include <stdio.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/small_file.h"
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

	int rc = file ? swf_writer_finish(writer, file, err) : 0;

	return path ? small_file_finish(file, path, rc, err) : rc;
}

struct export_options {
	const char *since, *until, *output;
	bool anonymize;
	struct history_query query;
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

static int check_export(struct cli *cli, void *given, struct sp_error *err)
{
	struct export_options *o = given;

	if (!cli->operand || strcmp(cli->operand, "swf") != 0)
		return sp_error_set(err, "the format is missing: swf");
	o->query.cluster = cli->cluster;
	return timestamp_parse_range(o->since, o->until, clock_now_s(),
				     &o->query.since_s, &o->query.until_s, err);
}

static int export_swf(struct cli *cli, void *given, struct sp_error *err)
{
	const struct export_options *o = given;
	const struct swf_writer_config config = { .computer = cli->cluster,
						  .anonymize = o->anonymize };
	struct export e = { .writer = swf_writer_create(&config, err) };

	if (!e.writer)
		return -1;
	progress_begin(&e.progress, "reading", "runs");

	int rc = history_visit(cli, &o->query, write_run, &e, err);

	progress_end(&e.progress);
	if (!rc)
		rc = write_log(e.writer, o->output, err);
	swf_writer_destroy(e.writer);
	return rc;
}

const struct subcommand subcommand_export = {
	.name = "export",
	.options_size = sizeof(struct export_options),
	.check = check_export,
	.act = export_swf,
	.options = options,
	.operands = "swf",
	.operands_max = 1,
};
