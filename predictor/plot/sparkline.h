/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sparkline.h - a series of numbers as one line of text */
#pragma once

#include <stddef.h>

#define SPARKLINE_POINTS 40
#define SPARKLINE_SIZE   (SPARKLINE_POINTS * 4 + 1)

/* Return the last SPARKLINE_POINTS of `values`, from low to high: in a UTF-8
 * locale bars of Unicode, else "_.,-=+*#".  NANs are blanks.  If `low` is not
 * below `high`, the range of the values is used. */
const char *sparkline(const double *values, size_t count, double low,
		      double high, char ret_text[SPARKLINE_SIZE]);
