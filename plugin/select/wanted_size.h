/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wanted_size.h - the size that a job wants, from slurmctld's record of it
 *
 * The caller holds slurmctld's lock on jobs.
 */
#pragma once

#include "plugin/site/releases.h"
#include "predictor/features/job_size.h"

/* All but its numbers of nodes, which differ from one job test to the next. */
void wanted_size(const job_record_t *job, struct job_size *ret);

/* Leaf switches at most; 0: any number. */
uint32_t wanted_leaves(const job_record_t *job);

/* Return whether each node gets the same number of tasks, one block after the
 * other.  On nodes with more CPUs than tasks the first ones get more, unless
 * the job says how many. */
bool wanted_in_blocks(const job_record_t *job, const struct job_size *size,
		      uint32_t nodes);
