/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timestamp.h - times of day as people write them */
#pragma once

#include "predictor/base/error.h"

/* "2026-01-31", "2026-01-31T12:00" or "2026-01-31T12:00:30" in local time,
 * seconds since the epoch, "now", or "now-30days" ("now-12hours",
 * "now-2weeks").  `now_s` is the time that "now" stands for. */
int timestamp_parse(const char *text, double now_s, double *ret_s,
		    struct sp_error *err);

/* Parse the range of --since and --until; NULL: no bound, which is NAN.  Fails
 * also if it is empty. */
int timestamp_parse_range(const char *since, const char *until, double now_s,
			  double *ret_since_s, double *ret_until_s,
			  struct sp_error *err);

#define TIMESTAMP_TEXT_SIZE 32

/* "2026-01-31T12:00:30" in local time; "-" if it is NAN.  Returns
 * `ret_text`. */
const char *timestamp_format(double time_s, char ret_text[TIMESTAMP_TEXT_SIZE]);

/* In at most ten characters, the fewer the nearer it is to `now_s`: "12:00",
 * "Sat 12:00", "31 Jan" or "2026-01-31".  Returns `ret_text`. */
const char *timestamp_format_near(double time_s, double now_s,
				  char ret_text[TIMESTAMP_TEXT_SIZE]);

/* The same in texts of the enclosing block, as arguments of printf(). */
#define TIMESTAMP(time_s) \
	timestamp_format(time_s, (char[TIMESTAMP_TEXT_SIZE]){ "" })
#define TIMESTAMP_NEAR(time_s, now_s) \
	timestamp_format_near(time_s, now_s, (char[TIMESTAMP_TEXT_SIZE]){ "" })
