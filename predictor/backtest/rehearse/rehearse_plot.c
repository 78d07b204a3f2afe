/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_plot.c - the queue over time, as an SVG
 *
 * Plan: a column of the picture is a slice of time; what waits in it is the
 * mean over the slice, found by adding each job's overlap with the slices it
 * waits in.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/plot/svg.h"
#include "predictor/backtest/rehearse/rehearse_plot.h"

/* In pixels. */
#define COLUMNS 400
#define LEFT    60
#define WIDTH   800
#define TOP     72
#define HEIGHT  240
#define NAME    140 /* of a curve */

#define DAY_S  86400.0
#define HOUR_S 3600.0

static double last_start_s(const struct rehearse_jobs *jobs)
{
	double last = 1;

	for (size_t i = 0; i < jobs->count; i++)
		last = fmax(last, jobs->of[i].start_s);
	return last;
}

/* Find the mean CPU hours that wait in each slice. */
static void columns_fill(const struct rehearse_jobs *jobs, double slice_s,
			 double ret[COLUMNS])
{
	for (size_t i = 0; i < jobs->count; i++) {
		const struct rehearse_job *j = &jobs->of[i];
		double hours = j->runtime_s * j->cpus / HOUR_S;

		for (size_t c = (size_t)fmax(0, j->submit_s / slice_s);
		     c < COLUMNS && (double)c * slice_s < j->start_s; c++) {
			double from_s = fmax(j->submit_s, (double)c * slice_s);
			double to_s =
				fmin(j->start_s, (double)(c + 1) * slice_s);

			ret[c] += hours * fmax(0, to_s - from_s) / slice_s;
		}
	}
}

static void curve_draw(const struct svg_chart *chart,
		       const struct rehearse_curve *curve,
		       const double columns[COLUMNS], size_t number)
{
	char class[16];

	snprintf(class, sizeof(class), "line c%zu", number);
	svg_sample(chart->file, class, LEFT + (double)(number * NAME), TOP - 12,
		   curve->name);
	svg_line_begin(chart->file, class);
	for (size_t c = 0; c < COLUMNS; c++)
		svg_chart_point(chart, chart->x.high * (double)c / COLUMNS,
				columns[c]);
	svg_line_end(chart->file);
}

int rehearse_plot(FILE *file, const struct rehearse_curve *curves, size_t count,
		  struct sp_error *err)
{
	if (count > REHEARSE_PLOT_MAX)
		count = REHEARSE_PLOT_MAX;

	double(*columns)[COLUMNS] = calloc(count + 1, sizeof *columns);
	double end_s = 1, top = 1;

	if (!columns)
		return sp_error_set(err, "out of memory");
	for (size_t i = 0; i < count; i++)
		end_s = fmax(end_s, last_start_s(curves[i].jobs));
	for (size_t i = 0; i < count; i++) {
		columns_fill(curves[i].jobs, end_s / COLUMNS, columns[i]);
		for (size_t c = 0; c < COLUMNS; c++)
			top = fmax(top, columns[i][c]);
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
		curve_draw(&chart, &curves[i], columns[i], i);
	svg_end(file);
	free(columns);
	return 0;
}
