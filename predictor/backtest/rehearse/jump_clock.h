/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jump_clock.h - the driver's side of virtual_clock.h
 *
 * Times are in seconds after epoch_s, which the caller may set.
 * Functions returning int give 0, or -1 with *err set.
 */
#pragma once

#include <time.h>

#include "predictor/base/error.h"
#include "predictor/backtest/rehearse/virtual_clock.h"

struct jump_clock {
	struct virtual_clock *page;
	double epoch_s; /* since 1970 */
	int pid;        /* of slurmctld */
	clockid_t cpu_clock;
	uint64_t unsettled; /* how often it was not idle in time */
};

/* Make the file of a new clock, which starts at once. */
int jump_clock_make(const char *path, struct sp_error *err);

/* Map it for the rest of this process's life; epoch_s becomes 0. */
int jump_clock_open(struct jump_clock *c, const char *path, int pid,
		    struct sp_error *err);

double jump_clock_now_s(const struct jump_clock *c);

/* Never back. */
void jump_clock_to(struct jump_clock *c, double to_s);

/* Wait until slurmctld has done all it does at this time; but no more than
 * five seconds.  Fails when it has ended. */
int jump_clock_idle(struct jump_clock *c, struct sp_error *err);
