/* SPDX-License-Identifier: GPL-2.0-or-later */
/* routes.h - the table of HTTP routes, and the lookup in it
 *
 * A pattern is a path in which one part may be "{name}": it matches letters,
 * digits and "_.-", which the function finds in request->captured.  Paths are
 * compared as sent, without decoding.
 */
#pragma once

#include "predictor/http/gate/access.h"

#define ROUTES_MAX         64
#define ROUTE_CAPTURE_SIZE 64
#define ROUTE_ALLOW_SIZE   64

struct request;

struct route {
	const char *method; /* "GET" stands for HEAD, too */
	const char *pattern;
	enum role role; /* required of the client */
	/* Handle `request` (request.h).  Returns the status of HTTP, or
	 * REQUEST_LATER after request_suspend(). */
	int (*function)(struct request *request);
	const char *help; /* also in predictd(8) and openapi.json */
};

extern const struct route routes[]; /* ends with a row without a method */

enum route_match {
	ROUTE_FOUND,
	ROUTE_NO_PATH,  /* 404 */
	ROUTE_NO_METHOD /* 405, with ret_allow for the Allow header */
};

/* Find the row of `table` for a request.  `target` is the path; a query string
 * behind it is ignored. */
enum route_match route_find(const struct route *table, const char *method,
			    const char *target, const struct route **ret_route,
			    char ret_captured[ROUTE_CAPTURE_SIZE],
			    char ret_allow[ROUTE_ALLOW_SIZE]);
