/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline_plot.c - ranks over time, with the critical path, as an SVG
 *
 * A row for each rank, from the left to the right what it did: dark where it
 * computed, empty where it waited.  Time is cut into columns, each of which has
 * the part that was computed in one of a few shades, so that the size of the
 * file depends on the picture and not on the trace.  The critical path is a
 * line through the rows; points that are close to the one before are left out.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "predictor/plot/svg_text.h"
#include "predictor/plot/timeline_plot.h"

/* In pixels. */
#define LEFT     120
#define SIDE     900
#define WIDTH    (LEFT + SIDE + 30)
#define TOP      96
#define ROWS_MAX 800 /* all rows, as far as each has ROW_MIN */
#define ROW_MAX  22
#define ROW_MIN  3
#define NAME_ROW 10 /* a row with a name has at least */

#define SHADES 5

static const char style[] =
	"<style>\n"
	"svg { font: 12px sans-serif; }\n"
	".paper { fill: #ffffff; } text { fill: #24292f; }\n"
	".title { font-size: 16px; font-weight: 600; }\n"
	".note { fill: #57606a; } .tick { font-size: 10px; }\n"
	".end { text-anchor: end; } .mid { text-anchor: middle; }\n"
	".grid { stroke: #d8dee4; } .row { fill: #f1f4f8; }\n"
	".work { fill: #5b8fd6; }\n"
	".path { fill: none; stroke: #c2410c; stroke-width: 2;\n"
	"stroke-linejoin: round; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	".paper { fill: #0f1419; } text { fill: #d9e0e8; }\n"
	".note { fill: #9aa4b0; } .grid { stroke: #2d3640; }\n"
	".row { fill: #1a2129; } .work { fill: #3f6fae; }\n"
	".path { stroke: #ff9a5c; }\n"
	"}\n"
	"</style>\n";

struct drawing {
	FILE *file;
	const struct timeline_plot *plot;
	double row; /* height */
	int bottom;
	double *busy; /* [SIDE]: part of a column in which a rank computes */
};

static double time_x(const struct drawing *d, double s)
{
	return LEFT + SIDE * s / d->plot->time_s;
}

static double rank_y(const struct drawing *d, int rank)
{
	return TOP + (rank + .5) * d->row;
}

/* --- Rows ----------------------------------------------------------------- */

/* From one time to another, in columns. */
static void add_busy(struct drawing *d, double from, double to)
{
	int first = (int)fmax(floor(from), 0);

	for (int i = first; i < SIDE && i < to; i++)
		d->busy[i] += fmax(fmin(to, i + 1) - fmax(from, i), 0);
}

static void fill_busy(struct drawing *d, int rank)
{
	const struct matched_trace *m = d->plot->trace;

	for (int i = 0; i < SIDE; i++)
		d->busy[i] = 0;
	for (int g = m->first[rank]; g < m->first[rank + 1]; g++) {
		const struct replay_step *step = &d->plot->steps[g];

		add_busy(d, SIDE * step->begin_s / d->plot->time_s,
			 SIDE * step->call_s / d->plot->time_s);
	}
}

/* Neighbours of one shade are one rectangle. */
static void draw_rank(struct drawing *d, int rank)
{
	double y = TOP + rank * d->row;
	double height = d->row > 6 ? d->row - 2 : d->row;

	fill_busy(d, rank);
	fprintf(d->file,
		"<rect class=\"row\" x=\"%d\" y=\"%.1f\" width=\"%d\" "
		"height=\"%.1f\"/>\n",
		LEFT, y, SIDE, height);
	for (int i = 0; i < SIDE;) {
		int shade = (int)lround(SHADES * fmin(d->busy[i], 1));
		int end = i + 1;

		while (end < SIDE &&
		       lround(SHADES * fmin(d->busy[end], 1)) == shade)
			end++;
		if (shade)
			fprintf(d->file,
				"<rect class=\"work\" x=\"%d\" y=\"%.1f\" "
				"width=\"%d\" height=\"%.1f\" "
				"opacity=\"%.1f\"/>\n",
				LEFT + i, y, end - i, height,
				(double)shade / SHADES);
		i = end;
	}
}

/* As many names as there is room for. */
static void draw_names(const struct drawing *d)
{
	int step = (int)ceil(NAME_ROW / d->row);

	for (int r = 0; r < d->plot->trace->ranks; r += step) {
		fprintf(d->file,
			"<text class=\"end tick\" x=\"%d\" y=\"%.1f\">",
			LEFT - 8, rank_y(d, r) + 3);
		svg_text(d->file, d->plot->names[r]);
		fprintf(d->file, " %d</text>\n", r);
	}
}

/* --- Path and axis -------------------------------------------------------- */

static void draw_path(const struct drawing *d)
{
	const struct critical_path *path = d->plot->path;
	double last_x = -1, last_y = -1;

	fputs("<polyline class=\"path\" points=\"", d->file);
	for (int i = 0; i < path->count; i++) {
		const struct path_part *part = &path->parts[i];
		double x = time_x(d, part->to_s);
		double y = rank_y(d, part->rank);

		/* A message that took no time is no part. */
		if (y != last_y && part->kind != PATH_TRANSFER)
			fprintf(d->file, "%.1f,%.1f ", time_x(d, part->from_s),
				y);
		else if (i < path->count - 1 && x - last_x < .5 && y == last_y)
			continue;
		fprintf(d->file, "%.1f,%.1f ", x, y);
		last_x = x;
		last_y = y;
	}
	fputs("\"/>\n", d->file);
}

/* 1, 2 or 5 times a power of ten, for about eight steps. */
static double step_of(double span)
{
	double power = pow(10, floor(log10(span / 8)));
	double rest = span / 8 / power;

	return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

static void draw_axis(const struct drawing *d)
{
	double span = d->plot->time_s * d->plot->factor;
	double step = step_of(span);

	for (int i = 0; i * step <= span; i++) {
		double x = LEFT + SIDE * i * step / span;

		fprintf(d->file,
			"<path class=\"grid\" d=\"M%.1f %dV%d\"/>"
			"<text class=\"mid tick\" x=\"%.1f\" y=\"%d\">%.6g"
			"</text>\n",
			x, TOP - 4, d->bottom, x, d->bottom + 14, i * step);
	}
	fprintf(d->file,
		"<text class=\"end\" x=\"%d\" y=\"%d\">seconds</text>\n",
		LEFT + SIDE, d->bottom + 32);
}

static void draw_head(const struct drawing *d, int height)
{
	fprintf(d->file,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		"height=\"%d\" viewBox=\"0 0 %d %d\">\n%s"
		"<rect width=\"100%%\" height=\"100%%\" class=\"paper\"/>\n"
		"<text class=\"title\" x=\"%d\" y=\"30\">",
		WIDTH, height, WIDTH, height, style, LEFT);
	svg_text(d->file, d->plot->title);
	fprintf(d->file,
		"</text>\n<text class=\"note\" x=\"%d\" y=\"50\">%d ranks over "
		"time: they compute where it is blue, and wait elsewhere"
		"</text>\n"
		"<path class=\"path\" d=\"M%d 68h28\"/>"
		"<text class=\"note\" x=\"%d\" y=\"72\">critical path: from "
		"rank to rank, what the end had to wait for</text>\n",
		LEFT, d->plot->trace->ranks, LEFT, LEFT + 36);
}

int timeline_plot_write(FILE *file, const struct timeline_plot *plot,
			struct sp_error *err)
{
	int ranks = plot->trace->ranks;
	struct drawing d = {
		.file = file,
		.plot = plot,
		.row = fmax(fmin((double)ROWS_MAX / ranks, ROW_MAX), ROW_MIN),
		.busy = calloc(SIDE, sizeof(*d.busy)),
	};

	if (!d.busy)
		return sp_error_set(err, "out of memory for a plot");
	d.bottom = TOP + (int)ceil(ranks * d.row);
	draw_head(&d, d.bottom + 48);
	for (int r = 0; r < ranks; r++)
		draw_rank(&d, r);
	draw_axis(&d);
	draw_names(&d);
	draw_path(&d);
	fputs("</svg>\n", file);
	free(d.busy);
	return 0;
}
