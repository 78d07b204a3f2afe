/* SPDX-License-Identifier: GPL-2.0-or-later */
/* curve_plot.c - run time and efficiency over the number of nodes, as an SVG
 *
 * Two charts, one above the other, share the numbers of nodes: run time with
 * its 90 % time as a band, and efficiency.  Lines through both of them mark the
 * least run time and the least performance index; each has a line of text of
 * its own above, so that texts never meet, however near the marks are.
 *
 * Scales are logarithmic when the values span more than a linear one shows.
 */
#include <math.h>
#include <stdbool.h>

#include "predictor/plot/curve_plot.h"
#include "predictor/plot/svg_text.h"

/* In pixels. */
#define WIDTH      760
#define LEFT       76
#define SIDE       (WIDTH - LEFT - 36)
#define TIME_TOP   128
#define TIME_SIDE  260
#define SHARE_TOP  (TIME_TOP + TIME_SIDE + 26)
#define SHARE_SIDE 110
#define BOTTOM     (SHARE_TOP + SHARE_SIDE)
#define HEIGHT     (BOTTOM + 56)

#define MARK_TOP 78 /* the text of the first mark */
#define MARK_GAP 22 /* to that of the next one */

#define LOG_NODES 12.0 /* least ratio of a logarithmic scale */
#define LOG_TIMES 8.0

#define TICKS_MAX  7  /* of the time, beyond which every second one goes */
#define NODES_ROOM 34 /* pixels that the number of nodes at a tick needs */

/* Plain classes, as in a backtest's plot. */
static const char style[] =
	"<style>\n"
	"svg { font: 12px sans-serif; }\n"
	".paper { fill: #ffffff; } text { fill: #24292f; }\n"
	".title { font-size: 16px; font-weight: 600; }\n"
	".head { font-size: 13px; font-weight: 600; }\n"
	".note { fill: #57606a; } .tick { font-size: 10px; }\n"
	".end { text-anchor: end; } .mid { text-anchor: middle; }\n"
	".grid { stroke: #d8dee4; } .seen { fill: #0a5fd0; opacity: .06; }\n"
	".band { fill: #0a5fd0; opacity: .16; }\n"
	".ideal { fill: none; stroke: #6b7280; stroke-dasharray: 3 4; }\n"
	".line { fill: none; stroke-width: 2; stroke-linejoin: round; }\n"
	".time { stroke: #0a5fd0; } .p90 { stroke: #0a5fd0; opacity: .5;\n"
	"stroke-width: 1.2; } .share { stroke: #7e22ce; }\n"
	".dot { fill: #0a5fd0; } .dot.share { fill: #7e22ce; stroke: none; }\n"
	".mark { stroke-width: 1.5; stroke-dasharray: 5 4; }\n"
	".ring { stroke-width: 2.5; fill: #ffffff; }\n"
	".best { stroke: #15803d; } .fast { stroke: #c2410c; }\n"
	"text.best { fill: #15803d; stroke: none; font-weight: 600; }\n"
	"text.fast { fill: #c2410c; stroke: none; font-weight: 600; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	".paper, .ring { fill: #0f1419; } text { fill: #d9e0e8; }\n"
	".note { fill: #9aa4b0; } .grid { stroke: #2d3640; }\n"
	".seen, .band, .dot { fill: #5aa9ff; }\n"
	".time, .p90 { stroke: #5aa9ff; } .share { stroke: #c792ff; }\n"
	".dot.share { fill: #c792ff; }\n"
	".best { stroke: #4ade80; } .fast { stroke: #ff9a5c; }\n"
	"text.best { fill: #4ade80; } text.fast { fill: #ff9a5c; }\n"
	"}\n"
	"</style>\n";

struct time_tick {
	double s;
	const char *text;
};

static const struct time_tick time_ticks[] = {
	{ .1, "0.1 s" },     { .2, "0.2 s" },     { .5, "0.5 s" },
	{ 1, "1 s" },        { 2, "2 s" },        { 5, "5 s" },
	{ 10, "10 s" },      { 20, "20 s" },      { 30, "30 s" },
	{ 60, "1 min" },     { 120, "2 min" },    { 300, "5 min" },
	{ 600, "10 min" },   { 1200, "20 min" },  { 1800, "30 min" },
	{ 3600, "1 h" },     { 7200, "2 h" },     { 14400, "4 h" },
	{ 28800, "8 h" },    { 43200, "12 h" },   { 86400, "1 d" },
	{ 172800, "2 d" },   { 432000, "5 d" },   { 864000, "10 d" },
	{ 1728000, "20 d" }, { 4320000, "50 d" }, { 0, NULL },
};

/* A scale: from `low` to `high`. */
struct scale {
	double low, high;
	bool log;
};

struct chart {
	FILE *file;
	const struct curve_plot *plot;
	const struct curve_point *points;
	int count;
	struct scale nodes, times, shares;
};

/* --- Scales ------------------------------------------------------------ */

static double scale_of(const struct scale *scale, double value)
{
	if (scale->log)
		return log(fmax(value, 1e-9) / scale->low) /
		       log(scale->high / scale->low);
	return (value - scale->low) / (scale->high - scale->low);
}

/* One number only is in the middle. */
static double node_x(const struct chart *c, double n)
{
	if (c->nodes.high <= c->nodes.low)
		return LEFT + SIDE / 2.;
	return LEFT + SIDE * scale_of(&c->nodes, n);
}

static double time_y(const struct chart *c, double s)
{
	return TIME_TOP + TIME_SIDE * (1 - scale_of(&c->times, s));
}

static double share_y(const struct chart *c, double share)
{
	return SHARE_TOP + SHARE_SIDE * (1 - scale_of(&c->shares, share));
}

static void chart_scale(struct chart *c)
{
	double least_s = INFINITY, most_s = 0, most = 1;

	for (int i = 0; i < c->count; i++) {
		least_s = fmin(least_s, c->points[i].median_s);
		most_s = fmax(most_s, c->points[i].p90_s);
		most = fmax(most, c->points[i].efficiency);
	}
	c->nodes = (struct scale){ c->points[0].n, c->points[c->count - 1].n,
				   false };
	c->nodes.log = c->nodes.high >= LOG_NODES * c->nodes.low;
	c->times = (struct scale){ 0, 1.06 * most_s, false };
	if (most_s >= LOG_TIMES * least_s)
		c->times = (struct scale){ least_s / 1.5, 1.2 * most_s, true };
	c->shares =
		(struct scale){ 0, fmax(1, ceil(4 * most - .04) / 4), false };
}

/* --- Axes -------------------------------------------------------------- */

/* A person reads at a glance: "3.4 min", "2 h 5 min". */
static void text_of_time(double s, char ret[32])
{
	long minutes = lround(s / 60);

	if (s < 9.95)
		snprintf(ret, 32, "%.1f s", s);
	else if (s < 119.5)
		snprintf(ret, 32, "%.0f s", s);
	else if (s < 597)
		snprintf(ret, 32, "%.1f min", s / 60);
	else if (minutes < 120)
		snprintf(ret, 32, "%ld min", minutes);
	else if (minutes < 48L * 60)
		snprintf(ret, 32, "%ld h %ld min", minutes / 60, minutes % 60);
	else
		snprintf(ret, 32, "%.1f d", s / 86400);
}

static bool is_shown(const struct chart *c, double s)
{
	return s > c->times.low && s < c->times.high;
}

static void draw_level(FILE *file, double y, const char *text)
{
	fprintf(file,
		"<path class=\"grid\" d=\"M%d %.1fh%d\"/>"
		"<text class=\"end tick\" x=\"%d\" y=\"%.1f\">%s</text>\n",
		LEFT, y, SIDE, LEFT - 8, y + 3.5, text);
}

/* The first tick that is far enough from the last one, and so on. */
static void draw_times(const struct chart *c)
{
	double last = INFINITY, room = (double)TIME_SIDE / TICKS_MAX;

	if (!c->times.log) {
		last = time_y(c, 0);
		draw_level(c->file, last, "0");
	}
	for (const struct time_tick *tick = time_ticks; tick->text; tick++) {
		double y = is_shown(c, tick->s) ? time_y(c, tick->s) : INFINITY;

		if (isinf(y) || last - y < room)
			continue;
		draw_level(c->file, y, tick->text);
		last = y;
	}
}

static void draw_shares(const struct chart *c)
{
	char text[16];
	int step = c->shares.high > 1.5 ? 100 : 50;

	for (int percent = 0; percent <= 100 * c->shares.high;
	     percent += step) {
		snprintf(text, sizeof(text), "%d %%", percent);
		draw_level(c->file, share_y(c, percent / 100.), text);
	}
}

static void draw_nodes(const struct chart *c)
{
	double last = -INFINITY;

	for (int i = 0; i < c->count; i++) {
		double x = node_x(c, c->points[i].n);

		/* The last number is always there. */
		if (i < c->count - 1 &&
		    (x - last < NODES_ROOM ||
		     node_x(c, c->points[c->count - 1].n) - x < NODES_ROOM))
			continue;
		fprintf(c->file,
			"<path class=\"grid\" d=\"M%.1f %dv%dM%.1f %dv%d\"/>"
			"<text class=\"mid tick\" x=\"%.1f\" y=\"%d\">"
			"%d</text>\n",
			x, TIME_TOP, TIME_SIDE, x, SHARE_TOP, SHARE_SIDE, x,
			BOTTOM + 16, c->points[i].n);
		last = x;
	}
	fprintf(c->file, "<text class=\"end\" x=\"%d\" y=\"%d\">nodes</text>\n",
		LEFT + SIDE, BOTTOM + 40);
}

/* Where runs were: beyond, the lines are an extrapolation. */
static void draw_seen(const struct chart *c)
{
	double from = fmax(c->plot->n_min, c->nodes.low);
	double to = fmin(c->plot->n_max, c->nodes.high);
	double x = node_x(c, from), width = node_x(c, to) - x;

	if (to <= from)
		return;
	fprintf(c->file,
		"<path class=\"seen\" d=\"M%.1f %dh%.1fv%dh%.1fz"
		"M%.1f %dh%.1fv%dh%.1fz\"/>\n",
		x, TIME_TOP, width, TIME_SIDE, -width, x, SHARE_TOP, width,
		SHARE_SIDE, -width);
	if (width > 90)
		fprintf(c->file,
			"<text class=\"mid tick note\" x=\"%.1f\" y=\"%d\">"
			"runs were here</text>\n",
			x + width / 2, TIME_TOP + 14);
}

/* --- Lines ------------------------------------------------------------- */

static void draw_times_of(const struct chart *c, const char *class, bool p90)
{
	fprintf(c->file, "<polyline class=\"line %s\" points=\"", class);
	for (int i = 0; i < c->count; i++)
		fprintf(c->file, "%.1f,%.1f ", node_x(c, c->points[i].n),
			time_y(c, p90 ? c->points[i].p90_s
				      : c->points[i].median_s));
	fputs("\"/>\n", c->file);
}

static void draw_band(const struct chart *c)
{
	fputs("<polygon class=\"band\" points=\"", c->file);
	for (int i = 0; i < c->count; i++)
		fprintf(c->file, "%.1f,%.1f ", node_x(c, c->points[i].n),
			time_y(c, c->points[i].p90_s));
	for (int i = c->count - 1; i >= 0; i--)
		fprintf(c->file, "%.1f,%.1f ", node_x(c, c->points[i].n),
			time_y(c, c->points[i].median_s));
	fputs("\"/>\n", c->file);
}

/* The run time if efficiency stayed at 100 %. */
static void draw_ideal(const struct chart *c)
{
	fputs("<polyline class=\"ideal\" points=\"", c->file);
	for (int i = 0; i < c->count; i++) {
		double s = c->points[i].median_s * c->points[i].efficiency;

		if (!c->times.log || s >= c->times.low)
			fprintf(c->file, "%.1f,%.1f ",
				node_x(c, c->points[i].n), time_y(c, s));
	}
	fputs("\"/>\n", c->file);
}

static void draw_efficiency(const struct chart *c)
{
	fputs("<polyline class=\"line share\" points=\"", c->file);
	for (int i = 0; i < c->count; i++)
		fprintf(c->file, "%.1f,%.1f ", node_x(c, c->points[i].n),
			share_y(c, c->points[i].efficiency));
	fputs("\"/>\n", c->file);
}

static void draw_dots(const struct chart *c)
{
	for (int i = 0; i < c->count; i++)
		fprintf(c->file,
			"<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" "
			"r=\"2.5\"/><circle class=\"dot share\" cx=\"%.1f\" "
			"cy=\"%.1f\" r=\"2.5\"/>\n",
			node_x(c, c->points[i].n),
			time_y(c, c->points[i].median_s),
			node_x(c, c->points[i].n),
			share_y(c, c->points[i].efficiency));
}

/* --- Marks and legend --------------------------------------------------- */

/* The line `row` of the texts, from 0. */
static void draw_mark(const struct chart *c, const struct curve_point *p,
		      const char *class, const char *name, int row)
{
	double x = node_x(c, p->n);
	int y = MARK_TOP + row * MARK_GAP;
	bool left = x > LEFT + SIDE * .55;
	char time[32];

	text_of_time(p->median_s, time);
	fprintf(c->file,
		"<path class=\"mark %s\" d=\"M%.1f %dV%d\"/>"
		"<circle class=\"ring %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>"
		"<circle class=\"ring %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>"
		"<text class=\"%s%s\" x=\"%.1f\" y=\"%d\">%s: %d node%s, %s, "
		"%.0f %% efficient</text>\n",
		class, x, y - 10, BOTTOM, class, x, time_y(c, p->median_s),
		class, x, share_y(c, p->efficiency), left ? "end " : "", class,
		x + (left ? -7 : 7), y, name, p->n, p->n == 1 ? "" : "s", time,
		100 * p->efficiency);
}

static void draw_marks(const struct chart *c)
{
	const struct curve *curve = c->plot->curve;
	const struct curve_point *best = &c->points[curve->worth];
	const struct curve_point *fastest = &c->points[curve->fastest];

	if (best == fastest) {
		draw_mark(c, best, "best", "best and fastest", 1);
		return;
	}
	draw_mark(c, fastest, "fast", "fastest", 0);
	draw_mark(c, best, "best", "best", 1);
}

static void draw_sample(FILE *file, int x, const char *class, const char *text)
{
	fprintf(file,
		"<path class=\"%s\" d=\"M%d %dh22\"/>"
		"<text class=\"tick\" x=\"%d\" y=\"%d\">%s</text>\n",
		class, x, BOTTOM + 36, x + 28, BOTTOM + 40, text);
}

static void draw_legend(const struct chart *c)
{
	draw_sample(c->file, LEFT, "line time", "run time");
	draw_sample(c->file, LEFT + 100, "line p90", "90 % are under");
	draw_sample(c->file, LEFT + 232, "ideal", "at 100 % efficiency");
	draw_sample(c->file, LEFT + 380, "line share", "efficiency");
}

static void draw_head(FILE *file, const struct curve_plot *plot)
{
	fprintf(file,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		"height=\"%d\" viewBox=\"0 0 %d %d\">\n%s"
		"<rect width=\"100%%\" height=\"100%%\" class=\"paper\"/>\n"
		"<text class=\"title\" x=\"%d\" y=\"30\">",
		WIDTH, HEIGHT, WIDTH, HEIGHT, style, LEFT);
	svg_text(file, plot->title);
	fprintf(file,
		"</text>\n<text class=\"note\" x=\"%d\" y=\"50\">run time over "
		"the number of nodes, from %d runs on %d to %d</text>\n",
		LEFT, plot->runs, plot->n_min, plot->n_max);
}

static bool is_drawable(const struct curve_point *p)
{
	return p->n > 0 && p->median_s > 0 && p->p90_s >= p->median_s &&
	       p->efficiency > 0 && isfinite(p->p90_s) &&
	       isfinite(p->efficiency);
}

int curve_plot_write(FILE *file, const struct curve_plot *plot,
		     struct sp_error *err)
{
	struct chart c = { .file = file,
			   .plot = plot,
			   .points = plot->curve->points,
			   .count = plot->curve->count };

	for (int i = 0; i < c.count; i++)
		if (!is_drawable(&c.points[i]))
			return sp_error_set(err,
					    "%d nodes: no time to be drawn",
					    c.points[i].n);
	chart_scale(&c);
	draw_head(file, plot);
	draw_seen(&c);
	draw_times(&c);
	draw_shares(&c);
	draw_nodes(&c);
	draw_band(&c);
	draw_ideal(&c);
	draw_times_of(&c, "p90", true);
	draw_times_of(&c, "time", false);
	draw_efficiency(&c);
	draw_dots(&c);
	draw_marks(&c);
	draw_legend(&c);
	fputs("</svg>\n", file);
	return 0;
}
