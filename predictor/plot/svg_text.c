/* SPDX-License-Identifier: GPL-2.0-or-later */
/* svg_text.c - a text in an SVG */
#include <string.h>

#include "predictor/plot/svg_text.h"

void svg_text(FILE *file, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < ' ' || strchr("<>&\"'", c))
			fprintf(file, "&#%d;", c < ' ' ? '?' : c);
		else
			fputc(c, file);
	}
}
