/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recognise.h - whether a program is a farm, from what its processes sent
 *
 * Without its source: from messages between processes, CPU times and what MPI
 * was asked for.  Symbols: farm.h.
 */
#pragma once

#include "predictor/farm/farm.h"

/* A process; or several equal ones, added up. */
struct farm_process {
	int rank;
	int processes;        /* how many these are, at least 1 */
	int peer;             /* that got most of its messages; its own or -1:
				there is none */
	double messages;      /* sent to all; where it is known, without those
				of collective operations */
	double bytes;         /* in these */
	double peer_messages; /* thereof to the peer */
	double peer_bytes;
	double asked_any; /* receives from any source; NAN: not
				known */
	double own_s;     /* CPU time without what MPI took */
	double tasks;     /* times that it worked between a message from the
				peer and the next one to it */
	double tasks_s;   /* CPU time of these */
	double tasks_s2;  /* sum of its squares; NAN: not known */
	double speed;     /* of its CPU, > 0: tasks_s * speed is work */
	double available; /* share of the CPU that it could have, > 0 */
};

/* Unclear: static or dynamic. */
enum farm_kind { FARM_NONE, FARM_STATIC, FARM_DYNAMIC, FARM_UNCLEAR };

struct farm_seen {
	enum farm_kind kind;
	int hub;     /* position of the master in the processes; -1: none */
	int workers; /* processes that worked for it */
	struct farm farm; /* of the whole run; sigma is NAN if it is not known;
			     M is at most INT_MAX */
};

/* A farm has a hub that sends or gets nearly all messages, about as many of
 * one kind as of the other, and whose workers work between the two, and
 * little besides.  Equal numbers of messages for workers of different rates:
 * static; in proportion to their rates, or where the hub receives from any
 * source: dynamic.  Without a clear difference, where receives are not known:
 * unclear. */
void farm_recognise(const struct farm_process of[], int count,
		    struct farm_seen *ret);
