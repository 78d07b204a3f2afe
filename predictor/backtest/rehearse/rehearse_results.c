/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_results.c - results of a rehearsal, simulated and drawn
 *
 * usage: rehearse-results RESULT SIMULATED
 *        rehearse-results --svg=FILE {NAME RESULT}...
 *
 * The part of rehearse-report that is not a table: the same jobs under the
 * simulator of `spredict backtest`, which does EASY as Slurm does it; and the
 * CPU hours of the jobs that wait, over time, as an SVG.  A column of the
 * picture is a slice of time; what waits in it is the mean over the slice,
 * found by adding each job's overlap with the slices it waits in.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/small_file.h"
#include "predictor/backtest/rehearse/rehearse_jobs.h"
#include "predictor/plot/svg.h"
#include "predictor/scheduler/easy.h"

/* In pixels. */
#define COLUMNS 400
#define LEFT    60
#define WIDTH   800
#define TOP     72
#define HEIGHT  240
#define NAME    140 /* of a curve */

#define DAY_S  86400.0
#define HOUR_S 3600.0

#define CURVES_MAX 6 /* each has a colour of its own */
#define SVG_OPTION "--svg="

/* --- The simulator -------------------------------------------------------- */

static int plan_by_limit(void *context, size_t job, double now_s,
			 struct easy_plan *ret, struct sp_error *err)
{
	const struct easy_job *jobs = context;

	(void)now_s, (void)err;
	*ret = (struct easy_plan){ jobs[job].limit_s, jobs[job].limit_s };
	return 0;
}

/* Replace the starts and ends of the jobs. */
static int jobs_simulate(struct rehearse_jobs *jobs, struct sp_error *err)
{
	struct easy_job *of = calloc(jobs->count, sizeof *of);
	double *started_s = calloc(jobs->count, sizeof *started_s);
	const struct easy_slurm slurm = { .interval_s = 30 }; /* as rehearse */
	const struct easy_rules rules = { .cpus = jobs->cpus, .slurm = &slurm };
	const struct easy_planner planner = { .context = of,
					      .submitted = plan_by_limit };
	int rc = -1;

	if (!of || !started_s) {
		sp_error_set(err, "out of memory");
		goto out;
	}
	for (size_t i = 0; i < jobs->count; i++) {
		const struct rehearse_job *j = &jobs->of[i];

		of[i] = (struct easy_job){ j->submit_s, j->runtime_s,
					   j->limit_s, j->cpus };
	}
	rc = easy_simulate(&rules, of, jobs->count, &planner, started_s, err);
	for (size_t i = 0; rc == 0 && i < jobs->count; i++) {
		struct rehearse_job *j = &jobs->of[i];

		j->start_s = started_s[i];
		j->end_s = j->start_s + j->runtime_s;
		j->completed = true;
		j->components = 1;
	}
out:
	free(started_s);
	free(of);
	return rc;
}

static int simulate(const char *from, const char *to, struct sp_error *err)
{
	struct rehearse_jobs jobs;

	if (rehearse_jobs_load(from, &jobs, err))
		return -1;

	int rc = jobs_simulate(&jobs, err) ? -1
					   : rehearse_jobs_save(to, &jobs, err);

	rehearse_jobs_clear(&jobs);
	return rc;
}

/* --- The picture ---------------------------------------------------------- */

struct curve {
	const char *name; /* letters, digits, "-=,." */
	struct rehearse_jobs jobs;
	double columns[COLUMNS];
};

/* Find the mean CPU hours that wait in each slice. */
static void columns_fill(struct curve *curve, double slice_s)
{
	for (size_t i = 0; i < curve->jobs.count; i++) {
		const struct rehearse_job *j = &curve->jobs.of[i];
		double hours = j->runtime_s * j->cpus / HOUR_S;

		for (size_t c = (size_t)fmax(0, j->submit_s / slice_s);
		     c < COLUMNS && (double)c * slice_s < j->start_s; c++) {
			double from_s = fmax(j->submit_s, (double)c * slice_s);
			double to_s =
				fmin(j->start_s, (double)(c + 1) * slice_s);

			curve->columns[c] +=
				hours * fmax(0, to_s - from_s) / slice_s;
		}
	}
}

static void curve_draw(const struct svg_chart *chart, const struct curve *curve,
		       size_t number)
{
	char class[16];

	snprintf(class, sizeof(class), "line c%zu", number);
	svg_sample(chart->file, class, LEFT + (double)(number * NAME), TOP - 12,
		   curve->name);
	svg_line_begin(chart->file, class);
	for (size_t c = 0; c < COLUMNS; c++)
		svg_chart_point(chart, chart->x.high * (double)c / COLUMNS,
				curve->columns[c]);
	svg_line_end(chart->file);
}

static void chart_draw(FILE *file, struct curve *curves, size_t count)
{
	double end_s = 1, top = 1;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < curves[i].jobs.count; k++)
			end_s = fmax(end_s, curves[i].jobs.of[k].start_s);
	for (size_t i = 0; i < count; i++) {
		columns_fill(&curves[i], end_s / COLUMNS);
		for (size_t c = 0; c < COLUMNS; c++)
			top = fmax(top, curves[i].columns[c]);
	}

	const struct svg_chart chart = {
		file,
		{ 0, end_s / DAY_S, LEFT, LEFT + WIDTH, false },
		{ 0, top, TOP + HEIGHT, TOP, false },
	};

	svg_begin(file, LEFT + WIDTH + 20, TOP + HEIGHT + 48, LEFT,
		  "CPU hours that wait", NULL);
	svg_steps_x(&chart, 8);
	svg_steps_y(&chart, 5);
	svg_text(file, "end", LEFT + WIDTH, TOP + HEIGHT + 36, "days");
	for (size_t i = 0; i < count; i++)
		curve_draw(&chart, &curves[i], i);
	svg_end(file);
}

static int draw(const char *path, char **arguments, size_t count,
		struct sp_error *err)
{
	static struct curve curves[CURVES_MAX];
	size_t n = 0;
	FILE *file = fopen(path, "w");
	int rc = file ? 0 : sp_error_set(err, "%s: %s", path, strerror(errno));

	for (; rc == 0 && n < count / 2 && n < CURVES_MAX; n++) {
		curves[n].name = arguments[2 * n];
		rc = rehearse_jobs_load(arguments[2 * n + 1], &curves[n].jobs,
					err);
	}
	if (rc == 0)
		chart_draw(file, curves, n);
	if (file)
		rc = small_file_finish(file, path, rc, err);
	for (size_t i = 0; i < n; i++)
		rehearse_jobs_clear(&curves[i].jobs);
	return rc;
}

int main(int argc, char **argv)
{
	bool svg = argc > 1 &&
		   strncmp(argv[1], SVG_OPTION, strlen(SVG_OPTION)) == 0;
	struct sp_error err = { "" };

	if (svg ? argc % 2 : argc != 3) {
		fprintf(stderr, "usage: rehearse-results RESULT SIMULATED | "
				"--svg=FILE {NAME RESULT}...\n");
		return 2;
	}
	if (svg ? draw(argv[1] + strlen(SVG_OPTION), argv + 2, (size_t)argc - 2,
		       &err)
		: simulate(argv[1], argv[2], &err)) {
		fprintf(stderr, "rehearse-report: %s\n", err.text);
		return 1;
	}
	return 0;
}
