/* cmd_export.c - `spredict export`: the history as a job log */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/cli/cli.h"
#include "predictor/cli/history_pages.h"
#include "predictor/cli/moment.h"
#include "predictor/cli/own_options.h"
#include "predictor/cli/progress.h"
#include "predictor/logs/swf.h"

struct export
{
	struct swf_writer *writer;
	struct progress progress;
	size_t runs;
};

static int visit(void *context, const struct run *run, struct sp_error *err)
{
	struct export *e = context;

	progress_show(&e->progress, ++e->runs, 0);
	return swf_writer_add(e->writer, run, err);
}

/* Write to the file at `path`; NULL: the standard output. */
static int write_log(struct swf_writer *writer, const char *path,
		     struct sp_error *err)
{
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
	rc = history_visit(cli, query, visit, &e, &err);
	progress_end(&e.progress);
	if (!rc)
		rc = write_log(e.writer, output, &err);
	swf_writer_destroy(e.writer);
	return rc ? cli_fail(cli, &err) : CLI_OK;
}

static int read_query(const struct cli *cli, const char *since,
		      const char *until, struct history_query *ret,
		      struct sp_error *err)
{
	double now_s = clock_now_s();

	*ret = (struct history_query){ .cluster = cli->cluster,
				       .since_s = NAN,
				       .until_s = NAN };
	if (since && moment_parse(since, now_s, &ret->since_s, err))
		return -1;
	if (until && moment_parse(until, now_s, &ret->until_s, err))
		return -1;
	return 0;
}

int cli_export(struct cli *cli, int argc, char **argv)
{
	const char *since = NULL, *until = NULL, *output = NULL;
	struct swf_writer_config config = { .anonymize = false };
	const struct own_option own[] = {
		{ .name = "since", .value = &since },
		{ .name = "until", .value = &until },
		{ .name = "output", .value = &output },
		{ .name = "anonymize", .flag = &config.anonymize },
		{ .name = NULL },
	};
	struct history_query query;
	struct sp_error err;
	int first;

	if (own_options_take(own, &argc, argv, &err) ||
	    cli_options(cli, argc, argv, false, &first, &err))
		return cli_usage(&err);
	if (cli_only_about(cli))
		return CLI_OK;
	if (argc - first != 1 || strcmp(argv[first], "swf") != 0) {
		sp_error_set(&err, "export what? swf");
		return cli_usage(&err);
	}
	if (read_query(cli, since, until, &query, &err))
		return cli_usage(&err);
	config.computer = cli->cluster;
	return export_swf(cli, &query, &config, output);
}
