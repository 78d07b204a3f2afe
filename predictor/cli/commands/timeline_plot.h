/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline_plot.h - ranks over time, with the critical path, as an SVG
 *
 * It follows the viewer's light or dark scheme and needs no other file.
 */
#pragma once

#include <stdio.h>

#include "predictor/replay/critical_path.h"

struct timeline_plot {
	const char *title;
	const struct matched_trace *trace;
	const struct replay_step *steps;
	const struct critical_path *path;
	const char *const *names; /* [ranks]: nodes */
	double time_s;            /* of the replay, > 0 */
	double factor;            /* times are multiplied by it */
};

/* Write it to `file`; whether that went well is for the caller to see.  Fails
 * without memory, with nothing written. */
int timeline_plot_write(FILE *file, const struct timeline_plot *plot,
			struct sp_error *err);
