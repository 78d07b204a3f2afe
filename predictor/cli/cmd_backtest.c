/* cmd_backtest.c - spredict backtest: what would have been said of past jobs */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/plot.h"
#include "predictor/cli/backtest_jobs.h"
#include "predictor/cli/backtest_report.h"
#include "predictor/cli/cli.h"
#include "predictor/cli/own_options.h"
#include "predictor/cli/progress.h"
#include "predictor/models/model.h"

#define CPUS_MAX 100000000

struct wanted {
	struct backtest_source source;
	const char *models, *by, *cpus, *skip, *plot;
	bool scheduling;

	/* What they mean. */
	struct report_rows rows;
	const struct grouping *grouping;
	uint32_t cpus_count; /* 0: as the log says */
	size_t skip_count;
	bool skips;
};

/* --- What is wanted ---------------------------------------------------- */

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

/* The rows of "a,b"; NULL: all. */
static int parse_models(const char *text, struct report_rows *ret,
			struct sp_error *err)
{
	char names[1024], *rest = names;

	ret->of[0] = BACKTEST_TOLD;
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
		return sp_error_set(err,
				    "--%s=%s: a number up to %lu is wanted",
				    option, text, most);
	return 0;
}

static int parse(struct wanted *w, struct sp_error *err)
{
	unsigned long number;

	if (w->source.swf && w->source.sacct)
		return sp_error_set(err, "--swf or --sacct, not both");
	if (parse_models(w->models, &w->rows, err))
		return -1;
	w->grouping = w->by ? grouping_find(w->by) : NULL;
	if (w->by && !w->grouping)
		return sp_error_set(err,
				    "--by=%s: user, application or partition "
				    "is wanted",
				    w->by);
	if (w->cpus) {
		if (parse_count("cpus", w->cpus, CPUS_MAX, &number, err))
			return -1;
		w->cpus_count = (uint32_t)number;
	}
	if (w->skip) {
		if (parse_count("skip", w->skip, UINT32_MAX, &number, err))
			return -1;
		w->skip_count = number;
		w->skips = true;
	}
	return 0;
}

static int take_options(struct cli *cli, int argc, char **argv,
			struct wanted *ret, struct sp_error *err)
{
	const struct own_option own[] = {
		{ .name = "swf", .value = &ret->source.swf },
		{ .name = "sacct", .value = &ret->source.sacct },
		{ .name = "models", .value = &ret->models },
		{ .name = "by", .value = &ret->by },
		{ .name = "what-if-scheduling", .flag = &ret->scheduling },
		{ .name = "cpus", .value = &ret->cpus },
		{ .name = "skip", .value = &ret->skip },
		{ .name = "plot", .value = &ret->plot },
		{ .name = NULL },
	};
	int first;

	*ret = (struct wanted){ .scheduling = false };
	if (own_options_take(own, &argc, argv, err) ||
	    cli_options(cli, argc, argv, false, &first, err))
		return -1;
	if (first < argc)
		return sp_error_set(err, "%s takes no argument: %s", argv[0],
				    argv[first]);
	return parse(ret, err);
}

/* --- The work ---------------------------------------------------------- */

static void show_progress(void *context, size_t ended, size_t count)
{
	progress_show(context, ended, count);
}

static int replay_jobs(const struct wanted *w, const struct past_jobs *jobs,
		       struct backtest *ret, struct sp_error *err)
{
	struct progress progress;
	const struct backtest_options options = {
		.skip = w->skips ? w->skip_count : backtest_skip(jobs->count),
		.context = &progress,
		.progress = show_progress,
	};

	progress_begin(&progress, "predicting", "jobs");

	int rc = backtest_run(jobs->of, jobs->count, &options, ret, err);

	progress_end(&progress);
	return rc;
}

/* A row of struct report_plan for each way of planning; the caller frees. */
static struct report_plan *schedule(const struct past_jobs *jobs, uint32_t cpus,
				    struct sp_error *err)
{
	const struct whatif_world world = { .jobs = jobs->of,
					    .count = jobs->count,
					    .cpus = cpus };
	struct progress progress;
	size_t rows = 0;
	int rc = 0;

	while (whatif_rows[rows].name)
		rows++;

	struct report_plan *plans = calloc(rows + 1, sizeof(*plans));

	if (!plans) {
		sp_error_set(err, "out of memory");
		return NULL;
	}
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

/* Leave out models that never said anything. */
static int drop_silent(const struct backtest *backtest,
		       struct report_rows *rows, struct sp_error *err)
{
	size_t left = 0;

	for (size_t i = 0; i < rows->count; i++) {
		struct measures m;

		if (backtest_measure(backtest, rows->of[i], NULL, 0, &m, err))
			return -1;
		if (m.jobs > 0 || rows->of[i] == BACKTEST_TOLD)
			rows->of[left++] = rows->of[i];
	}
	rows->count = left;
	return 0;
}

static int plot(const struct wanted *w, const struct report *report,
		struct sp_error *err)
{
	const struct report_rows *rows = &report->rows;
	FILE *file = fopen(w->plot, "we");

	if (!file)
		return sp_error_set(err, "%s: %s", w->plot, strerror(errno));

	int rc = plot_write(file, basename(report->source), report->backtest,
			    rows->of + 1, rows->count - 1, err);
	int failed = ferror(file);

	if ((fclose(file) || failed) && !rc)
		rc = sp_error_set(err, "%s: not written: %s", w->plot,
				  strerror(errno));
	return rc;
}

static int report_all(const struct cli *cli, const struct wanted *w,
		      const struct past_jobs *jobs, struct report *report,
		      struct sp_error *err)
{
	if (w->grouping &&
	    groups_make(w->grouping, report->backtest, &report->groups, err))
		return -1;
	report->grouping = w->grouping;
	if (w->scheduling) {
		report->plans = schedule(jobs, report->cpus, err);
		if (!report->plans)
			return -1;
	}
	if (cli->json ? report_json(report, err) : report_tables(report, err))
		return -1;
	return w->plot ? plot(w, report, err) : 0;
}

static int run(struct cli *cli, const struct wanted *w, struct sp_error *err)
{
	uint32_t cpus;
	struct past_jobs jobs;
	struct backtest backtest;

	if (backtest_read(cli, &w->source, &jobs, &cpus, err))
		return -1;

	int rc = replay_jobs(w, &jobs, &backtest, err);

	if (!rc) {
		struct report report = {
			.source = backtest_source_name(&w->source),
			.backtest = &backtest,
			.rows = w->rows,
			.group_rows = w->rows,
			.cpus = w->cpus_count ? w->cpus_count : cpus,
		};

		if (report.cpus == 0)
			report.cpus = whatif_peak_cpus(jobs.of, jobs.count);
		if (!w->models) {
			report.group_rows.count = 1;
			rc = drop_silent(&backtest, &report.rows, err);
		}
		if (!rc)
			rc = report_all(cli, w, &jobs, &report, err);
		groups_clear(&report.groups);
		free(report.plans);
		backtest_clear(&backtest);
	}
	past_jobs_clear(&jobs);
	return rc;
}

int cli_backtest(struct cli *cli, int argc, char **argv)
{
	struct wanted wanted;
	struct sp_error err;

	if (take_options(cli, argc, argv, &wanted, &err))
		return cli_usage(&err);
	if (cli_only_about(cli))
		return CLI_OK;
	return run(cli, &wanted, &err) ? cli_fail(cli, &err) : CLI_OK;
}
