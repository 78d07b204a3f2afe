/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_order.c - which job is submitted next */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/rehearse/job_order.h"

int job_order_create(struct rehearse_jobs *jobs,
		     bool (*hold)(const void *context, size_t job),
		     const void *context, struct job_order *ret)
{
	struct job_order o = {
		.jobs = jobs,
		.of = calloc(jobs->count + 1, sizeof *o.of),
		.held = calloc(jobs->count + 1, sizeof *o.held),
	};

	if (!o.of || !o.held) {
		job_order_destroy(&o);
		return -1;
	}
	for (size_t i = 0; i < jobs->count; i++)
		if (hold(context, i))
			o.held[o.held_count++] = i;
		else
			o.of[o.count++] = i;
	*ret = o;
	return 0;
}

void job_order_destroy(struct job_order *order)
{
	free(order->of);
	free(order->held);
	*order = (struct job_order){ 0 };
}

static double submit_s(const struct job_order *o, size_t at)
{
	return o->jobs->of[o->of[at]].submit_s;
}

double job_order_next_s(const struct job_order *o)
{
	return o->submitted < o->count ? submit_s(o, o->submitted) : HUGE_VAL;
}

/* Return the first place from `low` on whose job is submitted after
 * that time. */
static size_t place_find(const struct job_order *o, size_t low, double time_s)
{
	size_t high = o->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (submit_s(o, middle) > time_s)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

void job_order_postpone(struct job_order *o, double time_s)
{
	size_t first = o->of[o->submitted];
	size_t size = o->jobs->of[first].group_size;
	size_t place = place_find(o, o->submitted + size, time_s);
	size_t *from = o->of + o->submitted;

	/* A group's jobs follow each other. */
	memmove(from, from + size,
		(place - o->submitted - size) * sizeof *from);
	for (size_t k = 0; k < size; k++) {
		o->of[place - size + k] = first + k;
		o->jobs->of[first + k].submit_s = time_s;
	}
}

void job_order_release(struct job_order *o, size_t at, double time_s)
{
	size_t job = o->held[at];
	size_t place = place_find(o, o->submitted, time_s);

	memmove(o->of + place + 1, o->of + place,
		(o->count - place) * sizeof *o->of);
	o->of[place] = job;
	o->count++;
	o->jobs->of[job].submit_s = time_s;
	o->held[at] = o->held[--o->held_count];
}
