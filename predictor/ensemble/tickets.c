/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tickets.c - predictions of jobs that have not ended yet */
#include <stdlib.h>

#include "predictor/base/index.h"
#include "predictor/ensemble/tickets.h"

struct tickets {
	struct ticket *of;
	uint32_t touched; /* places that were ever used */
	uint32_t free; /* the first that is free again, the rest by `newer` */
	uint32_t oldest, newest;
	uint32_t waits; /* the oldest that may count though it waits */
	struct index index;
	uint32_t *in_flight; /* by user, in the order of first tickets */
	uint32_t in_flight_capacity;
	struct index users;
};

struct tickets *tickets_create(void)
{
	struct tickets *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->free = t->oldest = t->newest = t->waits = TICKET_NONE;
	t->of = calloc(TICKETS_MAX, sizeof(t->of[0]));
	if (t->of)
		return t;
	tickets_destroy(t);
	return NULL;
}

void tickets_destroy(struct tickets *t)
{
	if (!t)
		return;
	free(t->of);
	free(t->in_flight);
	index_clear(&t->index);
	index_clear(&t->users);
	free(t);
}

uint32_t tickets_find(const struct tickets *t, uint64_t id)
{
	uint32_t at = index_find(&t->index, index_hash_number(id), NULL, NULL);

	return at == INDEX_NONE ? TICKET_NONE : at;
}

struct ticket *tickets_at(struct tickets *t, uint32_t at)
{
	return &t->of[at];
}

/* Take a place that nobody uses. */
static uint32_t place_take(struct tickets *t, bool *ret_forgot)
{
	uint32_t at = t->free;

	*ret_forgot = false;
	if (at == TICKET_NONE && t->touched < TICKETS_MAX)
		return t->touched++;
	if (at == TICKET_NONE) {
		*ret_forgot = true;
		tickets_remove(t, t->oldest);
		at = t->free;
	}
	t->free = t->of[at].newer;
	return at;
}

/* INDEX_NONE: unknown, or without a ticket so far. */
static uint32_t user_find(const struct tickets *t, uint64_t user)
{
	return user ? index_find(&t->users, index_hash_number(user), NULL, NULL)
		    : INDEX_NONE;
}

/* The same, added if need be; INDEX_NONE also: out of memory. */
static uint32_t user_get(struct tickets *t, uint64_t user)
{
	uint32_t at = user_find(t, user);

	if (at != INDEX_NONE || !user || index_reserve(&t->users) ||
	    index_grow(&t->in_flight, &t->in_flight_capacity, t->users.count,
		       sizeof(t->in_flight[0])))
		return at;
	at = t->users.count;
	t->in_flight[at] = 0;
	index_add(&t->users, index_hash_number(user), at);
	return at;
}

uint32_t tickets_of_user(const struct tickets *t, uint64_t user)
{
	uint32_t at = user_find(t, user);

	return at == INDEX_NONE ? 0 : t->in_flight[at];
}

static void ticket_count(struct tickets *t, struct ticket *ticket, bool counts)
{
	if (ticket->user != INDEX_NONE)
		t->in_flight[ticket->user] +=
			(uint32_t)counts - (uint32_t)ticket->counted;
	ticket->counted = counts;
}

uint32_t tickets_add(struct tickets *t, uint64_t id, uint64_t user,
		     double submitted_at_s, bool *ret_forgot)
{
	if (index_reserve(&t->index))
		return TICKET_NONE;

	uint32_t at = place_take(t, ret_forgot);

	t->of[at] = (struct ticket){ .id = id,
				     .user = user_get(t, user),
				     .submitted_at_s = submitted_at_s,
				     .in_flight = 1 + tickets_of_user(t, user),
				     .older = t->newest,
				     .newer = TICKET_NONE };
	if (t->newest == TICKET_NONE)
		t->oldest = at;
	else
		t->of[t->newest].newer = at;
	t->newest = at;
	if (t->waits == TICKET_NONE)
		t->waits = at;
	ticket_count(t, &t->of[at], true);
	index_add(&t->index, index_hash_number(id), at);
	return at;
}

void tickets_start(struct tickets *t, uint32_t at)
{
	t->of[at].started = true;
	ticket_count(t, &t->of[at], true);
}

void tickets_lose(struct tickets *t, uint32_t at)
{
	ticket_count(t, &t->of[at], false);
}

void tickets_advance(struct tickets *t, double now_s)
{
	struct ticket *ticket;

	for (; t->waits != TICKET_NONE; t->waits = ticket->newer) {
		ticket = &t->of[t->waits];
		if (!(ticket->submitted_at_s + TICKETS_WAIT_S < now_s))
			return;
		if (!ticket->started)
			ticket_count(t, ticket, false);
	}
}

void tickets_remove(struct tickets *t, uint32_t at)
{
	struct ticket *ticket = &t->of[at];

	index_remove(&t->index, index_hash_number(ticket->id), at);
	if (ticket->older == TICKET_NONE)
		t->oldest = ticket->newer;
	else
		t->of[ticket->older].newer = ticket->newer;
	if (ticket->newer == TICKET_NONE)
		t->newest = ticket->older;
	else
		t->of[ticket->newer].older = ticket->older;
	if (t->waits == at)
		t->waits = ticket->newer;
	ticket_count(t, ticket, false);
	ticket->newer = t->free;
	t->free = at;
}
