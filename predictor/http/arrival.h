/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arrival.h - what a new client on TCP says first
 *
 * Nobody on TCP is known before a credential was checked.  Until then only the
 * claim counts, which is enough to say which thread serves the client: one that
 * claims more than it proves is refused there.
 */
#pragma once

#include "predictor/http/routes.h"

enum arrival {
	ARRIVAL_GONE,       /* it has closed the connection */
	ARRIVAL_ANYBODY,    /* no credential, or nothing yet */
	ARRIVAL_CREDENTIAL, /* a request with something like a credential */
	ARRIVAL_DAEMON /* the same, to a route of collectors or operators */
};

/* Look at what is there, and leave it there. */
enum arrival arrival_look(const struct route *table, int fd);
