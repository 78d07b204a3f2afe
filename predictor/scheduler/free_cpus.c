/* SPDX-License-Identifier: GPL-2.0-or-later */
/* free_cpus.c - how many CPUs are planned to be free, over time */
#include <math.h>
#include <string.h>

#include "predictor/scheduler/free_cpus.h"

void free_cpus_begin(struct free_cpus *f, double now_s, uint32_t cpus)
{
	f->count = 1;
	f->steps[0] = (struct free_step){ now_s, cpus };
}

void free_cpus_release(struct free_cpus *f, double at_s, uint32_t cpus)
{
	struct free_step *last = &f->steps[f->count - 1];

	if (at_s <= last->from_s) {
		last->cpus += cpus;
		return;
	}
	f->steps[f->count++] = (struct free_step){ at_s, last->cpus + cpus };
}

double free_cpus_find(const struct free_cpus *f, uint32_t cpus, double length_s)
{
	size_t first = 0; /* the step at which it would start */

	for (size_t i = 0; i < f->count; i++) {
		if (f->steps[i].cpus < cpus)
			first = i + 1;
		else if (i + 1 == f->count ||
			 f->steps[i + 1].from_s >=
				 f->steps[first].from_s + length_s)
			return f->steps[first].from_s;
	}
	return HUGE_VAL;
}

/* Return the step that begins at at_s, made if there is none; at_s is not
 * before the first. */
static size_t step_at(struct free_cpus *f, double at_s)
{
	size_t i = f->count;

	while (f->steps[i - 1].from_s > at_s)
		i--;
	if (f->steps[i - 1].from_s == at_s)
		return i - 1;
	memmove(&f->steps[i + 1], &f->steps[i],
		(f->count - i) * sizeof(f->steps[0]));
	f->steps[i] = (struct free_step){ at_s, f->steps[i - 1].cpus };
	f->count++;
	return i;
}

void free_cpus_take(struct free_cpus *f, double from_s, double length_s,
		    uint32_t cpus)
{
	size_t begin = step_at(f, from_s);
	size_t end =
		isfinite(length_s) ? step_at(f, from_s + length_s) : f->count;

	for (size_t i = begin; i < end; i++)
		f->steps[i].cpus -= cpus;
}
