/* SPDX-License-Identifier: GPL-2.0-or-later */
/* streams.h - TCP connections of this node, their owners and messages
 *
 * Connections are identified by addresses and ports.  Their owner is found
 * while they are open (sockets.h): only those of the job's tasks count.  One
 * that was closed before counts if its framing is that of an MPI library.
 */
#pragma once

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

void streams_add(struct streams *streams, const struct packet *packet);

/* Return whether there is a connection with data, but without an owner. */
bool streams_unowned(const struct streams *streams);

/* Find the next such connection from position *at on, 0 at first; false:
 * no more. */
bool streams_next_unowned(const struct streams *streams, uint32_t *at,
			  struct stream_key *ret);

/* Set the owner of a connection. */
void streams_own(struct streams *streams, const struct stream_key *key,
		 pid_t pid);

/* Sum of what tasks have sent to the node of `address`. */
void streams_sum(const struct streams *streams,
		 const uint8_t address[PACKET_ADDRESS_SIZE],
		 bool (*is_task)(const void *context, pid_t pid),
		 const void *context, struct tally *ret);

/* Rounds of tasks with processes there, over all of *ret_count connections. */
void streams_rounds(const struct streams *streams,
		    const uint8_t address[PACKET_ADDRESS_SIZE],
		    bool (*is_task)(const void *context, pid_t pid),
		    const void *context, struct rounds *ret,
		    uint32_t *ret_count);

/* Return bytes that tasks have sent, but that were not captured. */
uint64_t streams_missed(const struct streams *streams,
			bool (*is_task)(const void *context, pid_t pid),
			const void *context);
