/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_import.c - spredict import: import past jobs into the history
 *
 * Runs are read from sacct or from a file in a format of predictor/logs/, and
 * sent by import_sender.c.  A run that the history already has is not changed,
 * so that an interrupted import can be repeated.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/import/cmd_import.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/timestamp.h"

#define PRINT_EVERY_S 10.0 /* without a terminal */

/* Runs between readings of the clock, which takes time. */
#define SHOW_EVERY 256

/* --- Runs of a log -------------------------------------------------------- */

/* Find the cluster of a log: the name of the file up to the first dot, without
 * characters that the name of a cluster may not have. */
static void name_cluster(const char *path, char ret[RUN_NAME_SIZE])
{
	const char *slash = strrchr(path, '/');
	size_t length = 0;

	for (const char *c = slash ? slash + 1 : path;
	     *c && *c != '.' && length < RUN_NAME_SIZE - 1; c++)
		if (isalnum((unsigned char)*c) || strchr("_-", *c))
			ret[length++] = (char)tolower((unsigned char)*c);
	ret[length] = '\0';
}

static void print_bad_line(struct import *im, const char *name, uint64_t line,
			   const struct sp_error *why)
{
	im->bad++;
	if (im->printed == JOBLOG_BAD_KEPT_MAX)
		return;
	if (im->progress.shown)
		fputs("\r\033[K", stderr);
	if (line)
		fprintf(stderr, "%s:%llu: %s\n", name, (unsigned long long)line,
			why->text);
	else
		fprintf(stderr, "%s: %s\n", name, why->text);
	if (++im->printed == JOBLOG_BAD_KEPT_MAX)
		fputs("(more like these are only counted)\n", stderr);
}

static void show_progress(struct import *im, const struct joblog *log,
			  double share_from, double share_to)
{
	double size = (double)log_stream_size(joblog_stream(log));
	double position = (double)log_stream_position(joblog_stream(log));
	double share = share_from;
	double now_s = clock_monotonic_s();

	if (size > 0)
		share += (share_to - share_from) * fmin(1, position / size);
	progress_show(&im->progress, im->runs,
		      share > 0 ? (size_t)((double)im->runs / share) : 0);
	if (im->progress.shown || now_s < im->printed_s + PRINT_EVERY_S)
		return;
	im->printed_s = now_s;
	fprintf(stderr, "spredict: %zu jobs, %.0f %%\n", im->runs, 100 * share);
}

static bool is_outside(const struct import *im, const struct run *run)
{
	return run->ended_at_s < im->since_s || run->ended_at_s >= im->until_s;
}

static int send_run(struct import *im, const char *name, struct run *run,
		    struct sp_error *err)
{
	struct sp_error why;
	enum import_sender_rc rc = IMPORT_SENDER_ADDED;

	if (is_outside(im, run)) {
		im->outside++;
		return 0;
	}
	if (!*run->cluster)
		snprintf(run->cluster, sizeof(run->cluster), "%s", im->cluster);
	if (im->sender)
		rc = import_sender_add(im->sender, run, &why);
	if (rc == IMPORT_SENDER_FAILED) {
		if (err)
			*err = why;
		return -1;
	}
	if (rc == IMPORT_SENDER_REFUSED) {
		struct sp_error what;

		sp_error_set(&what, "job %u is not imported: %.200s",
			     run->job_id, why.text);
		print_bad_line(im, name, 0, &what);
		return 0;
	}
	im->runs++;
	return 0;
}

int import_log(struct import *import, struct joblog *log, const char *name,
	       double share_from, double share_to, struct sp_error *err)
{
	const struct joblog_counts *counts = joblog_counts(log);
	size_t bad = 0, read = 0;
	struct run run;
	int rc;

	do {
		rc = joblog_next(log, &run, err);
		for (; bad < counts->bad_kept; bad++)
			print_bad_line(import, name,
				       counts->bad_lines[bad].line,
				       &counts->bad_lines[bad].why);
		if (rc > 0 && send_run(import, name, &run, err))
			rc = -1;
		if (++read % SHOW_EVERY == 0)
			show_progress(import, log, share_from, share_to);
	} while (rc > 0);
	import->bad += counts->bad - bad;
	import->no_runs += counts->no_runs;
	joblog_destroy(log);
	return rc;
}

/* --- The import ----------------------------------------------------------- */

static int import_file(struct import *im, const struct joblog_format *format,
		       const char *path, struct sp_error *err)
{
	const struct joblog_config config = { .cluster = im->cli->cluster,
					      .look_up_users = true };
	struct log_stream *stream = log_stream_open(path, err);
	struct joblog *log =
		stream ? joblog_create(format, &config, stream, err) : NULL;

	return log ? import_log(im, log, path, 0, 1, err) : -1;
}

static void print_json(const struct import *im,
		       const struct import_counts *counts)
{
	const struct {
		const char *name;
		size_t count;
	} rows[] = {
		{ "jobs", im->runs },
		{ "stored", counts->stored },
		{ "doubles", counts->doubles },
		{ "refused", counts->refused },
		{ "not_run", im->no_runs },
		{ "outside", im->outside },
		{ "bad", im->bad },
	};
	struct json_object *reply = wire_reply_create();

	for (size_t i = 0; reply && i < sizeof(rows) / sizeof(rows[0]); i++)
		reply_add_count(reply, rows[i].name, rows[i].count);
	if (reply)
		reply_print(reply);
	json_object_put(reply);
}

static void print_summary(const struct import *im,
			  const struct import_counts *counts)
{
	printf("%zu jobs", im->runs);
	if (im->sender)
		printf(": %zu new, %zu already there", counts->stored,
		       counts->doubles);
	else
		printf(" would be imported");
	if (counts->refused)
		printf(", %zu refused (%s)", counts->refused,
		       counts->refusal.text);
	putchar('\n');
	if (im->no_runs)
		printf("%zu skipped: they never ran, or have not ended\n",
		       im->no_runs);
	if (im->outside)
		printf("%zu skipped: they ended at another time\n",
		       im->outside);
	if (im->bad)
		printf("%zu bad lines\n", im->bad);
}

/* Read all jobs, and wait until they are stored. */
static int import_jobs(struct import *im, const struct joblog_format *format,
		       const char *path, struct sp_error *err)
{
	int rc = path ? import_file(im, format, path, err)
		      : import_sacct(im, err);

	if (im->sender && rc)
		/* What was read until then is stored. */
		import_sender_flush(im->sender, NULL);
	else if (im->sender)
		rc = import_sender_flush(im->sender, err);
	if (im->sender && im->runs &&
	    import_sender_finish(im->sender, rc ? NULL : err))
		rc = -1;
	return rc;
}

static int import_all(struct import *im, const struct joblog_format *format,
		      const char *path, bool dry_run)
{
	struct import_counts counts = { .sent = 0 };
	struct sp_error err;

	if (!dry_run) {
		im->sender = import_sender_create(im->cli, &err);
		if (!im->sender)
			return cli_fail(im->cli, &err);
	}
	progress_begin(&im->progress, "importing", "jobs");
	im->printed_s = clock_monotonic_s();

	int rc = import_jobs(im, format, path, &err);

	progress_end(&im->progress);
	if (im->sender)
		import_sender_count(im->sender, &counts);
	if (!rc && im->runs == 0 && im->bad > 0)
		rc = sp_error_set(&err, "no job could be used");
	if (im->cli->json && !rc)
		print_json(im, &counts);
	else if (!im->cli->json && (im->runs || im->bad || !rc))
		print_summary(im, &counts);
	import_sender_destroy(im->sender);
	return rc ? cli_fail(im->cli, &err) : CLI_OK;
}

/* --- The command line ----------------------------------------------------- */

/* Parse the operands: a format, and a file. */
static int parse_operands(char **operands, int count,
			  const struct joblog_format **ret_format,
			  const char **ret_path, struct sp_error *err)
{
	if (count == 0)
		return sp_error_set(err, "the format is missing: sacct or swf");
	*ret_format = joblog_format_find(operands[0]);
	*ret_path = count > 1 ? operands[1] : NULL;
	if (!*ret_format)
		return sp_error_set(err,
				    "import %s: the format is sacct or swf",
				    operands[0]);
	if (!*ret_path && *ret_format != &joblog_sacct)
		return sp_error_set(err, "import %s: the file is missing",
				    operands[0]);
	return 0;
}

/* Values of the options, not yet checked. */
struct import_options {
	const char *since, *until;
	bool dry_run, restart;
};

static const struct cli_option options[] = {
	{ "since", .argument = "TIME", CLI_TEXT(struct import_options, since),
	  .help = "only jobs that ended at that time or later" },
	{ "until", .argument = "TIME", CLI_TEXT(struct import_options, until),
	  .help = "only jobs that ended before that time" },
	{ "dry-run", CLI_FLAG(struct import_options, dry_run),
	  .help = "read and check everything, store nothing" },
	{ "restart", CLI_FLAG(struct import_options, restart),
	  .help = "do not continue where the last import ended" },
	{ .name = NULL },
};

/* Which history the jobs of an SWF file fill: the file does not say. */
static void print_cluster(const struct import *im, bool from_name)
{
	fprintf(stderr, "spredict: the jobs go to cluster %s%s\n", im->cluster,
		from_name ? ", named after the file (-M NAME: to another)"
			  : "");
}

static int run_import(struct cli *cli, int argc, char **argv)
{
	struct import_options given = { .since = NULL };
	struct import im = { .cli = cli };
	const struct joblog_format *format;
	const char *path;
	char from_name[RUN_NAME_SIZE] = "";
	struct sp_error err;
	int first;

	if (cli_arguments(cli, &given, argc, argv, &first, &err))
		return cli_usage(cli, &err);
	if (cli_only_about(cli))
		return CLI_OK;
	if (parse_operands(argv + first, argc - first, &format, &path, &err) ||
	    timestamp_parse_range(given.since, given.until, clock_now_s(),
				  &im.since_s, &im.until_s, &err))
		return cli_usage(cli, &err);
	im.restart = given.restart;
	if (path && format == &joblog_swf)
		name_cluster(path, from_name);
	im.cluster = cli->cluster ? cli->cluster
		     : *from_name ? from_name
				  : cli_cluster(cli);
	if (!*im.cluster && path) {
		sp_error_set(&err, "the cluster is not known: use --clusters");
		return cli_usage(cli, &err);
	}
	if (format == &joblog_swf)
		print_cluster(&im, !cli->cluster);
	return import_all(&im, format, path, given.dry_run);
}

const struct subcommand subcommand_import = {
	.name = "import",
	.function = run_import,
	.options = options,
	.operands = "sacct|swf [FILE]",
	.operands_max = 2,
};
