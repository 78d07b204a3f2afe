/* SPDX-License-Identifier: GPL-2.0-or-later */
/* driver_options.c - what rehearse wants of its driver */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "predictor/backtest/rehearse/driver_options.h"

#define HOUR_S 3600.0
#define DAY_S  86400.0

static const struct option known[] = {
	LOG_OPTIONS,
	{ "make-clock", required_argument, NULL, 'm' },
	{ "machine", no_argument, NULL, 'M' },
	{ "clock", required_argument, NULL, 'c' },
	{ "pid", required_argument, NULL, 'p' },
	{ "out", required_argument, NULL, 'o' },
	{ "cpus", required_argument, NULL, 'n' },
	{ "limit-order", required_argument, NULL, 'l' },
	{ "p50-order", required_argument, NULL, 'P' },
	{ "runtime-order", required_argument, NULL, 'r' },
	{ "cap", required_argument, NULL, 'C' },
	{ "starts", required_argument, NULL, 'w' },
	{ "partitions", required_argument, NULL, 'g' },
	{ "reserve", required_argument, NULL, 'R' },
	{ "het", required_argument, NULL, 'H' },
	{ "requeue", no_argument, NULL, 'q' },
	{ "add-users", required_argument, NULL, 'u' },
	{ "accounts", no_argument, NULL, 'A' },
	{ 0 },
};

static void order_set(struct driver_options *o, enum order order, const char *K)
{
	o->order = order;
	o->K = strtod(K, NULL);
}

/* "DAYS,HOURS" */
static bool reserve_read(struct driver_options *o, const char *text)
{
	double days, hours;

	if (sscanf(text, "%lf,%lf", &days, &hours) != 2 || days < 0 ||
	    hours <= 0)
		return false;
	o->reserved_from_s = DAY_S * days;
	o->reserved_s = HOUR_S * hours;
	return true;
}

static bool option_read(struct driver_options *o, int option,
			const char *argument)
{
	switch (option) {
	case 'm':
		o->new_clock = argument;
		return true;
	case 'M':
		o->machine = true;
		return true;
	case 'c':
		o->clock = argument;
		return true;
	case 'p':
		o->pid = (int)strtol(argument, NULL, 10);
		return true;
	case 'o':
		o->out = argument;
		return true;
	case 'n':
		o->cpus = (uint32_t)strtoul(argument, NULL, 10);
		return true;
	case 'l':
		order_set(o, ORDER_LIMIT, argument);
		return true;
	case 'P':
		order_set(o, ORDER_PREDICTED, argument);
		return true;
	case 'r':
		order_set(o, ORDER_RUNTIME, argument);
		return true;
	case 'w':
		o->starts = argument;
		return true;
	case 'C':
		o->cap_s = HOUR_S * strtod(argument, NULL);
		return true;
	case 'g':
		o->partitions = argument;
		return true;
	case 'R':
		return reserve_read(o, argument);
	case 'q':
		o->requeue = true;
		return true;
	case 'u':
		o->users = argument;
		return true;
	case 'A':
		o->accounts = true;
		return true;
	case 'H':
		o->het = (uint32_t)strtoul(argument, NULL, 10);
		return true;
	default:
		return log_option_read(option, argument, &o->log);
	}
}

bool driver_options_read(int argc, char **argv, struct driver_options *o)
{
	*o = (struct driver_options){ .log = LOG_OPTIONS_DEFAULT,
				      .cap_s = HUGE_VAL };
	for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;)
		if (!option_read(o, c, optarg))
			return false;
	if (o->new_clock || ((o->machine || o->users) && o->log.path))
		return optind == argc;
	return o->clock && o->pid > 0 && o->log.path && o->out &&
	       optind == argc;
}
