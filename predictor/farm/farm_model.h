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

/* MCMC: the most workers, at least 1, to which the master can send before the
 * first one replies: (10), (11) or (12), with the class of messages to this
 * number of workers. */
int farm_workers_fed(const struct farm *farm,
		     const struct message_costs *costs);

/* E(n) = Tc / (n Tt), and (13): Pi(n) = Tt / E(n).  The number of workers with
 * the least Pi is worth having. */
double farm_efficiency(double Tc, int n, double Tt);
double farm_index(double Tc, int n, double Tt);

/* The numbers of workers, 1 to n_max, with the least Tt and the least Pi; of
 * equal ones the smallest. */
int farm_workers_fastest(const struct farm *farm,
			 const struct message_costs *costs, int n_max);
int farm_workers_worth(const struct farm *farm,
		       const struct message_costs *costs, int n_max);

/* Return the mean idle time of workers that computed for l[n], as a part of
 * Tt: 0 is a perfect balance. */
double farm_imbalance(const double l[], int n, double Tt);

/* Upper bound of that as printed in [1], section 7.  It assumes that the tasks
 * of a chunk are equal: of independent tasks the imbalance is far below. */
double farm_imbalance_bound(const struct farm *farm, int n);
