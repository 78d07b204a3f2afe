/* SPDX-License-Identifier: GPL-2.0-or-later */
/* duration.h - time spans as Slurm and people write them */
#pragma once

#include "predictor/base/error.h"

#define DURATION_TEXT_SIZE 32

/* Slurm's form of a span: [D-]HH:MM:SS, rounded to the second. A span that is
 * no number or below zero gives "-", one without end "UNLIMITED".  Returns
 * `ret_text`. */
const char *duration_format(double seconds, char ret_text[DURATION_TEXT_SIZE]);

/* Format the form for a sentence, two units at most: 45s, 3m12, 2h05, 4d 3h.
 * Below ten seconds one decimal is kept: 3.4s.  "-" and "unlimited" as above.
 * Returns `ret_text`. */
const char *duration_format_brief(double seconds,
				  char ret_text[DURATION_TEXT_SIZE]);

/* The same in a text of the enclosing block, as an argument of printf(). */
#define DURATION_BRIEF(seconds) \
	duration_format_brief(seconds, (char[DURATION_TEXT_SIZE]){ "" })

/* Slurm's input forms: M, M:S, H:M:S, D-H, D-H:M, D-H:M:S; and INFINITE or
 * UNLIMITED, which give HUGE_VAL.  At most 10 000 days. */
int duration_parse(const char *text, double *ret_seconds, struct sp_error *err);
