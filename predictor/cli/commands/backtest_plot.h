/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backtest_plot.h - a backtest as an SVG of three charts
 *
 * Predicted against actual run times, the error over time, and the share of
 * jobs within each quantile.  It follows the viewer's light or dark scheme and
 * needs no other file.
 */
#pragma once

#include <stdio.h>

#include "predictor/backtest/backtest.h"

#define BACKTEST_PLOT_ROWS 5 /* that the error over time is shown of */

/* Write it to `file`; whether that went well is for the caller to see.  What
 * was chosen is always shown, then rows[rows_count] of the backtest.  Fails
 * when memory ran out. */
int backtest_plot_write(FILE *file, const char *title,
			const struct backtest *backtest, const size_t *rows,
			size_t rows_count, struct sp_error *err);
