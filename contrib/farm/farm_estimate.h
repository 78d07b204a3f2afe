/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_estimate.h - a farm's parameters, measured on the way
 *
 * Each value is a mean over the last iterations, of which a newer one weighs
 * more.  Symbols: predictor/farm/farm.h.
 */
#pragma once

#include <stddef.h>

#include "predictor/farm/farm.h"

/* Tasks of a worker. */
struct worker_times {
	double tasks, sum_s, squares_s;
};

/* Messages of a class: cost over bytes, for a line through them. */
struct message_times {
	double count, bytes, s, bytes_bytes, bytes_s;
};

/* MPI sends longer ones after a handshake. */
#define EAGER_BYTES_MAX 65536

enum { MESSAGES_EAGER, MESSAGES_LONG, MESSAGES_CLASSES };

struct farm_estimate {
	int workers;
	struct worker_times *times; /* [workers] */
	struct message_times messages[MESSAGES_CLASSES];
	double sent_bytes, received_bytes, tasks; /* of the last iteration */
	double lm_s;
};

/* 0; -1: out of memory. */
int farm_estimate_init(struct farm_estimate *estimate, int workers);
void farm_estimate_clear(struct farm_estimate *estimate);

/* A new iteration: what was seen so far weighs half. */
void farm_estimate_age(struct farm_estimate *estimate);

void farm_estimate_message(struct farm_estimate *estimate, size_t bytes,
			   double cost_s, bool sent);
void farm_estimate_tasks(struct farm_estimate *estimate, int worker, int tasks,
			 double sum_s, double squares_s);

/* mu and sigma: of a task, whichever worker does it: a chunk ends late when its
 * tasks are long ones, as neighbours often are, or when its node is slow.
 * False: no task was done yet, and both are 1: chunks follow from
 * their ratio. */
bool farm_estimate_task(const struct farm_estimate *estimate, double *ret_mu,
			double *ret_sigma);

/* Return the mean of a worker over that of the fastest; 1: not known. */
double farm_estimate_slowdown(const struct farm_estimate *estimate, int worker);

void farm_estimate_costs(const struct farm_estimate *estimate,
			 struct message_costs *ret);
void farm_estimate_farm(const struct farm_estimate *estimate, int tasks,
			struct farm *ret);
