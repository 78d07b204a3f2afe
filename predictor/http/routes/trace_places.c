/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_places.c - how many requests hold a trace in memory */
#include "predictor/http/routes/trace_places.h"

void trace_places_init(struct trace_places *places, int most)
{
	places->most = most;
	ordered_lock_init(&places->lock, LOCK_TRACE_PLACES);
	places->count = 0;
}

void trace_places_destroy(struct trace_places *places)
{
	ordered_lock_destroy(&places->lock);
}

/* 0, or why there is none: 429 or 503. */
static int place_find(struct request *request, struct trace_places *places)
{
	bool own = false;

	ORDERED_LOCK_HOLD(&places->lock);
	for (int i = 0; i < places->count; i++)
		own |= places->users[i] == request->uid;

	bool full = places->count == places->most;

	if (!own && !full) {
		places->users[places->count++] = request->uid;
		request->trace_place = places;
	}
	return own ? 429 : full ? 503 : 0;
}

bool trace_place_try(struct request *request, struct trace_places *places)
{
	return place_find(request, places) == 0;
}

int trace_place_take(struct request *request, struct trace_places *places)
{
	int status = place_find(request, places);

	if (!status)
		return 0;
	return request_fail(request, status,
			    status == 429 ? "your other request is not done yet"
					  : "too many such requests at once");
}

void trace_place_return(struct request *request)
{
	struct trace_places *places = request->trace_place;

	if (!places)
		return;
	request->trace_place = NULL;
	ORDERED_LOCK_HOLD(&places->lock);
	for (int i = 0; i < places->count; i++) {
		if (places->users[i] != request->uid)
			continue;
		places->users[i] = places->users[--places->count];
		break;
	}
}
