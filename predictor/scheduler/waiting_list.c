/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waiting_list.c - waiting jobs of a simulation, in the order of trying */
#include "predictor/scheduler/waiting_list.h"

static bool tried_before(const struct waiting_job *x,
			 const struct waiting_job *y)
{
	if (x->order_s != y->order_s)
		return x->order_s < y->order_s;
	return x->place < y->place;
}

void waiting_list_insert(struct waiting_list *list, uint32_t job)
{
	struct waiting_job *w = &list->of[job];
	uint32_t previous = list->last;

	while (previous != NO_JOB && tried_before(w, &list->of[previous]))
		previous = list->of[previous].previous;

	uint32_t *from_before =
		previous == NO_JOB ? &list->first : &list->of[previous].next;

	w->previous = previous;
	w->next = *from_before;
	*from_before = job;
	if (w->next == NO_JOB)
		list->last = job;
	else
		list->of[w->next].previous = job;
	w->waits = true;
}

void waiting_list_remove(struct waiting_list *list, uint32_t job)
{
	struct waiting_job *w = &list->of[job];

	if (w->previous == NO_JOB)
		list->first = w->next;
	else
		list->of[w->previous].next = w->next;
	if (w->next == NO_JOB)
		list->last = w->previous;
	else
		list->of[w->next].previous = w->previous;
	w->waits = false;
}
