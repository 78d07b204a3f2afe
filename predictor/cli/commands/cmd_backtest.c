/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_backtest.c - spredict backtest: predictions of past jobs, measured
 *
 * Steps: parse the options, read the jobs, replay them through the models,
 * simulate the scheduling if requested, print the report, write the plot and
 * the tables that were learned.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/small_file.h"
#include "predictor/cli/commands/backtest_jobs.h"
#include "predictor/cli/commands/backtest_report.h"
#include "predictor/cli/progress.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"
#include "predictor/ensemble/start_tables.h"
#include "predictor/models/model.h"
#include "predictor/cli/commands/backtest_plot.h"

#define CPUS_MAX 100000000

/* Values of the options, first as given, then parsed. */
struct backtest_request {
	struct backtest_source source;
	const char *models, *by, *cpus, *skip, *plot;
	const char *start_path, *save_path; /* of tables */
	bool scheduling;

	struct report_rows rows;
	const struct grouping *grouping;
	uint32_t cpus_count; /* 0: as the log says */
	size_t skip_count;
	bool skips;
	char *start; /* as in struct backtest_options */
};

/* --- The command line -------------------------------------------------- */

static int add_row(const char *name, struct report_rows *rows,
		   struct sp_error *err)
{
	for (size_t i = 0; models[i]; i++) {
		if (strcmp(models[i]->name, name) != 0)
			continue;
		if (rows->count <= PREDICTION_MODELS_MAX)
			rows->of[rows->count++] = 1 + i;
		return 0;
	}
	return sp_error_set(err, "--models: there is no model %s", name);
}

/* Parse the rows of "a,b"; NULL: all. */
static int parse_models(const char *text, struct report_rows *ret,
			struct sp_error *err)
{
	char names[1024], *rest = names;

	ret->of[0] = BACKTEST_CHOSEN;
	ret->count = 1;
	for (size_t i = 0; !text && models[i]; i++)
		ret->of[ret->count++] = 1 + i;
	if (!text)
		return 0;
	if (strlen(text) >= sizeof(names))
		return sp_error_set(err, "--models: too many");
	strcpy(names, text);
	for (char *name; (name = strsep(&rest, ","));)
		if (*name && add_row(name, ret, err))
			return -1;
	return 0;
}

static int parse_count(const char *option, const char *text, unsigned long most,
		       unsigned long *ret, struct sp_error *err)
{
	char *end;

	errno = 0;
	*ret = strtoul(text, &end, 10);
	if (errno || *end || *text < '0' || *text > '9' || *ret > most)
		return sp_error_set(err, "--%s=%s: not a number up to %lu",
				    option, text, most);
	return 0;
}

static int parse_values(struct cli *cli UNUSED, void *given,
			struct sp_error *err)
{
	struct backtest_request *request = given;
	unsigned long number;

	if (request->source.swf && request->source.sacct)
		return sp_error_set(err, "--swf or --sacct, not both");
	if (parse_models(request->models, &request->rows, err))
		return -1;
	request->grouping = request->by ? grouping_find(request->by) : NULL;
	if (request->by && !request->grouping)
		return sp_error_set(err,
				    "--by=%s: not user, application, "
				    "partition or qos",
				    request->by);
	if (request->cpus) {
		if (parse_count("cpus", request->cpus, CPUS_MAX, &number, err))
			return -1;
		request->cpus_count = (uint32_t)number;
	}
	if (request->skip) {
		if (parse_count("skip", request->skip, UINT32_MAX, &number,
				err))
			return -1;
		request->skip_count = number;
		request->skips = true;
	}
	return 0;
}

/* --- The work ---------------------------------------------------------- */

static void show_progress(void *context, size_t ended, size_t count)
{
	progress_show(context, ended, count);
}

static int replay_jobs(const struct backtest_request *request,
		       const struct past_jobs *jobs, struct backtest *ret,
		       struct sp_error *err)
{
	struct progress progress;
	const struct backtest_options options = {
		.skip = request->skips ? request->skip_count
				       : backtest_skip(jobs->count),
		.start = request->start,
		.context = &progress,
		.show_progress = show_progress,
	};

	progress_begin(&progress, "predicting", "jobs");

	int rc = backtest_run(jobs->of, jobs->count, &options, ret, err);

	progress_end(&progress);
	return rc;
}

/* Simulate each row of the what-if table; the caller frees. */
static struct report_plan *
simulate_plans(const struct past_jobs *jobs,
	       const struct backtest_request *request, uint32_t cpus,
	       struct sp_error *err)
{
	const struct whatif_world world = { .jobs = jobs->of,
					    .count = jobs->count,
					    .start = request->start,
					    .cpus = cpus };
	struct progress progress;
	size_t rows = 0;
	int rc = 0;

	while (whatif_rows[rows].name)
		rows++;

	struct report_plan *plans = calloc(rows + 1, sizeof(*plans));

	if (!plans)
		return sp_error_null(err, "out of memory");
	progress_begin(&progress, "scheduling", "plans");
	for (size_t i = 0; !rc && i < rows; i++) {
		progress_show(&progress, i, rows);
		plans[i].row = &whatif_rows[i];
		rc = whatif_run(&world, plans[i].row, &plans[i].measures, err);
	}
	progress_end(&progress);
	if (!rc)
		return plans;
	free(plans);
	return NULL;
}

/* Leave out models that predicted nothing, and those for developers. */
static int drop_rows(const struct cli *cli, const struct backtest *backtest,
		     struct report_rows *rows, struct sp_error *err)
{
	size_t left = 0;

	for (size_t i = 0; i < rows->count; i++) {
		struct measures m;

		if (backtest_measure(backtest, rows->of[i], NULL, 0, &m, err))
			return -1;
		if (rows->of[i] == BACKTEST_CHOSEN ||
		    (m.jobs > 0 &&
		     (cli->json || cli->verbose ||
		      show_has_model(backtest_row_name(rows->of[i])))))
			rows->of[left++] = rows->of[i];
	}
	rows->count = left;
	return 0;
}

static int write_plot(const struct backtest_request *request,
		      const struct backtest_report *report,
		      struct sp_error *err)
{
	const struct report_rows *rows = &report->rows;
	FILE *file = fopen(request->plot, "we");
	int rc = file ? backtest_plot_write(file, basename(report->source),
					    report->backtest, rows->of + 1,
					    rows->count - 1, err)
		      : 0;

	return small_file_finish(file, request->plot, rc, err);
}

static int save_tables(const char *path, const struct backtest *backtest,
		       struct sp_error *err)
{
	if (!backtest->learned)
		return sp_error_set(err, "out of memory");
	return start_tables_write(path, backtest->learned, err);
}

static int print_report(const struct cli *cli,
			const struct backtest_request *request,
			const struct past_jobs *jobs,
			struct backtest_report *report, struct sp_error *err)
{
	if (request->grouping &&
	    groups_make(request->grouping, report->backtest, &report->groups,
			err))
		return -1;
	report->grouping = request->grouping;
	report->odd = whatif_odd_jobs(jobs->of, jobs->count, report->cpus);
	if (request->scheduling) {
		report->plans =
			simulate_plans(jobs, request, report->cpus, err);
		if (!report->plans)
			return -1;
	}
	if (request->plot && write_plot(request, report, err))
		return -1;
	if (request->save_path &&
	    save_tables(request->save_path, report->backtest, err))
		return -1;
	return cli->json ? report_json(report, err)
			 : report_tables(report, err);
}

static int run_request(struct cli *cli, const struct backtest_request *request,
		       struct sp_error *err)
{
	uint32_t cpus;
	struct past_jobs jobs;
	struct backtest backtest;

	if (backtest_read(cli, &request->source, &jobs, &cpus, err))
		return -1;

	int rc = replay_jobs(request, &jobs, &backtest, err);

	if (!rc) {
		struct backtest_report report = {
			.source = backtest_source_name(&request->source),
			.backtest = &backtest,
			.rows = request->rows,
			.group_rows = request->rows,
			.cpus = request->cpus_count ? request->cpus_count
						    : cpus,
		};

		if (report.cpus == 0)
			report.cpus = whatif_peak_cpus(jobs.of, jobs.count);
		if (!request->models) {
			report.group_rows.count = 1;
			rc = drop_rows(cli, &backtest, &report.rows, err);
		}
		if (!rc)
			rc = print_report(cli, request, &jobs, &report, err);
		groups_clear(&report.groups);
		free(report.plans);
		backtest_clear(&backtest);
	}
	past_jobs_clear(&jobs);
	return rc;
}

static const struct cli_option options[] = {
	{ "swf", .argument = "FILE",
	  CLI_TEXT(struct backtest_request, source.swf),
	  .help = "read jobs from a log in Standard Workload Format" },
	{ "sacct", .argument = "FILE",
	  CLI_TEXT(struct backtest_request, source.sacct),
	  .help = "read jobs from the output of sacct --parsable2" },
	{ "models", .argument = "LIST",
	  CLI_TEXT(struct backtest_request, models),
	  .help = "show only these models" },
	{ "by", .argument = "user|application|partition|qos",
	  CLI_TEXT(struct backtest_request, by), .help = "also show groups" },
	{ "skip", .argument = "JOBS", CLI_TEXT(struct backtest_request, skip),
	  .help = "learn from that many jobs before measuring" },
	{ "plot", .argument = "FILE", CLI_TEXT(struct backtest_request, plot),
	  .help = "plot predicted against actual run times" },
	{ "start-tables", .argument = "FILE",
	  CLI_TEXT(struct backtest_request, start_path),
	  .help = "begin with these tables, not with the program's own" },
	{ "save-tables", .argument = "FILE",
	  CLI_TEXT(struct backtest_request, save_path),
	  .help = "write what the jobs have taught, for StartTables" },
	{ "what-if-scheduling", CLI_FLAG(struct backtest_request, scheduling),
	  .help = "also simulate scheduling with these predictions" },
	{ "cpus", .argument = "NUMBER", CLI_TEXT(struct backtest_request, cpus),
	  .help = "CPUs of the simulated machine" },
	{ .name = NULL },
};

static int run_backtest(struct cli *cli, void *given, struct sp_error *err)
{
	struct backtest_request *request = given;

	if (request->start_path) {
		request->start = start_tables_read(request->start_path, err);
		if (!request->start)
			return -1;
	}

	int rc = run_request(cli, request, err);

	free(request->start);
	return rc;
}

const struct subcommand subcommand_backtest = {
	.name = "backtest",
	.options_size = sizeof(struct backtest_request),
	.check = parse_values,
	.act = run_backtest,
	.options = options,
};
