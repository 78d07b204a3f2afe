/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quantity.c - numbers with three digits and a prefix of their unit */
#include <stdio.h>
#include <string.h>

#include "predictor/cli/quantity.h"

static const char *const prefixes[] = { "n", "u", "m", "",  "k",
					"M", "G", "T", NULL };

#define FIRST_SCALE 1e-9

const char *quantity_format(double value, const char *unit,
			    char ret_text[QUANTITY_SIZE])
{
	const char *const *prefix = prefixes;

	if (!(value >= 0)) {
		strcpy(ret_text, "-");
		return ret_text;
	}
	value /= FIRST_SCALE;
	while (value >= 999.5 && prefix[1]) {
		value /= 1000;
		prefix++;
	}
	snprintf(ret_text, QUANTITY_SIZE, "%.*f%s%s%s",
		 value < 9.995   ? 2
		 : value < 99.95 ? 1
				 : 0,
		 value, *unit ? " " : "", *prefix, unit);
	return ret_text;
}
