/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_index.c - jobs by their ids in the log */
#include <stdlib.h>

#include "predictor/base/compare.h"
#include "predictor/backtest/rehearse/log_index.h"
#include "predictor/base/compare.h"

static uint32_t key_of(const struct rehearse_jobs *jobs, size_t job,
		       bool by_group)
{
	const struct rehearse_job *j = &jobs->of[job];

	return by_group ? j->group_log_id : j->log_id;
}

static int compare(const struct rehearse_jobs *jobs, size_t a, size_t b,
		   bool by_group)
{
	uint32_t x = key_of(jobs, a, by_group), y = key_of(jobs, b, by_group);

	return COMPARE(x, y) ?: COMPARE(a, b);
}

static int compare_ids(const void *a, const void *b, void *jobs)
{
	return compare(jobs, *(const size_t *)a, *(const size_t *)b, false);
}

static int compare_groups(const void *a, const void *b, void *jobs)
{
	return compare(jobs, *(const size_t *)a, *(const size_t *)b, true);
}

int log_index_create(const struct rehearse_jobs *jobs, struct log_index *ret)
{
	struct log_index x = {
		.jobs = jobs,
		.by_id = calloc(jobs->count + 1, sizeof *x.by_id),
		.by_group = calloc(jobs->count + 1, sizeof *x.by_group),
	};

	if (!x.by_id || !x.by_group) {
		log_index_destroy(&x);
		return -1;
	}
	for (size_t i = 0; i < jobs->count; i++)
		x.by_id[i] = x.by_group[i] = i;
	qsort_r(x.by_id, jobs->count, sizeof *x.by_id, compare_ids,
		(void *)jobs);
	qsort_r(x.by_group, jobs->count, sizeof *x.by_group, compare_groups,
		(void *)jobs);
	*ret = x;
	return 0;
}

void log_index_destroy(struct log_index *index)
{
	free(index->by_id);
	free(index->by_group);
	*index = (struct log_index){ 0 };
}

size_t group_first(const struct rehearse_jobs *jobs, size_t job)
{
	while (jobs->of[job].group_size == 0)
		job--;
	return job;
}

/* Return the first place in a sorted list whose key is not below `id`. */
static size_t place_find(const struct log_index *x, const size_t *sorted,
			 uint32_t id, bool by_group)
{
	size_t low = 0, high = x->jobs->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (key_of(x->jobs, sorted[middle], by_group) < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t log_index_find(const struct log_index *x,
		      const struct dependency_item *item, size_t *ret,
		      size_t size)
{
	const struct rehearse_jobs *jobs = x->jobs;
	size_t found = 0;

	for (size_t k = place_find(x, x->by_group, item->log_id, true);
	     item->log_id && k < jobs->count && found < size; k++) {
		const struct rehearse_job *j = &jobs->of[x->by_group[k]];

		if (j->group_log_id != item->log_id)
			break;
		if (item->task == DEPENDENCY_NO_TASK ? j->group_size > 0
						     : j->member == item->task)
			ret[found++] = x->by_group[k];
	}
	if (found || item->task != DEPENDENCY_NO_TASK)
		return found;
	for (size_t k = place_find(x, x->by_id, item->log_id, false);
	     k < jobs->count && found < size; k++) {
		if (jobs->of[x->by_id[k]].log_id != item->log_id)
			break;
		ret[found++] = x->by_id[k];
	}
	return found;
}
