/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pairs.h - small files of key=value lines
 *
 * The form of event files and of open jobs on disk.  The last line must be
 * "end=1", so that a torn file shows.
 */
#pragma once

#include <stddef.h>

#include "predictor/base/error.h"

#define PAIRS_MAX       24
#define PAIRS_BYTES_MAX 16384

struct pairs {
	int count;
	struct {
		const char *key, *value;
	} of[PAIRS_MAX];
};

/* Cuts `text` (which it changes, and lends from) into lines. */
int pairs_parse(struct pairs *ret, char *text, size_t size,
		struct sp_error *err);

/* "" if it is missing. */
const char *pairs_text(const struct pairs *pairs, const char *key);

/* Return the number of `key` if it is there, finite and within bounds,
 * else `missing`. */
double pairs_number(const struct pairs *pairs, const char *key, double min,
		    double max, double missing);
