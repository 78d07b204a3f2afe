/* SPDX-License-Identifier: GPL-2.0-or-later */
/* svg.c - pictures as SVG: texts, lines, scales and axes */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "predictor/plot/svg.h"

#define TEXT_SIZE 512

/* Plain classes: not every viewer knows variables, or schemes. */
static const char style[] =
	"<style>\n"
	"svg { font: 12px sans-serif; }\n"
	".paper { fill: #ffffff; } text { fill: #24292f; }\n"
	".title { font-size: 16px; font-weight: 600; }\n"
	".head { font-size: 13px; font-weight: 600; }\n"
	".note { fill: #57606a; } .tick { font-size: 10px; }\n"
	".end { text-anchor: end; } .mid { text-anchor: middle; }\n"
	".grid { stroke: #d8dee4; } .row { fill: #f1f4f8; }\n"
	".cell, .dot { fill: #0a5fd0; } .work { fill: #5b8fd6; }\n"
	".seen { fill: #0a5fd0; opacity: .06; }\n"
	".band { fill: #0a5fd0; opacity: .16; }\n"
	".ideal { fill: none; stroke: #6b7280; stroke-dasharray: 3 4; }\n"
	".equal { stroke: #24292f; stroke-dasharray: 4 4; opacity: .6; }\n"
	".line { fill: none; stroke-width: 2; stroke-linejoin: round; }\n"
	".c0 { stroke: #0a5fd0; } .c1 { stroke: #c2410c; }\n"
	".c2 { stroke: #6b7280; } .c3 { stroke: #15803d; }\n"
	".c4 { stroke: #7e22ce; } .c5 { stroke: #a16207; }\n"
	".p90 { opacity: .5; stroke-width: 1.2; }\n"
	".dot.c4 { fill: #7e22ce; stroke: none; }\n"
	".mark { stroke-width: 1.5; stroke-dasharray: 5 4; }\n"
	".ring { stroke-width: 2.5; fill: #ffffff; }\n"
	"text.c1, text.c3 { stroke: none; font-weight: 600; }\n"
	"text.c1 { fill: #c2410c; } text.c3 { fill: #15803d; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	".paper, .ring { fill: #0f1419; } text { fill: #d9e0e8; }\n"
	".note { fill: #9aa4b0; } .grid { stroke: #2d3640; }\n"
	".row { fill: #1a2129; } .work { fill: #3f6fae; }\n"
	".cell, .dot, .seen, .band { fill: #5aa9ff; }\n"
	".equal { stroke: #d9e0e8; }\n"
	".c0 { stroke: #5aa9ff; } .c1 { stroke: #ff9a5c; }\n"
	".c2 { stroke: #9aa4b0; } .c3 { stroke: #4ade80; }\n"
	".c4 { stroke: #c792ff; } .c5 { stroke: #eac54f; }\n"
	".dot.c4 { fill: #c792ff; }\n"
	"text.c1 { fill: #ff9a5c; } text.c3 { fill: #4ade80; }\n"
	"}\n"
	"</style>\n";

const struct svg_tick svg_times[] = {
	{ 0, "0" },         { .1, "0.1 s" },     { .2, "0.2 s" },
	{ .5, "0.5 s" },    { 1, "1 s" },        { 2, "2 s" },
	{ 5, "5 s" },       { 10, "10 s" },      { 20, "20 s" },
	{ 30, "30 s" },     { 60, "1 min" },     { 120, "2 min" },
	{ 300, "5 min" },   { 600, "10 min" },   { 1200, "20 min" },
	{ 1800, "30 min" }, { 3600, "1 h" },     { 7200, "2 h" },
	{ 14400, "4 h" },   { 28800, "8 h" },    { 43200, "12 h" },
	{ 86400, "1 d" },   { 172800, "2 d" },   { 432000, "5 d" },
	{ 864000, "10 d" }, { 1728000, "20 d" }, { 4320000, "50 d" },
	{ 0, NULL },
};

static void write_escaped(FILE *file, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < ' ' || strchr("<>&\"'", c))
			fprintf(file, "&#%d;", c < ' ' ? '?' : c);
		else
			fputc(c, file);
	}
}

void svg_begin(FILE *file, double width, double height, double left,
	       const char *title, const char *note)
{
	fprintf(file,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
		"height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n%s"
		"<rect width=\"100%%\" height=\"100%%\" class=\"paper\"/>\n",
		width, height, width, height, style);
	svg_text(file, "title", left, 30, "%s", title);
	if (note)
		svg_text(file, "note", left, 50, "%s", note);
}

void svg_end(FILE *file)
{
	fputs("</svg>\n", file);
}

void svg_text(FILE *file, const char *class, double x, double y,
	      const char *format, ...)
{
	char text[TEXT_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fprintf(file, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
	write_escaped(file, text);
	fputs("</text>\n", file);
}

void svg_rect(FILE *file, const char *class, double x, double y, double width,
	      double height, double opacity)
{
	fprintf(file,
		"<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
		"height=\"%.1f\"",
		class, x, y, width, height);
	if (opacity < 1)
		fprintf(file, " opacity=\"%.2f\"", opacity);
	fputs("/>\n", file);
}

void svg_circle(FILE *file, const char *class, double x, double y, double r)
{
	fprintf(file,
		"<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n",
		class, x, y, r);
}

void svg_line(FILE *file, const char *class, double x, double y, double to_x,
	      double to_y)
{
	fprintf(file, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
		class, x, y, to_x, to_y);
}

void svg_line_begin(FILE *file, const char *class)
{
	fprintf(file, "<polyline class=\"%s\" points=\"", class);
}

void svg_line_point(FILE *file, double x, double y)
{
	fprintf(file, "%.1f,%.1f ", x, y);
}

void svg_line_end(FILE *file)
{
	fputs("\"/>\n", file);
}

void svg_sample(FILE *file, const char *class, double x, double y,
		const char *name)
{
	svg_line(file, class, x, y - 4, x + 22, y - 4);
	svg_text(file, "tick", x + 28, y, "%s", name);
}

/* --- Scales and axes ------------------------------------------------------ */

double svg_at(const struct svg_scale *s, double value)
{
	double part = .5;

	if (s->log && s->high > s->low)
		part = log(fmax(value, s->low) / s->low) /
		       log(s->high / s->low);
	else if (s->high > s->low)
		part = (value - s->low) / (s->high - s->low);
	return s->from + (s->to - s->from) * fmin(1, fmax(0, part));
}

void svg_chart_point(const struct svg_chart *c, double x, double y)
{
	svg_line_point(c->file, svg_at(&c->x, x), svg_at(&c->y, y));
}

void svg_tick_x(const struct svg_chart *c, double at, const char *text)
{
	double x = svg_at(&c->x, at);

	svg_line(c->file, "grid", x, c->y.from, x, c->y.to);
	svg_text(c->file, "mid tick", x, c->y.from + 16, "%s", text);
}

void svg_tick_y(const struct svg_chart *c, double at, const char *text)
{
	double y = svg_at(&c->y, at);

	svg_line(c->file, "grid", c->x.from, y, c->x.to, y);
	svg_text(c->file, "end tick", c->x.from - 8, y + 3.5, "%s", text);
}

/* The first tick that is far enough from the last one, and so on. */
static void draw_ticks(const struct svg_chart *c, const struct svg_scale *s,
		       const struct svg_tick ticks[], double room,
		       void (*draw)(const struct svg_chart *c, double at,
				    const char *text))
{
	double last = INFINITY;

	for (; ticks->text; ticks++) {
		double place = svg_at(s, ticks->at);

		if (ticks->at < s->low || ticks->at > s->high ||
		    fabs(last - place) < room)
			continue;
		draw(c, ticks->at, ticks->text);
		last = place;
	}
}

void svg_ticks_x(const struct svg_chart *c, const struct svg_tick ticks[],
		 double room)
{
	draw_ticks(c, &c->x, ticks, room, svg_tick_x);
}

void svg_ticks_y(const struct svg_chart *c, const struct svg_tick ticks[],
		 double room)
{
	draw_ticks(c, &c->y, ticks, room, svg_tick_y);
}

/* 1, 2 or 5 times a power of ten. */
static void draw_steps(const struct svg_chart *c, double high, int count,
		       void (*draw)(const struct svg_chart *c, double at,
				    const char *text))
{
	double power = pow(10, floor(log10(high / count)));
	double rest = high / count / power;
	double step = power * (rest < 1.5   ? 1
			       : rest < 3.5 ? 2
			       : rest < 7.5 ? 5
					    : 10);
	char text[32];

	for (int i = 0; i * step <= high; i++) {
		snprintf(text, sizeof(text), "%.6g", i * step);
		draw(c, i * step, text);
	}
}

void svg_steps_x(const struct svg_chart *c, int count)
{
	draw_steps(c, c->x.high, count, svg_tick_x);
}

void svg_steps_y(const struct svg_chart *c, int count)
{
	draw_steps(c, c->y.high, count, svg_tick_y);
}
