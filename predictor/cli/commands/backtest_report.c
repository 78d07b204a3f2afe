/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backtest_report.c - the result of a backtest, as tables or JSON
 *
 * Each figure is a row of a table: its key in JSON, its column, and where it is
 * in the measures.
 */
#include <stdio.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/commands/backtest_report.h"
#include "predictor/cli/table.h"

#define GROUPS_SHOWN 30 /* in a table; those with the most jobs */

/* A figure of struct measures or struct whatif_measures, as a column and as a
 * field. */
struct figure {
	const char *key, *header, *format;
	double scale; /* of the column */
	size_t offset;
};

#define MODEL(member) offsetof(struct measures, member)
#define PLAN(member)  offsetof(struct whatif_measures, member)

static const struct figure model_figures[] = {
	{ "mae_over_mean", "MAE/MEAN", "%.3f", 1, MODEL(mae) },
	{ "median_error_s", "MEDIAN_ERR_S", "%.0f", 1, MODEL(median_error_s) },
	{ "accuracy", "ACCURACY_%", "%.1f", 100, MODEL(accuracy) },
	{ "underestimates", "UNDER_%", "%.1f", 100, MODEL(underestimates) },
	{ "p90_coverage", "P90_HOLDS_%", "%.1f", 100, MODEL(coverage) },
	{ "p90_over_mean", "P90/MEAN", "%.2f", 1, MODEL(width) },
	{ "p90_pinball_over_mean", "PINBALL", "%.3f", 1, MODEL(pinball) },
	{ NULL, NULL, NULL, 0, 0 },
};

static const struct figure plan_figures[] = {
	{ "wait_s", "WAIT_MIN", "%.1f", 1 / 60., PLAN(wait_s) },
	{ "longest_wait_s", "LONGEST_H", "%.1f", 1 / 3600., PLAN(longest_s) },
	{ "area_wait_s", "AREA_H", "%.2f", 1 / 3600., PLAN(area_s) },
	{ "bounded_slowdown", "SLOWDOWN", "%.2f", 1, PLAN(slowdown) },
	{ "utilisation", "USED_%", "%.1f", 100, PLAN(utilisation) },
	{ "killed", "KILLED_%", "%.2f", 100, PLAN(killed) },
	{ "outlived", "OUTLIVED_%", "%.1f", 100, PLAN(outlived) },
	{ NULL, NULL, NULL, 0, 0 },
};

static double figure_value(const struct figure *figure, const void *measures)
{
	double value;

	memcpy(&value, (const char *)measures + figure->offset, sizeof(value));
	return value;
}

/* --- Tables ------------------------------------------------------------ */

/* Make a table of text columns, then one for each figure, in `ret`. */
static struct table *make_table(const char *const texts[],
				const struct figure *figures,
				struct table_column ret[TABLE_COLUMNS_MAX])
{
	int n = 0;

	for (int i = 0; texts[i]; i++)
		ret[n++] = (struct table_column){
			.header = texts[i],
			.right = strcmp(texts[i], "JOBS") == 0,
		};
	for (; figures->key; figures++)
		ret[n++] = (struct table_column){ .header = figures->header,
						  .right = true };
	ret[n].header = NULL;
	return table_create(ret);
}

static void add_figures(struct table *table, const struct figure *figures,
			const void *measures)
{
	for (; figures->key; figures++)
		table_number(table, figures->format,
			     figures->scale * figure_value(figures, measures));
}

/* Measure a row over the jobs of a group; NULL: over all. */
static int row_measure(const struct backtest_report *report, size_t row,
		       const struct group *group, struct measures *ret,
		       struct sp_error *err)
{
	return backtest_measure(report->backtest, row,
				group ? group->positions : NULL,
				group ? group->count : 0, ret, err);
}

static int add_rows(const struct backtest_report *report,
		    const struct report_rows *rows, const struct group *group,
		    struct table *table, struct sp_error *err)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct measures m;

		if (row_measure(report, rows->of[i], group, &m, err))
			return -1;
		if (group)
			table_cell(table, "%s", group->label);
		table_cell(table, "%s", backtest_row_name(rows->of[i]));
		table_cell(table, "%zu", m.jobs);
		add_figures(table, model_figures, &m);
	}
	return 0;
}

static int print_models(const struct backtest_report *report,
			struct sp_error *err)
{
	static const char *const texts[] = { "MODEL", "JOBS", NULL };
	struct table_column columns[TABLE_COLUMNS_MAX];
	struct table *table = make_table(texts, model_figures, columns);

	if (!add_rows(report, &report->rows, NULL, table, err))
		return table_finish(table, err);
	table_destroy(table);
	return -1;
}

static int print_groups(const struct backtest_report *report,
			struct sp_error *err)
{
	static const char *const texts[] = { "GROUP", "MODEL", "JOBS", NULL };
	const struct groups *groups = &report->groups;
	struct table_column columns[TABLE_COLUMNS_MAX];
	struct table *table = make_table(texts, model_figures, columns);
	int rc = 0;

	for (size_t i = 0; !rc && i < groups->count && i < GROUPS_SHOWN; i++)
		rc = add_rows(report, &report->group_rows, &groups->of[i],
			      table, err);
	printf("\nBy %s:\n", report->grouping->name);
	if (!rc)
		rc = table_print(table, stdout, err);
	if (groups->count > GROUPS_SHOWN)
		printf("and %zu more, with fewer jobs\n",
		       groups->count - GROUPS_SHOWN);
	table_destroy(table);
	return rc;
}

static int print_plans(const struct backtest_report *report,
		       struct sp_error *err)
{
	static const char *const texts[] = { "PLAN_WITH", NULL };
	struct table_column columns[TABLE_COLUMNS_MAX];
	struct table *table = make_table(texts, plan_figures, columns);

	for (const struct report_plan *p = report->plans; p->row; p++) {
		table_cell(table, "%s", p->row->help);
		add_figures(table, plan_figures, &p->measures);
	}
	printf("\nScheduled by EASY backfilling on %u CPUs, all jobs:\n",
	       report->cpus);
	if (report->odd.wide)
		printf("%zu of %zu jobs do not fit: they get all %u CPUs\n",
		       report->odd.wide, report->backtest->count, report->cpus);
	if (report->odd.no_limit)
		printf("%zu jobs have no limit: they get the longest "
		       "requested\n",
		       report->odd.no_limit);
	return table_finish(table, err);
}

int report_tables(const struct backtest_report *report, struct sp_error *err)
{
	struct measures m;

	if (backtest_measure(report->backtest, BACKTEST_CHOSEN, NULL, 0, &m,
			     err))
		return -1;
	if (m.asked)
		printf("%s: %zu jobs, %zu of them measured, mean run time %s"
		       "\n\n",
		       report->source, report->backtest->count, m.asked,
		       DURATION_BRIEF(m.runtime_s));
	else
		printf("%s: %zu jobs, none of them measured: --skip leaves "
		       "none\n\n",
		       report->source, report->backtest->count);
	if (report->odd.instant)
		printf("%zu jobs of run time 0: it counts as a second\n\n",
		       report->odd.instant);
	if (print_models(report, err) ||
	    (report->grouping && print_groups(report, err)) ||
	    (report->plans && print_plans(report, err)))
		return -1;
	return 0;
}

/* --- JSON -------------------------------------------------------------- */

static void json_set_figures(struct json_object *object,
			     const struct figure *figures, const void *measures)
{
	for (; figures->key; figures++)
		reply_add_number(object, figures->key,
				 figure_value(figures, measures));
}

static int json_set_rows(const struct backtest_report *report,
			 const struct report_rows *rows,
			 const struct group *group, struct json_object *object,
			 struct sp_error *err)
{
	struct json_object *array = reply_add_array(object, "models");

	for (size_t i = 0; i < rows->count; i++) {
		struct json_object *row = reply_add_row(array);
		struct measures m;

		if (row_measure(report, rows->of[i], group, &m, err))
			return -1;
		reply_add_text(row, "model",
			       rows->of[i] == BACKTEST_CHOSEN
				       ? "chosen"
				       : backtest_row_name(rows->of[i]));
		reply_add_count(row, "asked", m.asked);
		reply_add_count(row, "jobs", m.jobs);
		reply_add_number(row, "runtime_s", m.runtime_s);
		reply_add_number(row, "mae_s", m.mae_s);
		json_set_figures(row, model_figures, &m);
	}
	return 0;
}

static int json_set_groups(const struct backtest_report *report,
			   struct json_object *object, struct sp_error *err)
{
	struct json_object *array = reply_add_array(object, "groups");

	for (size_t i = 0; i < report->groups.count; i++) {
		const struct group *group = &report->groups.of[i];
		struct json_object *one = reply_add_row(array);

		reply_add_text(one, report->grouping->name, group->label);
		if (json_set_rows(report, &report->group_rows, group, one, err))
			return -1;
	}
	return 0;
}

static void json_set_plans(const struct backtest_report *report,
			   struct json_object *object)
{
	struct json_object *array;

	reply_add_count(object, "cpus", report->cpus);
	reply_add_count(object, "wide_jobs", report->odd.wide);
	array = reply_add_array(object, "scheduling");
	for (const struct report_plan *p = report->plans; p->row; p++) {
		struct json_object *one = reply_add_row(array);

		reply_add_text(one, "plan", p->row->name);
		reply_add_text(one, "help", p->row->help);
		json_set_figures(one, plan_figures, &p->measures);
	}
}

int report_json(const struct backtest_report *report, struct sp_error *err)
{
	struct json_object *object = json_object_new_object();
	int rc;

	reply_add_text(object, "source", report->source);
	reply_add_count(object, "jobs", report->backtest->count);
	reply_add_count(object, "no_limit_jobs", report->odd.no_limit);
	reply_add_count(object, "instant_jobs", report->odd.instant);
	rc = json_set_rows(report, &report->rows, NULL, object, err);
	if (!rc && report->grouping)
		rc = json_set_groups(report, object, err);
	if (report->plans)
		json_set_plans(report, object);
	if (!rc)
		reply_print(object);
	json_object_put(object);
	return rc;
}
