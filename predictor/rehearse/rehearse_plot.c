/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_plot.c - the queue over time, as an SVG
 *
 * Plan: a column of the picture is a slice of time; what waits in it is the
 * mean over the slice, found by adding each job's overlap with the slices it
 * waits in.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/rehearse/rehearse_plot.h"

#define COLUMNS 400
#define WIDTH   800
#define HEIGHT  240
#define LEFT    60
#define TOP     24
#define DAY_S   86400.0
#define HOUR_S  3600.0

static const char *const colours[REHEARSE_PLOT_MAX] = {
	"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
};

static double last_start_s(const struct rehearse_jobs *jobs)
{
	double last = 1;

	for (size_t i = 0; i < jobs->count; i++)
		last = fmax(last, jobs->of[i].start_s);
	return last;
}

/* Mean CPU hours that wait in each slice. */
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

static void curve_write(FILE *file, const struct rehearse_curve *curve,
			const double columns[COLUMNS], double top,
			size_t number)
{
	fprintf(file,
		"<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"%s\" "
		"points=\"",
		colours[number]);
	for (size_t c = 0; c < COLUMNS; c++)
		fprintf(file, "%zu,%.1f ", LEFT + c * WIDTH / COLUMNS,
			TOP + HEIGHT * (1 - columns[c] / top));
	fprintf(file, "\"/>\n<text x=\"%zu\" y=\"16\" fill=\"%s\">%s</text>\n",
		LEFT + number * 140, colours[number], curve->name);
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
	fprintf(file,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d "
		"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
		"<style>.t{fill:#444}@media(prefers-color-scheme:dark)"
		"{.t{fill:#bbb}}</style>\n"
		"<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
		"fill=\"none\" stroke=\"#888\"/>\n",
		LEFT + WIDTH + 20, TOP + HEIGHT + 40, LEFT, TOP, WIDTH, HEIGHT);
	fprintf(file,
		"<text class=\"t\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%.0f"
		"</text>\n<text class=\"t\" x=\"%d\" y=\"%d\" "
		"text-anchor=\"end\">0</text>\n",
		LEFT - 6, TOP + 10, top, LEFT - 6, TOP + HEIGHT);
	fprintf(file,
		"<text class=\"t\" x=\"%d\" y=\"%d\">CPU hours that wait, over "
		"%.1f days</text>\n",
		LEFT, TOP + HEIGHT + 24, end_s / DAY_S);
	for (size_t i = 0; i < count; i++)
		curve_write(file, &curves[i], columns[i], top, i);
	fprintf(file, "</svg>\n");
	free(columns);
	return 0;
}
