/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plot.c - a backtest as an SVG of three charts
 *
 * Predicted against actual run times as a density in shades; the mean error of
 * some rows over time, in buckets of equally many jobs; and the share of jobs
 * within each predicted quantile.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predictor/plot/plot.h"
#include "predictor/plot/svg_text.h"

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

struct axis_tick {
	double at;
	const char *text;
};

static const struct axis_tick times[] = {
	{ 1, "1 s" },       { 10, "10 s" },  { 60, "1 min" },
	{ 600, "10 min" },  { 3600, "1 h" }, { 86400, "1 d" },
	{ 864000, "10 d" }, { 0, NULL },
};

static const struct axis_tick errors[] = {
	{ 0, "0" }, { .5, "0.5" }, { 1, "1" }, { 1.5, "1.5" }, { 0, NULL },
};

static const struct axis_tick shares[] = {
	{ 0, "0" },      { .25, "25 %" }, { .5, "50 %" },
	{ .75, "75 %" }, { 1, "100 %" },  { 0, NULL },
};

/* Plain classes: not every viewer knows variables, or schemes. */
static const char style[] =
	"<style>\n"
	"svg { font: 12px sans-serif; }\n"
	".paper { fill: #ffffff; } text { fill: #24292f; }\n"
	".title { font-size: 16px; font-weight: 600; }\n"
	".head { font-size: 13px; font-weight: 600; }\n"
	".tick { font-size: 10px; }\n"
	".end { text-anchor: end; } .mid { text-anchor: middle; }\n"
	".grid { stroke: #d8dee4; } .cell { fill: #0a5fd0; }\n"
	".equal { stroke: #24292f; stroke-dasharray: 4 4; opacity: .6; }\n"
	".line { fill: none; stroke-width: 2; stroke-linejoin: round; }\n"
	".c0 { stroke: #0a5fd0; } .c1 { stroke: #c2410c; }\n"
	".c2 { stroke: #6b7280; } .c3 { stroke: #15803d; }\n"
	".c4 { stroke: #7e22ce; } .c5 { stroke: #a16207; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	".paper { fill: #0f1419; } text { fill: #d9e0e8; }\n"
	".grid { stroke: #2d3640; } .cell { fill: #5aa9ff; }\n"
	".equal { stroke: #d9e0e8; }\n"
	".c0 { stroke: #5aa9ff; } .c1 { stroke: #ff9a5c; }\n"
	".c2 { stroke: #9aa4b0; } .c3 { stroke: #4ade80; }\n"
	".c4 { stroke: #c792ff; } .c5 { stroke: #eac54f; }\n"
	"}\n"
	"</style>\n";

/* A chart: where it stands, and what its sides are. */
struct chart {
	FILE *file;
	double left;
	double (*x)(double value), (*y)(double value); /* to 0 .. 1 */
};

/* --- Scales ------------------------------------------------------------ */

static double within_one(double value)
{
	return fmin(1, fmax(0, value));
}

static double scale_time(double seconds)
{
	return within_one(log(fmax(seconds, SHORTEST_S) / SHORTEST_S) /
			  log(LONGEST_S / SHORTEST_S));
}

static double scale_error(double error)
{
	return within_one(error / ERROR_MAX);
}

static double chart_x(const struct chart *c, double value)
{
	return c->left + SIDE * c->x(value);
}

static double chart_y(const struct chart *c, double value)
{
	return TOP + SIDE - SIDE * c->y(value);
}

/* --- What all charts have ---------------------------------------------- */

static void draw_titles(const struct chart *c, const char *head,
			const char *below)
{
	fprintf(c->file,
		"<text class=\"head\" x=\"%.0f\" y=\"%d\">%s</text>\n"
		"<text class=\"mid\" x=\"%.0f\" y=\"%d\">%s</text>\n",
		c->left, TOP - 12, head, c->left + SIDE / 2., TOP + SIDE + 36,
		below);
}

static void draw_x_ticks(const struct chart *c, const struct axis_tick *ticks)
{
	for (; ticks->text; ticks++)
		fprintf(c->file,
			"<path class=\"grid\" d=\"M%.1f %dv%d\"/>"
			"<text class=\"mid tick\" x=\"%.1f\" "
			"y=\"%d\">%s</text>\n",
			chart_x(c, ticks->at), TOP, SIDE, chart_x(c, ticks->at),
			TOP + SIDE + 16, ticks->text);
}

static void draw_y_ticks(const struct chart *c, const struct axis_tick *ticks)
{
	for (; ticks->text; ticks++)
		fprintf(c->file,
			"<path class=\"grid\" d=\"M%.0f %.1fh%d\"/>"
			"<text class=\"end tick\" x=\"%.0f\" "
			"y=\"%.1f\">%s</text>\n",
			c->left, chart_y(c, ticks->at), SIDE, c->left - 6,
			chart_y(c, ticks->at) + 4, ticks->text);
}

static void draw_equal(const struct chart *c)
{
	fprintf(c->file, "<path class=\"equal\" d=\"M%.0f %dl%d %d\"/>\n",
		c->left, TOP + SIDE, SIDE, -SIDE);
}

/* --- Predicted against actual ------------------------------------------ */

static size_t cell_of(double seconds)
{
	size_t cell = (size_t)(CELLS * scale_time(seconds));

	return cell < CELLS ? cell : CELLS - 1;
}

static void draw_cell(const struct chart *c, size_t x, size_t y, double share)
{
	double size = (double)SIDE / CELLS;

	/* Few shades make a smaller file. */
	fprintf(c->file,
		"<rect class=\"cell\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
		"height=\"%.1f\" opacity=\"%.2f\"/>\n",
		c->left + size * (double)x, TOP + SIDE - size * (double)(y + 1),
		size, size, ceil(share * SHADES) / SHADES);
}

static int draw_density(FILE *file, const struct backtest *b,
			struct sp_error *err)
{
	const struct chart c = { file, LEFT, scale_time, scale_time };
	size_t *counts = calloc((size_t)CELLS * CELLS, sizeof(*counts));
	size_t most = 0;

	if (!counts)
		return sp_error_set(err, "out of memory");
	for (size_t i = 0; i < b->count; i++) {
		struct measures_sample s =
			backtest_sample(b, BACKTEST_CHOSEN, i);

		if (!b->measured[i] || !isfinite(s.predicted_s))
			continue;

		size_t *count = &counts[cell_of(s.predicted_s) * CELLS +
					cell_of(s.runtime_s)];

		if (++*count > most)
			most = *count;
	}
	draw_titles(&c, "Predicted (up) and actual run time",
		    "actual run time; the darker, the more jobs");
	draw_x_ticks(&c, times);
	draw_y_ticks(&c, times);
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

static int compare_times(const void *a, const void *b)
{
	const struct time_order *x = a, *y = b;

	if (x->at_s != y->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

static void draw_name(const struct chart *c, size_t row, int place)
{
	int line = place / 3;
	double x = c->left + 96 * (place % 3), y = TOP + SIDE + 56 + 18 * line;

	fprintf(c->file,
		"<path d=\"M%.0f %.0fh18\" class=\"line c%d\"/>"
		"<text x=\"%.0f\" y=\"%.0f\">%s</text>\n",
		x, y - 4, place, x + 24, y, backtest_row_name(row));
}

/* Buckets of equally many jobs. */
static void draw_errors(const struct chart *c, const struct backtest *b,
			const struct time_order *order, size_t count,
			size_t row, int place)
{
	fprintf(c->file, "<polyline class=\"line c%d\" points=\"", place);
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
			fprintf(c->file, "%.1f,%.1f ",
				chart_x(c, ((double)bucket + .5) / BUCKETS),
				chart_y(c, error_s / runtime_s));
	}
	fputs("\"/>\n", c->file);
	draw_name(c, row, place);
}

static void draw_date(const struct chart *c, double at_s, double x,
		      const char *class)
{
	time_t seconds = (time_t)at_s;
	char text[32] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d", &tm);
	fprintf(c->file,
		"<text class=\"%s tick\" x=\"%.0f\" y=\"%d\">%s"
		"</text>\n",
		class, chart_x(c, x), TOP + SIDE + 16, text);
}

static int draw_history(FILE *file, const struct backtest *b,
			const size_t *rows, size_t rows_count,
			struct sp_error *err)
{
	const struct chart c = { file, LEFT + PITCH, within_one, scale_error };
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
	draw_titles(&c, "Mean error, over the mean run time",
		    "jobs in the order of their submission");
	draw_y_ticks(&c, errors);
	if (count > 0) {
		draw_date(&c, order[0].at_s, 0, "begin");
		draw_date(&c, order[count - 1].at_s, 1, "end");
	}
	for (size_t i = 0; i < rows_count && i < PLOT_ROWS_MAX; i++)
		draw_errors(&c, b, order, count, rows[i], (int)i + 1);
	draw_errors(&c, b, order, count, BACKTEST_CHOSEN, 0);
	free(order);
	return 0;
}

/* --- Calibration ------------------------------------------------------- */

static void draw_calibration(FILE *file, const struct backtest *b)
{
	const struct chart c = { file, LEFT + 2 * PITCH, within_one,
				 within_one };

	draw_titles(&c, "Jobs that stayed within a quantile",
		    "predicted quantile");
	draw_x_ticks(&c, shares);
	draw_y_ticks(&c, shares);
	draw_equal(&c);
	fputs("<polyline class=\"line c0\" points=\"", file);
	for (int i = 0; b->knots_count > 0 && i < PREDICTION_KNOTS; i++)
		fprintf(file, "%.1f,%.1f ", chart_x(&c, prediction_knots[i]),
			chart_y(&c,
				(double)b->within[i] / (double)b->knots_count));
	fputs("\"/>\n", file);
}

int plot_write(FILE *file, const char *title, const struct backtest *b,
	       const size_t *rows, size_t rows_count, struct sp_error *err)
{
	fprintf(file,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		"height=\"%d\" viewBox=\"0 0 %d %d\">\n%s"
		"<rect width=\"100%%\" height=\"100%%\" "
		"class=\"paper\"/>\n"
		"<text class=\"title\" x=\"%d\" y=\"30\">",
		WIDTH, HEIGHT, WIDTH, HEIGHT, style, LEFT);
	svg_text(file, title);
	fputs("</text>\n", file);
	if (draw_density(file, b, err) ||
	    draw_history(file, b, rows, rows_count, err))
		return -1;
	draw_calibration(file, b);
	fputs("</svg>\n", file);
	return 0;
}
