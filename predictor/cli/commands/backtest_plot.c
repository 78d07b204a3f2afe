/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backtest_plot.c - a backtest as an SVG of three charts
 *
 * Predicted against actual run times as a density in shades; the mean error of
 * some rows over time, in buckets of equally many jobs; and the share of jobs
 * within each predicted quantile.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "predictor/base/compare.h"
#include "predictor/cli/commands/backtest_plot.h"
#include "predictor/plot/svg.h"

/* In pixels: three square charts in a line. */
#define SIDE   280
#define LEFT   64
#define TOP    72
#define PITCH  (SIDE + 80)
#define WIDTH  (LEFT + 2 * PITCH + SIDE + 24)
#define HEIGHT (TOP + SIDE + 92)

#define CELLS   56 /* of the density, along a side */
#define BUCKETS 30 /* of the error over time */
#define SHADES  8  /* of the density */

/* Run times that the density shows. */
#define SHORTEST_S 1.0
#define LONGEST_S  (30 * 86400.0)

/* An error above this is drawn at the rim: a limit may be off by far more. */
#define ERROR_MAX 1.5

#define TIME_ROOM 33 /* pixels that the text of a time needs */

static const struct svg_tick errors[] = {
	{ 0, "0" }, { .5, "0.5" }, { 1, "1" }, { 1.5, "1.5" }, { 0, NULL },
};

static const struct svg_tick shares[] = {
	{ 0, "0" },      { .25, "25 %" }, { .5, "50 %" },
	{ .75, "75 %" }, { 1, "100 %" },  { 0, NULL },
};

/* Return the chart at `place` from the left, with its texts. */
static struct svg_chart chart_begin(FILE *file, int place, const char *head,
				    const char *below)
{
	double left = LEFT + place * PITCH;

	svg_text(file, "head", left, TOP - 12, "%s", head);
	svg_text(file, "mid", left + SIDE / 2., TOP + SIDE + 36, "%s", below);
	return (struct svg_chart){
		file,
		{ 0, 1, left, left + SIDE, false },
		{ 0, 1, TOP + SIDE, TOP, false },
	};
}

static void draw_equal(const struct svg_chart *c)
{
	svg_line(c->file, "equal", c->x.from, c->y.from, c->x.to, c->y.to);
}

/* --- Predicted against actual ------------------------------------------ */

static size_t cell_of(const struct svg_scale *x, double seconds)
{
	size_t cell = (size_t)(CELLS * (svg_at(x, seconds) - x->from) / SIDE);

	return cell < CELLS ? cell : CELLS - 1;
}

static void draw_cell(const struct svg_chart *c, size_t x, size_t y,
		      double share)
{
	double size = (double)SIDE / CELLS;

	/* Few shades make a smaller file. */
	svg_rect(c->file, "cell", c->x.from + size * (double)x,
		 c->y.from - size * (double)(y + 1), size, size,
		 ceil(share * SHADES) / SHADES);
}

static int draw_density(FILE *file, const struct backtest *b,
			struct sp_error *err)
{
	struct svg_chart c =
		chart_begin(file, 0, "Predicted (up) and actual run time",
			    "actual run time; the darker, the more jobs");
	size_t *counts = calloc((size_t)CELLS * CELLS, sizeof(*counts));
	size_t most = 0;

	if (!counts)
		return sp_error_set(err, "out of memory");
	c.x = (struct svg_scale){ SHORTEST_S, LONGEST_S, c.x.from, c.x.to,
				  true };
	c.y = (struct svg_scale){ SHORTEST_S, LONGEST_S, c.y.from, c.y.to,
				  true };
	for (size_t i = 0; i < b->count; i++) {
		struct measures_sample s =
			backtest_sample(b, BACKTEST_CHOSEN, i);

		if (!b->measured[i] || !isfinite(s.predicted_s))
			continue;

		size_t *count = &counts[cell_of(&c.x, s.predicted_s) * CELLS +
					cell_of(&c.x, s.runtime_s)];

		if (++*count > most)
			most = *count;
	}
	svg_ticks_x(&c, svg_times, TIME_ROOM);
	svg_ticks_y(&c, svg_times, TIME_ROOM);
	for (size_t i = 0; i < (size_t)CELLS * CELLS; i++)
		if (counts[i] > 0)
			draw_cell(&c, i % CELLS, i / CELLS,
				  log1p((double)counts[i]) /
					  log1p((double)most));
	draw_equal(&c);
	free(counts);
	return 0;
}

/* --- The error over time ----------------------------------------------- */

struct time_order {
	double at_s;
	size_t job;
};

COMPARE_BY_BOTH(compare_times, struct time_order, at_s, job)

/* Buckets of equally many jobs. */
static void draw_errors(const struct svg_chart *c, const struct backtest *b,
			const struct time_order *order, size_t count,
			size_t row, int place)
{
	int line = place / 3;
	char class[16];

	snprintf(class, sizeof(class), "line c%d", place);
	svg_sample(c->file, class, c->x.from + 96 * (place % 3),
		   TOP + SIDE + 56 + 18 * line, backtest_row_name(row));
	svg_line_begin(c->file, class);
	for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
		double error_s = 0, runtime_s = 0;

		for (size_t i = count * bucket / BUCKETS;
		     i < count * (bucket + 1) / BUCKETS; i++) {
			struct measures_sample s =
				backtest_sample(b, row, order[i].job);

			if (!isfinite(s.predicted_s))
				continue;
			error_s += fabs(s.predicted_s - s.runtime_s);
			runtime_s += s.runtime_s;
		}
		if (runtime_s > 0)
			svg_chart_point(c, ((double)bucket + .5) / BUCKETS,
					error_s / runtime_s);
	}
	svg_line_end(c->file);
}

static void draw_date(const struct svg_chart *c, double at_s, double x,
		      const char *class)
{
	time_t seconds = (time_t)at_s;
	char text[32] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d", &tm);
	svg_text(c->file, class, svg_at(&c->x, x), TOP + SIDE + 16, "%s", text);
}

static int draw_history(FILE *file, const struct backtest *b,
			const size_t *rows, size_t rows_count,
			struct sp_error *err)
{
	struct svg_chart c =
		chart_begin(file, 1, "Mean error, over the mean run time",
			    "jobs in the order of their submission");
	struct time_order *order = calloc(b->count + 1, sizeof(*order));
	size_t count = 0;

	if (!order)
		return sp_error_set(err, "out of memory");
	for (size_t i = 0; i < b->count; i++)
		if (b->measured[i])
			order[count++] = (struct time_order){
				b->jobs[i].subject.submitted_at_s, i
			};
	qsort(order, count, sizeof(*order), compare_times);
	c.y.high = ERROR_MAX;
	svg_ticks_y(&c, errors, 1);
	if (count > 0) {
		draw_date(&c, order[0].at_s, 0, "tick");
		draw_date(&c, order[count - 1].at_s, 1, "end tick");
	}
	for (size_t i = 0; i < rows_count && i < BACKTEST_PLOT_ROWS; i++)
		draw_errors(&c, b, order, count, rows[i], (int)i + 1);
	draw_errors(&c, b, order, count, BACKTEST_CHOSEN, 0);
	free(order);
	return 0;
}

/* --- Calibration ------------------------------------------------------- */

static void draw_calibration(FILE *file, const struct backtest *b)
{
	struct svg_chart c =
		chart_begin(file, 2, "Jobs that stayed within a quantile",
			    "predicted quantile");

	svg_ticks_x(&c, shares, 1);
	svg_ticks_y(&c, shares, 1);
	draw_equal(&c);
	svg_line_begin(file, "line c0");
	for (int i = 0; b->knots_count > 0 && i < PREDICTION_KNOTS; i++)
		svg_chart_point(&c, prediction_knots[i],
				(double)b->within[i] / (double)b->knots_count);
	svg_line_end(file);
}

int backtest_plot_write(FILE *file, const char *title, const struct backtest *b,
			const size_t *rows, size_t rows_count,
			struct sp_error *err)
{
	svg_begin(file, WIDTH, HEIGHT, LEFT, title, NULL);
	if (draw_density(file, b, err) ||
	    draw_history(file, b, rows, rows_count, err))
		return -1;
	draw_calibration(file, b);
	svg_end(file);
	return 0;
}
