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

#include "predictor/base/duration.h"
#include "predictor/cli/commands/curve_plot.h"
#include "predictor/plot/svg.h"

/* In pixels. */
#define WIDTH      760
#define LEFT       76
#define RIGHT      (WIDTH - 36)
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

#define TIME_ROOM  37 /* pixels that a time needs */
#define NODES_ROOM 34 /* the number of nodes at a tick */

struct charts {
	FILE *file;
	const struct curve_plot *plot;
	const struct curve_point *points;
	int count;
	struct svg_chart times, shares;
};

static void charts_scale(struct charts *c)
{
	double least_s = INFINITY, most_s = 0, most = 1;

	for (int i = 0; i < c->count; i++) {
		least_s = fmin(least_s, c->points[i].median_s);
		most_s = fmax(most_s, c->points[i].p90_s);
		most = fmax(most, c->points[i].efficiency);
	}

	bool log = most_s >= LOG_TIMES * least_s;
	struct svg_scale nodes = { c->points[0].n, c->points[c->count - 1].n,
				   LEFT, RIGHT, false };

	nodes.log = nodes.high >= LOG_NODES * nodes.low;
	c->times = (struct svg_chart){
		c->file,
		nodes,
		{ log ? least_s / 1.5 : 0, (log ? 1.2 : 1.06) * most_s,
		  TIME_TOP + TIME_SIDE, TIME_TOP, log },
	};
	c->shares = (struct svg_chart){
		c->file,
		nodes,
		{ 0, fmax(1, ceil(4 * most - .04) / 4), BOTTOM, SHARE_TOP,
		  false },
	};
}

/* --- Axes -------------------------------------------------------------- */

static void draw_levels(const struct charts *c)
{
	int step = c->shares.y.high > 1.5 ? 100 : 50;
	char text[16];

	svg_ticks_y(&c->times, svg_times, TIME_ROOM);
	for (int percent = 0; percent <= 100 * c->shares.y.high;
	     percent += step) {
		snprintf(text, sizeof(text), "%d %%", percent);
		svg_tick_y(&c->shares, percent / 100., text);
	}
}

/* The last number is always there. */
static void draw_nodes(const struct charts *c)
{
	double last = -INFINITY, end = svg_at(&c->shares.x, c->shares.x.high);
	char text[16];

	for (int i = 0; i < c->count; i++) {
		double x = svg_at(&c->shares.x, c->points[i].n);

		if (i < c->count - 1 &&
		    (x - last < NODES_ROOM || end - x < NODES_ROOM))
			continue;
		snprintf(text, sizeof(text), "%d", c->points[i].n);
		svg_tick_x(&c->shares, c->points[i].n, text);
		svg_line(c->file, "grid", x, TIME_TOP, x, TIME_TOP + TIME_SIDE);
		last = x;
	}
	svg_text(c->file, "end", RIGHT, BOTTOM + 40, "nodes");
}

/* Where runs were: beyond, the lines are an extrapolation. */
static void draw_seen(const struct charts *c)
{
	double x = svg_at(&c->times.x, c->plot->n_min);
	double width = svg_at(&c->times.x, c->plot->n_max) - x;

	if (width <= 0)
		return;
	svg_rect(c->file, "seen", x, TIME_TOP, width, TIME_SIDE, 1);
	svg_rect(c->file, "seen", x, SHARE_TOP, width, SHARE_SIDE, 1);
	if (width > 90)
		svg_text(c->file, "mid tick note", x + width / 2, TIME_TOP + 14,
			 "runs were here");
}

/* --- Lines ------------------------------------------------------------- */

/* A line through a member of each point, at that offset. */
static void draw_line(const struct charts *c, const char *class,
		      const struct svg_chart *chart, size_t offset)
{
	svg_line_begin(c->file, class);
	for (int i = 0; i < c->count; i++) {
		const char *point = (const void *)&c->points[i];

		svg_chart_point(
			chart, c->points[i].n,
			*(const double *)(const void *)(point + offset));
	}
	svg_line_end(c->file);
}

/* From the median to where 90 % are under. */
static void draw_band(const struct charts *c)
{
	svg_line_begin(c->file, "band");
	for (int i = 0; i < c->count; i++)
		svg_chart_point(&c->times, c->points[i].n, c->points[i].p90_s);
	for (int i = c->count - 1; i >= 0; i--)
		svg_chart_point(&c->times, c->points[i].n,
				c->points[i].median_s);
	svg_line_end(c->file);
}

/* The run time if efficiency stayed at 100 %. */
static void draw_ideal(const struct charts *c)
{
	svg_line_begin(c->file, "ideal");
	for (int i = 0; i < c->count; i++) {
		double s = c->points[i].median_s * c->points[i].efficiency;

		if (s >= c->times.y.low)
			svg_chart_point(&c->times, c->points[i].n, s);
	}
	svg_line_end(c->file);
}

static void draw_circles(const struct charts *c, const struct curve_point *p,
			 const char *of_time, const char *of_share, double r)
{
	double x = svg_at(&c->times.x, p->n);

	svg_circle(c->file, of_time, x, svg_at(&c->times.y, p->median_s), r);
	svg_circle(c->file, of_share, x, svg_at(&c->shares.y, p->efficiency),
		   r);
}

/* --- Marks and legend --------------------------------------------------- */

/* `colour` is a class, `row` the line of the text, from 0. */
static void draw_mark(const struct charts *c, const struct curve_point *p,
		      const char *colour, const char *name, int row)
{
	double x = svg_at(&c->times.x, p->n), y = MARK_TOP + row * MARK_GAP;
	bool left = x > LEFT + (RIGHT - LEFT) * .55;
	char class[32];

	snprintf(class, sizeof(class), "mark %s", colour);
	svg_line(c->file, class, x, y - 10, x, BOTTOM);
	snprintf(class, sizeof(class), "ring %s", colour);
	draw_circles(c, p, class, class, 5);
	snprintf(class, sizeof(class), "%s%s", left ? "end " : "", colour);
	svg_text(c->file, class, x + (left ? -7 : 7), y,
		 "%s: %d node%s, %s, %.0f %% efficient", name, p->n,
		 p->n == 1 ? "" : "s", DURATION_BRIEF(p->median_s),
		 100 * p->efficiency);
}

static void draw_marks(const struct charts *c)
{
	const struct curve *curve = c->plot->curve;
	const struct curve_point *best = &c->points[curve->worth];
	const struct curve_point *fastest = &c->points[curve->fastest];

	if (best == fastest) {
		draw_mark(c, best, "c3", "best and fastest", 1);
		return;
	}
	draw_mark(c, fastest, "c1", "fastest", 0);
	draw_mark(c, best, "c3", "best", 1);
}

static void draw_legend(FILE *file)
{
	svg_sample(file, "line c0", LEFT, BOTTOM + 40, "run time");
	svg_sample(file, "line c0 p90", LEFT + 100, BOTTOM + 40,
		   "90 % are under");
	svg_sample(file, "ideal", LEFT + 232, BOTTOM + 40,
		   "at 100 % efficiency");
	svg_sample(file, "line c4", LEFT + 380, BOTTOM + 40, "efficiency");
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
	struct charts c = { .file = file,
			    .plot = plot,
			    .points = plot->curve->points,
			    .count = plot->curve->count };
	char note[128];

	for (int i = 0; i < c.count; i++)
		if (!is_drawable(&c.points[i]))
			return sp_error_set(err,
					    "%d nodes: no time to be drawn",
					    c.points[i].n);
	charts_scale(&c);
	snprintf(note, sizeof(note),
		 "run time over the number of nodes, from %d runs on %d to %d",
		 plot->runs, plot->n_min, plot->n_max);
	svg_begin(file, WIDTH, HEIGHT, LEFT, plot->title, note);
	draw_seen(&c);
	draw_levels(&c);
	draw_nodes(&c);
	draw_line(&c, "line c0 p90", &c.times,
		  offsetof(struct curve_point, p90_s));
	draw_band(&c);
	draw_ideal(&c);
	draw_line(&c, "line c0", &c.times,
		  offsetof(struct curve_point, median_s));
	draw_line(&c, "line c4", &c.shares,
		  offsetof(struct curve_point, efficiency));
	for (int i = 0; i < c.count; i++)
		draw_circles(&c, &c.points[i], "dot", "dot c4", 2.5);
	draw_marks(&c);
	draw_legend(file);
	svg_end(file);
	return 0;
}
