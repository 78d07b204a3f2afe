/* SPDX-License-Identifier: GPL-2.0-or-later */
/* curve_plot.h - run time and efficiency over the number of nodes, as an SVG
 *
 * It follows the viewer's light or dark scheme and needs no other file.
 */
#pragma once

#include <stdio.h>

#include "predictor/stats/curve.h"

struct curve_plot {
	const char *title;
	int runs;
	int n_min, n_max; /* nodes that the runs were on */
	const struct curve *curve;
};

/* Write it to `file`; whether that went well is for the caller to see.  Fails,
 * with nothing written, if a number of the curve cannot be drawn. */
int curve_plot_write(FILE *file, const struct curve_plot *plot,
		     struct sp_error *err);
