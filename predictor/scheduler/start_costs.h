/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_costs.h - what it costs to start a job: the time that a node is idle
 *
 * Where a job had been submitted before another one on its node ended, and
 * starts there next, nothing but the scheduler, prolog and epilog stood between
 * them.  From jobs on one node, as they end; the last ones of each cluster
 * count.  Bounded, and has no lock of its own.
 */
#pragma once

#include "predictor/features/run.h"

/* A wait longer than this had another reason. */
#define START_COST_MAX_S 120.0

/* With fewer starts no cost is known. */
#define START_COSTS_MIN 10

struct start_costs;

struct start_costs *start_costs_create(void);    /* NULL: out of memory */
void start_costs_destroy(struct start_costs *c); /* NULL is allowed */

/* A run that has ended, in the order of the ends, or nearly so; once
 * or more. */
void start_costs_note(struct start_costs *c, const struct run *run);

/* Return the mean, without the longest tenth, in seconds: Slurm's times are
 * whole ones.  NAN: not known.  *ret_count is the number of starts.  Quick
 * while no run is noted. */
double start_costs_mean(struct start_costs *c, const char *cluster,
			int *ret_count);
