/* SPDX-License-Identifier: GPL-2.0-or-later */
/* driver_options.c - what rehearse wants of its driver */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "predictor/backtest/rehearse/driver_options.h"

#define HOUR_S 3600.0

#define ROW(...) OPTION_ROW(driver_options, __VA_ARGS__)

static const struct option_row rows[] = {
	LOG_OPTIONS(driver_options),
	ROW("make-clock", TEXT, new_clock, 0),
	ROW("machine", FLAG, machine, 0),
	ROW("clock", TEXT, clock, 0),
	ROW("pid", COUNT, pid, 0),
	ROW("out", TEXT, out, 0),
	ROW("limit-order", TEXT, orders[ORDER_LIMIT], 0),
	ROW("p50-order", TEXT, orders[ORDER_PREDICTED], 0),
	ROW("runtime-order", TEXT, orders[ORDER_RUNTIME], 0),
	ROW("cap", NUMBER, cap_s, HOUR_S),
	ROW("starts", TEXT, starts, 0),
	ROW("partitions", TEXT, partitions, 0),
	ROW("reserve", TEXT, reserve, 0),
	ROW("het", COUNT, het, 0),
	ROW("requeue", FLAG, requeue, 0),
	ROW("add-users", TEXT, users, 0),
	ROW("accounts", FLAG, accounts, 0),
	{ .name = NULL },
};

/* Read "DAYS,HOURS". */
static bool reserve_read(struct driver_options *o)
{
	double days, hours;

	if (!o->reserve)
		return true;
	if (sscanf(o->reserve, "%lf,%lf", &days, &hours) != 2 || days < 0 ||
	    hours <= 0)
		return false;
	o->reserved_from_s = DAY_S * days;
	o->reserved_s = HOUR_S * hours;
	return true;
}

bool driver_options_read(int argc, char **argv, struct driver_options *o)
{
	*o = (struct driver_options){ .log = LOG_OPTIONS_DEFAULT,
				      .cap_s = HUGE_VAL };
	if (!options_read(rows, argc, argv, o) || !reserve_read(o) ||
	    optind != argc)
		return false;
	for (int order = 0; order < ORDERS; order++)
		if (o->orders[order]) {
			o->order = (enum order)order;
			o->K = strtod(o->orders[order], NULL);
		}
	if (o->new_clock || ((o->machine || o->users) && o->log.path))
		return true;
	return o->clock && o->pid && o->log.path && o->out;
}
