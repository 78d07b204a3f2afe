/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open_order.c - what a server did for each message, to be done in any order */
#include <stdlib.h>

#include "predictor/replay/open_order.h"

static bool is_open(const struct trace_event *e)
{
	return e->call == CALL_RECEIVE && e->wildcard;
}

/* The section that begins with the event; returns its end.  last[ranks] is -1,
 * before and after. */
static int add_section(const struct matched_trace *m, int begin, int index,
		       int *last, struct open_order *order, int *heads)
{
	struct open_section *section = &order->sections[index];
	int g = begin;

	*section = (struct open_section){ .heads = heads };
	for (; m->events[g].call < CALL_ALL; g++) {
		if (!is_open(&m->events[g]))
			continue;

		int source = m->events[g].peer;

		order->section[g] = index;
		if (last[source] < 0)
			section->heads[section->heads_count++] = g;
		else
			order->next[last[source]] = g;
		last[source] = g;
	}
	section->end = g;
	for (int i = begin; i < g; i++)
		if (is_open(&m->events[i]))
			last[m->events[i].peer] = -1;
	return g;
}

int open_order_create(const struct matched_trace *m, struct open_order *ret)
{
	int open = 0;

	for (int g = 0; g < m->count; g++)
		open += is_open(&m->events[g]);

	int *last = malloc(m->ranks * sizeof(*last));

	*ret = (struct open_order){
		.section = malloc(m->count * sizeof(int)),
		.next = malloc(m->count * sizeof(int)),
		.heads = malloc((open + 1) * sizeof(int)),
		.sections = malloc((open + 1) * sizeof(*ret->sections)),
	};
	if (!last || !ret->section || !ret->next || !ret->heads ||
	    !ret->sections) {
		free(last);
		open_order_clear(ret);
		return -1;
	}
	for (int r = 0; r < m->ranks; r++)
		last[r] = -1;
	for (int g = 0; g < m->count; g++)
		ret->section[g] = ret->next[g] = -1;

	int sections = 0;
	int *heads = ret->heads;

	for (int g = 0; g < m->count; g++) {
		if (!is_open(&m->events[g]))
			continue;
		g = add_section(m, g, sections, last, ret, heads);
		heads += ret->sections[sections++].heads_count;
	}
	free(last);
	return 0;
}

void open_order_clear(struct open_order *order)
{
	free(order->section);
	free(order->next);
	free(order->heads);
	free(order->sections);
	*order = (struct open_order){ 0 };
}

void open_order_take(struct open_order *order, int index, int head)
{
	struct open_section *section = &order->sections[index];
	int next = order->next[section->heads[head]];

	section->heads[head] =
		next >= 0 ? next : section->heads[--section->heads_count];
}
