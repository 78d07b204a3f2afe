/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_plot.h - the queue over time, as an SVG */
#pragma once

#include <stdio.h>

#include "predictor/backtest/rehearse/rehearse_jobs.h"

#define REHEARSE_PLOT_MAX 6 /* curves; each has a colour of its own */

struct rehearse_curve {
	const char *name; /* letters, digits, "-=,." */
	const struct rehearse_jobs *jobs;
};

/* CPU hours of the jobs that wait, over days.
 * More curves than REHEARSE_PLOT_MAX are left out.  Fails when memory ran out;
 * whether the file was written is for the caller to see. */
int rehearse_plot(FILE *file, const struct rehearse_curve *curves, size_t count,
		  struct sp_error *err);
