/* sparkline.h - a series of numbers as one line of text */
#ifndef PREDICTOR_CLI_SPARKLINE_H
#define PREDICTOR_CLI_SPARKLINE_H

#include <stddef.h>

#define SPARKLINE_POINTS 40
#define SPARKLINE_SIZE   (SPARKLINE_POINTS * 4 + 1)

/* The last SPARKLINE_POINTS of `values`, low to high: "._-^" or, where the
 * terminal takes it, bars of Unicode.  NANs are blanks.  If `low` is not below
 * `high` the values' own range is taken. */
const char *sparkline(const double *values, size_t count, double low,
		      double high, char ret_text[SPARKLINE_SIZE]);

#endif
