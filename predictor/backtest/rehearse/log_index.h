/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_index.h - jobs by their ids in the log */
#pragma once

#include "predictor/backtest/rehearse/dependency.h"
#include "predictor/backtest/rehearse/rehearse_jobs.h"

struct log_index {
	const struct rehearse_jobs *jobs; /* lent */
	size_t *by_id, *by_group;         /* positions, sorted */
};

/* Return -1 if memory is exhausted. */
int log_index_create(const struct rehearse_jobs *jobs, struct log_index *ret);
void log_index_destroy(struct log_index *index);

/* Return the jobs, of arrays and heterogeneous jobs their first ones,
 * that a dependency names, or the task.  Returns how many; at most `size`
 * are stored. */
size_t log_index_find(const struct log_index *index,
		      const struct dependency_item *item, size_t *ret,
		      size_t size);

/* Return the job that this one was submitted with. */
size_t group_first(const struct rehearse_jobs *jobs, size_t job);
