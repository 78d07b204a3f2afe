/* SPDX-License-Identifier: GPL-2.0-or-later */
/* streams.h - what this node sends to other nodes, connection by connection
 *
 * Connections are known by addresses and ports.  To whom one belongs is asked
 * of the system (sockets.h) while it is there: only those of the job's tasks
 * count.  One that was closed before anybody could ask counts if what was sent
 * is of a kind that only such tasks send.
 */
#ifndef COLLECTORS_PROFILERS_STREAMS_H
#define COLLECTORS_PROFILERS_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collectors/profilers/packet.h"
#include "collectors/profilers/stream.h"

#define STREAMS_MAX 8192 /* connections of one job on one node */

struct stream_key {
	uint8_t to[PACKET_ADDRESS_SIZE];
	uint16_t from_port, to_port;
};

struct streams;

struct streams *streams_create(void); /* NULL: out of memory */
void streams_destroy(struct streams *streams);

void streams_take(struct streams *streams, const struct packet *packet);

/* Whether something was sent on a connection of which nobody has been found to
 * own it. */
bool streams_unowned(const struct streams *streams);

/* The next such connection, from *at on, which is 0 at first; false: no more. */
bool streams_next_unowned(const struct streams *streams, uint32_t *at,
			  struct stream_key *ret);

/* The process `pid` has that connection. */
void streams_own(struct streams *streams, const struct stream_key *key,
		 pid_t pid);

/* Sum up what tasks have sent to the node that has `address`. */
void streams_sum(const struct streams *streams,
		 const uint8_t address[PACKET_ADDRESS_SIZE],
		 bool (*is_task)(const void *context, pid_t pid),
		 const void *context, struct tally *ret);

/* Bytes of theirs that were not captured. */
uint64_t streams_missed(const struct streams *streams,
			bool (*is_task)(const void *context, pid_t pid),
			const void *context);

#endif
