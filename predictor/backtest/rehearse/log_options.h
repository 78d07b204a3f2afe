/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_options.h - which jobs of which log, as options of rehearse's programs */
#pragma once

#include <stdbool.h>

#include "predictor/backtest/rehearse/rehearse_jobs.h"

/* Rows of getopt_long()'s table. */
/* clang-format off */
#define LOG_OPTIONS                               \
	{ "swf", required_argument, NULL, 's' },  \
	{ "sacct", required_argument, NULL, 'a' },\
	{ "from", required_argument, NULL, 'f' }, \
	{ "days", required_argument, NULL, 'd' }, \
	{ "seed", required_argument, NULL, 'S' }
/* clang-format on */

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

/* Return false if there is none of LOG_OPTIONS. */
bool log_option_read(int option, const char *argument, struct log_options *o);
