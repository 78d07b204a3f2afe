/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_repeats.h - count lines of a log that repeat, instead of writing them
 *
 * A line is written at once; for LOG_REPEATS_S seconds the same line is only
 * counted.  No lock of its own.
 */
#pragma once

#include <stdbool.h>

#define LOG_REPEATS_S         60.0
#define LOG_REPEATS_LINES     8   /* that are known at a time */
#define LOG_REPEATS_TEXT_SIZE 256 /* longer lines are always written */

struct log_repeats {
	struct log_repeats_line {
		double written_s;                 /* of the monotonic clock */
		unsigned count;                   /* since then */
		char text[LOG_REPEATS_TEXT_SIZE]; /* empty: unused */
	} lines[LOG_REPEATS_LINES];
};

/* Forget a line that has to go before `text` is written at `now_s`, as its time
 * is over or there is no room: true: it repeated as *ret says, and that is
 * to be written.  To be called until it gives false.  Without `text` none
 * is written. */
bool log_repeats_expire(struct log_repeats *repeats, const char *text,
			double now_s, struct log_repeats_line *ret);

/* true: the line is to be written. */
bool log_repeats_note(struct log_repeats *repeats, const char *text,
		      double now_s);
