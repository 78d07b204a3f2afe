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
#include <stdlib.h>

#include "predictor/plot/svg.h"
#include "predictor/cli/commands/timeline_plot.h"

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

struct drawing {
	FILE *file;
	const struct timeline_plot *plot;
	double row;             /* height */
	struct svg_chart chart; /* seconds */
	double *busy; /* [SIDE]: part of a column in which a rank computes */
};

static double time_x(const struct drawing *d, double s)
{
	return svg_at(&d->chart.x, s * d->plot->factor);
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
	svg_rect(d->file, "row", LEFT, y, SIDE, height, 1);
	for (int i = 0; i < SIDE;) {
		int shade = (int)lround(SHADES * fmin(d->busy[i], 1));
		int end = i + 1;

		while (end < SIDE &&
		       lround(SHADES * fmin(d->busy[end], 1)) == shade)
			end++;
		if (shade)
			svg_rect(d->file, "work", LEFT + i, y, end - i, height,
				 (double)shade / SHADES);
		i = end;
	}
}

/* As many names as there is room for. */
static void draw_names(const struct drawing *d)
{
	int step = (int)ceil(NAME_ROW / d->row);

	for (int r = 0; r < d->plot->trace->ranks; r += step)
		svg_text(d->file, "end tick", LEFT - 8, rank_y(d, r) + 3,
			 "%s %d", d->plot->names[r], r);
}

/* --- Path and axis -------------------------------------------------------- */

static void draw_path(const struct drawing *d)
{
	const struct critical_path *path = d->plot->path;
	double last_x = -1, last_y = -1;

	svg_line_begin(d->file, "line c1");
	for (int i = 0; i < path->count; i++) {
		const struct path_part *part = &path->parts[i];
		double x = time_x(d, part->to_s);
		double y = rank_y(d, part->rank);

		/* A message that took no time is no part. */
		if (y != last_y && part->kind != PATH_TRANSFER)
			svg_line_point(d->file, time_x(d, part->from_s), y);
		else if (i < path->count - 1 && x - last_x < .5 && y == last_y)
			continue;
		svg_line_point(d->file, x, y);
		last_x = x;
		last_y = y;
	}
	svg_line_end(d->file);
}

static void draw_head(const struct drawing *d, double height)
{
	char note[128];

	snprintf(note, sizeof(note),
		 "%d ranks over time: they compute where it is blue, and wait "
		 "elsewhere",
		 d->plot->trace->ranks);
	svg_begin(d->file, WIDTH, height, LEFT, d->plot->title, note);
	svg_sample(d->file, "line c1", LEFT, 72,
		   "critical path: from rank to rank, what the end had to wait "
		   "for");
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

	double bottom = TOP + ceil(ranks * d.row);

	d.chart = (struct svg_chart){
		file,
		{ 0, plot->time_s * plot->factor, LEFT, LEFT + SIDE, false },
		{ 0, 1, bottom, TOP - 4, false },
	};
	draw_head(&d, bottom + 48);
	for (int r = 0; r < ranks; r++)
		draw_rank(&d, r);
	svg_steps_x(&d.chart, 8);
	svg_text(file, "end", LEFT + SIDE, bottom + 32, "seconds");
	draw_names(&d);
	draw_path(&d);
	svg_end(file);
	free(d.busy);
	return 0;
}
