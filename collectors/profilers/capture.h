/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capture.h - packet headers that this node sends to other nodes, by libpcap
 *
 * From the interface of this node's own address: the first bytes of each
 * segment that carries data or opens a connection.  The kernel buffers them, so
 * they need not be read often.
 */
#pragma once

#include "collectors/profilers/packet.h"
#include "predictor/base/error.h"

struct capture;

/* Everything sent from `own`, an address of this node, except from or to the
 * `excluded_ports` (ends with 0).  NULL: *err says why. */
struct capture *capture_open(const uint8_t own[PACKET_ADDRESS_SIZE],
			     const uint16_t excluded_ports[],
			     struct sp_error *err);

/* Capture only packets to these addresses from now on, `count` > 0. */
int capture_restrict(struct capture *capture,
		     const uint8_t (*to)[PACKET_ADDRESS_SIZE], int count,
		     struct sp_error *err);
void capture_close(struct capture *capture);

/* Call `on_packet` for each packet since the last call. */
void capture_read(struct capture *capture,
		  void (*on_packet)(void *context, const struct packet *packet),
		  void *context);

/* Stop or resume the capture.  While it is paused packets cost the node
 * nothing; those captured before can still be read.  On any failure the capture
 * goes on. May block for some milliseconds, without using a CPU. */
void capture_pause(struct capture *capture, bool pause);

/* Segments that did not fit the kernel's buffer. */
uint64_t capture_dropped(struct capture *capture);

/* Find the address of a node, by getaddrinfo(). */
int capture_resolve(const char *name, uint8_t ret[PACKET_ADDRESS_SIZE],
		    struct sp_error *err);
