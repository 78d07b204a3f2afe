/* SPDX-License-Identifier: GPL-2.0-or-later */
/* svg_text.h - a text in an SVG */
#ifndef PREDICTOR_PLOT_SVG_TEXT_H
#define PREDICTOR_PLOT_SVG_TEXT_H

#include <stdio.h>

/* Write it with what has a meaning in XML escaped; '?' for control characters,
 * which XML has not. */
void svg_text(FILE *file, const char *text);

#endif
