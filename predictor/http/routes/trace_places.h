/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_places.h - how many requests hold a trace in memory
 *
 * A trace is some megabytes, and a client may read its reply slowly: one
 * request at a time for each user, and TRACE_PLACES in all.  Thread-safe.
 */
#ifndef PREDICTOR_HTTP_ROUTES_TRACE_PLACES_H
#define PREDICTOR_HTTP_ROUTES_TRACE_PLACES_H

#include "predictor/base/ordered_lock.h"
#include "predictor/http/request.h"

#define TRACE_PLACES 8

struct trace_places {
	struct ordered_lock lock;
	int count;
	uid_t users[TRACE_PLACES];
};

void trace_places_init(struct trace_places *places);
void trace_places_destroy(struct trace_places *places);

/* 0, and the place is given back with the request; or a status. */
int trace_place_take(struct request *request);
void trace_place_return(struct request *request); /* if it has one */

#endif
