/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_options.h - options of rehearse's programs, as tables
 *
 * rehearse writes the command lines; people use rehearse(1).
 */
#pragma once

#include "predictor/backtest/rehearse/rehearse_jobs.h"

#define DAY_S 86400.0

/* What an option sets: bool, const char *, uint32_t, double (which is
 * multiplied), or a struct log_options. */
enum option_kind {
	OPTION_FLAG,
	OPTION_TEXT,
	OPTION_COUNT,
	OPTION_NUMBER,
	OPTION_LOG
};

struct option_row {
	const char *name; /* NULL ends the table */
	enum option_kind kind;
	size_t offset; /* of the member */
	double factor;
};

/* Which jobs of which log. */
struct log_options {
	const char *format, *path;
	struct rehearse_window window;
};

/* The whole log; submissions move by up to a minute. */
#define LOG_OPTIONS_DEFAULT                                         \
	(struct log_options)                                        \
	{                                                           \
		.window = { .length_s = HUGE_VAL, .jitter_s = 60 }, \
	}

/* A row for a member of `struct object`, and the rows for its member `log`. */
#define OPTION_ROW(object, name, kind, member, factor)                         \
	{                                                                      \
		name, OPTION_##kind, offsetof(struct object, member), (factor) \
	}
#define LOG_OPTIONS(object)                                                   \
	OPTION_ROW(object, "swf", LOG, log, 0),                               \
		OPTION_ROW(object, "sacct", LOG, log, 0),                     \
		OPTION_ROW(object, "from", NUMBER, log.window.from_s, DAY_S), \
		OPTION_ROW(object, "days", NUMBER, log.window.length_s,       \
			   DAY_S),                                            \
		OPTION_ROW(object, "seed", COUNT, log.window.seed, 0),        \
		OPTION_ROW(object, "cpus", COUNT, log.window.cpus, 0)

/* Set the members of *into; optind is the first operand.  Return false if an
 * option is not in the table. */
bool options_read(const struct option_row rows[], int argc, char **argv,
		  void *into);
