/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sockets.h - which TCP connections a process has */
#ifndef COLLECTORS_PROFILERS_SOCKETS_H
#define COLLECTORS_PROFILERS_SOCKETS_H

#include <stdint.h>
#include <sys/types.h>

#include "collectors/profilers/streams.h"
#include "predictor/base/error.h"

/* Of the connections from `own` of which `streams` knows no owner, tell it those
 * that one of the processes has.  Asks for these alone: it costs some
 * microseconds for each and for each file that the processes have open, however
 * many connections the node has.  Processes that have gone are passed over.
 * Fails where the kernel can't be asked. */
int sockets_find(const pid_t pids[], int count,
		 const uint8_t own[PACKET_ADDRESS_SIZE],
		 struct streams *streams, struct sp_error *err);

#endif
