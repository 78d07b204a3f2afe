/* SPDX-License-Identifier: GPL-2.0-or-later */
/* svg.h - pictures as SVG: texts, lines, scales and axes
 *
 * A picture follows the viewer's light or dark scheme and needs no other file.
 * What is drawn names a class of its style sheet (svg.c).  Places are pixels
 * from the top left corner; values become pixels by a scale.  Whether the file
 * was written is for the caller to see.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Begin a picture, with a title and a note below it (NULL: none) at `left`. */
void svg_begin(FILE *file, double width, double height, double left,
	       const char *title, const char *note);
void svg_end(FILE *file);

/* Write a text, with what has a meaning in XML escaped, and '?' for control
 * characters, which XML has not. */
void svg_text(FILE *file, const char *class, double x, double y,
	      const char *format, ...) __attribute__((format(printf, 5, 6)));

void svg_rect(FILE *file, const char *class, double x, double y, double width,
	      double height, double opacity);
void svg_circle(FILE *file, const char *class, double x, double y, double r);
void svg_line(FILE *file, const char *class, double x, double y, double to_x,
	      double to_y);
/* A line through points, or what it encloses, by its class. */
void svg_line_begin(FILE *file, const char *class);
void svg_line_point(FILE *file, double x, double y);
void svg_line_end(FILE *file);

/* Draw an entry of a legend: a short line, and its name. */
void svg_sample(FILE *file, const char *class, double x, double y,
		const char *name);

struct svg_scale {
	double low, high; /* values; equal ones are in the middle */
	double from, to;  /* their pixels */
	bool log;
};

/* Return the pixel of a value; one beyond the scale is at its end. */
double svg_at(const struct svg_scale *scale, double value);

struct svg_chart {
	FILE *file;
	struct svg_scale x, y;
};

/* Draw a point of svg_line_begin()'s line. */
void svg_chart_point(const struct svg_chart *chart, double x, double y);

/* Draw a line through the chart at a value, and its text at the axis. */
void svg_tick_x(const struct svg_chart *chart, double at, const char *text);
void svg_tick_y(const struct svg_chart *chart, double at, const char *text);

struct svg_tick {
	double at;
	const char *text; /* NULL: the end */
};

extern const struct svg_tick svg_times[]; /* in seconds */

/* Draw those that are on the scale, and `room` pixels apart. */
void svg_ticks_x(const struct svg_chart *chart, const struct svg_tick ticks[],
		 double room);
void svg_ticks_y(const struct svg_chart *chart, const struct svg_tick ticks[],
		 double room);

/* Draw about `count` ticks at round numbers, from 0. */
void svg_steps_x(const struct svg_chart *chart, int count);
void svg_steps_y(const struct svg_chart *chart, int count);
