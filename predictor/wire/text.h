/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h - JSON, printed
 *
 * A text that grows, and what JSON is made of.  For messages that are made
 * while somebody waits: a tree of objects costs ten times as much as the text
 * that comes of it in the end.  Reading is json-c's.
 */
#pragma once

#include <stdint.h>

#include "predictor/features/secret.h"

/* All zero is an empty text.  `failed`: memory ran out, and what is added
 * after that is lost. */
struct wire_text {
	char *bytes; /* `size` of them, terminated; NULL: none yet */
	size_t size, room;
	bool failed;
};

void wire_text_clear(struct wire_text *text); /* frees */
void wire_text_empty(struct wire_text *text); /* keeps the memory */

void wire_text_add(struct wire_text *text, const char *bytes, size_t size);
void wire_text_add_constant(struct wire_text *text, const char *constant);

/* In quotes; at most `max` bytes of `string`, with '?' for each byte that is
 * no UTF-8. */
void wire_text_add_string(struct wire_text *text, const char *string,
			  size_t max);

/* The same of what a user typed, with a mark for each secret; `scan` as
 * secret_mask() has it. */
void wire_text_add_typed(struct wire_text *text, const char *string, size_t max,
			 struct secret_scan *scan);

void wire_text_add_integer(struct wire_text *text, int64_t value);

/* The shortest text that reads back as the same number; null if it is not
 * finite. */
void wire_text_add_number(struct wire_text *text, double value);

/* Seconds since the epoch, to the microsecond, which is what PostgreSQL
 * keeps; null if it is not finite. */
void wire_text_add_time(struct wire_text *text, double seconds);

/* The same to WIRE_DIGITS significant digits, for a number >= 0 that is an
 * estimate. */
#define WIRE_DIGITS 7
void wire_text_add_estimate(struct wire_text *text, double value);
