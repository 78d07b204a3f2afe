/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_options.c - which jobs of which log, as options of rehearse's programs */
#include <stdlib.h>

#include "predictor/backtest/rehearse/log_options.h"

#define DAY_S 86400.0

bool log_option_read(int option, const char *argument, struct log_options *o)
{
	switch (option) {
	case 's':
	case 'a':
		o->format = option == 's' ? "swf" : "sacct";
		o->path = argument;
		return true;
	case 'f':
		o->window.from_s = DAY_S * strtod(argument, NULL);
		return true;
	case 'd':
		o->window.length_s = DAY_S * strtod(argument, NULL);
		return true;
	case 'S':
		o->window.seed = strtoull(argument, NULL, 10);
		return true;
	default:
		return false;
	}
}
