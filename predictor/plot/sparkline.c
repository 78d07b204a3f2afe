/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sparkline.c - a series of numbers as one line of text */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/plot/sparkline.h"

#define STEPS 8

static const char *const bars[STEPS] = {
	"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"
};
static const char *const ascii_bars[STEPS] = { "_", ".", ",", "-",
					       "=", "+", "*", "#" };

/* As setlocale(3) would decide. */
static bool is_utf8_locale(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return strcasestr(value, "utf-8") ||
			       strcasestr(value, "utf8");
	}
	return false;
}

static void find_range(const double *values, size_t count, double *low,
		       double *high)
{
	if (*low < *high)
		return;
	*low = HUGE_VAL;
	*high = -HUGE_VAL;
	for (size_t i = 0; i < count; i++) {
		*low = fmin(*low, values[i]);
		*high = fmax(*high, values[i]);
	}
}

const char *sparkline(const double *values, size_t count, double low,
		      double high, char ret_text[SPARKLINE_SIZE])
{
	const char *const *bar_of = is_utf8_locale() ? bars : ascii_bars;

	if (count > SPARKLINE_POINTS) {
		values += count - SPARKLINE_POINTS;
		count = SPARKLINE_POINTS;
	}
	find_range(values, count, &low, &high);
	ret_text[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		double share =
			high > low ? (values[i] - low) / (high - low) : 0;
		int step = (int)(fmin(fmax(share, 0), 1) * (STEPS - 1) + 0.5);

		strcat(ret_text, isfinite(values[i]) ? bar_of[step] : " ");
	}
	return ret_text;
}
