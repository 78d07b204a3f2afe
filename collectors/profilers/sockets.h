/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sockets.h - owners of TCP connections */
#pragma once

#include <sys/types.h>

#include "collectors/profilers/streams.h"
#include "predictor/base/error.h"

/* Set the owner of those connections from `own` that have none in `streams` and
 * that one of the processes has open.  Costs some microseconds for each of
 * these and for each open file of the processes, however many connections the
 * node has. Processes that have ended are skipped.  Fails where sock_diag(7)
 * does. */
int sockets_find(const pid_t pids[], int count,
		 const uint8_t own[PACKET_ADDRESS_SIZE],
		 struct streams *streams, struct sp_error *err);
