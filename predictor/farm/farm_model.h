/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_model.h - time of a farm's iteration over the number of workers
 *
 * The expressions of [1] (farm.h), for one chunk for each worker and equal
 * shares: a first estimate, and what the least chunk of a policy follows from.
 * With many chunks, or workers of different speeds, simulate.h is closer.
 */
#pragma once

#include "predictor/farm/farm.h"

/* Tc: work of all tasks. */
double farm_work(const struct farm *farm);

/* Tt(n), n >= 1: (7), (8) or (9). */
double farm_time(const struct farm *farm, const struct message_costs *costs,
		 int n);

/* MCMC: the most workers to which the master can send before the first one
 * replies, with asynchronous messages of that class; HUGE_VAL: any number.
 * (10) or (11). */
double farm_workers_fed(const struct farm *farm, const struct message_class *c);

/* (13): Pi(n) = Tt / E(n), where E(n) = Tc / (n Tt).  The number of workers
 * with the least Pi is worth having. */
double farm_index(double Tc, int n, double Tt);

/* The number of workers, 1 to n_max, with the least Pi; of equal ones the
 * smallest. */
int farm_workers_worth(const struct farm *farm,
		       const struct message_costs *costs, int n_max);
