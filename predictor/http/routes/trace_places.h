/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_places.h - how many requests for a trace there may be at a time
 *
 * A trace is some megabytes, and a client may read its reply slowly: one
 * request at a time for each user, and TRACE_PLACES in all.  What-ifs, which
 * wait for their turn without a trace, shorter limits, which wait in the same
 * queue, and reports, which PostgreSQL makes one after the other, have places
 * of their own.  Thread-safe.
 */
#pragma once

#include "predictor/base/ordered_lock.h"
#include "predictor/http/request.h"

#define TRACE_PLACES     8
#define REPORT_PLACES    16
#define WHATIF_PLACES    32
#define SOONER_PLACES    8
#define TRACE_PLACES_MAX 32

struct trace_places {
	struct ordered_lock lock;
	int most, count;
	uid_t users[TRACE_PLACES_MAX];
};

void trace_places_init(struct trace_places *places, int most);
void trace_places_destroy(struct trace_places *places);

/* 0, and the place is given back with the request; or a status. */
int trace_place_take(struct request *request, struct trace_places *places);
/* Return whether there was a place: else the request does without. */
bool trace_place_try(struct request *request, struct trace_places *places);
void trace_place_return(struct request *request); /* if it has one */
