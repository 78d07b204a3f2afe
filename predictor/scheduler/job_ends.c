/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_ends.c - ends of running jobs */
#include <stdbool.h>
#include <string.h>

#include "predictor/scheduler/job_ends.h"

static bool ends_before(const struct job_end *a, const struct job_end *b)
{
	return a->at_s < b->at_s || (a->at_s == b->at_s && a->job < b->job);
}

void job_ends_push(struct job_end *ends, size_t count, struct job_end fresh)
{
	size_t i = count;

	while (i > 0 && ends_before(&fresh, &ends[(i - 1) / 2])) {
		ends[i] = ends[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	ends[i] = fresh;
}

struct job_end job_ends_pop(struct job_end *ends, size_t count)
{
	struct job_end top = ends[0], last = ends[--count];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= count)
			break;
		if (child + 1 < count &&
		    ends_before(&ends[child + 1], &ends[child]))
			child++;
		if (!ends_before(&ends[child], &last))
			break;
		ends[i] = ends[child];
		i = child;
	}
	ends[i] = last;
	return top;
}

void planned_ends_insert(struct planned_end *ends, size_t count,
			 struct planned_end fresh)
{
	size_t i = count;

	while (i > 0 && ends[i - 1].at_s > fresh.at_s) {
		ends[i] = ends[i - 1];
		i--;
	}
	ends[i] = fresh;
}

void planned_ends_remove(struct planned_end *ends, size_t count, uint32_t job)
{
	size_t i = 0;

	while (ends[i].job != job)
		i++;
	memmove(&ends[i], &ends[i + 1], (count - i - 1) * sizeof(ends[0]));
}
