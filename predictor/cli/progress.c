/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.c - a progress bar */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/duration.h"
#include "predictor/cli/progress.h"

#define EVERY_S 0.2 /* between updates */

#define BAR 24 /* characters */

void progress_begin(struct progress *ret, const char *what, const char *unit)
{
	*ret = (struct progress){
		.what = what,
		.unit = unit,
		.shown = isatty(STDERR_FILENO),
		.began_s = clock_monotonic_s(),
	};
}

static void draw_bar(const struct progress *progress, size_t done, size_t count,
		     double now_s)
{
	char left[DURATION_TEXT_SIZE], bar[BAR + 1];
	double gone_s = fmax(1e-3, now_s - progress->began_s);
	double rate = (double)done / gone_s;
	double share = fmin(1, (double)done / (double)count);

	if (count == 0) {
		fprintf(stderr, "\r\033[K%s: %zu %s, %.0f/s", progress->what,
			done, progress->unit, rate);
		return;
	}
	for (int i = 0; i < BAR; i++)
		bar[i] = i < (int)(BAR * share) ? '#' : '.';
	bar[BAR] = '\0';
	duration_format_brief(fmax(0, (double)count - (double)done) / rate,
			      left);
	fprintf(stderr, "\r\033[K%s [%s] %.0f %%, %zu %s, %.0f/s, %s left",
		progress->what, bar, 100 * share, done, progress->unit, rate,
		left);
}

void progress_show(struct progress *progress, size_t done, size_t count)
{
	double now_s = progress->shown ? clock_monotonic_s() : 0;

	if (!progress->shown || now_s < progress->drawn_s + EVERY_S)
		return;
	progress->drawn_s = now_s;
	draw_bar(progress, done, count, now_s);
}

void progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
