/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capture.h - the heads of packets that this node sends to some others
 *
 * By libpcap, from the interface of this node's own address; of each segment that
 * carries data, and of those that open a connection, only the first bytes.
 * The kernel gathers them, so that it need not be asked often.
 */
#ifndef COLLECTORS_PROFILERS_CAPTURE_H
#define COLLECTORS_PROFILERS_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "collectors/profilers/packet.h"
#include "predictor/base/error.h"

struct capture;

/* All that leaves from `own`, an address of this node, but what comes from or
 * goes to ports in `without` (ends with 0).  NULL: *err says why. */
struct capture *capture_open(const uint8_t own[PACKET_ADDRESS_SIZE],
			     const uint16_t without[], struct sp_error *err);

/* From now on only what goes to these addresses, `count` > 0. */
int capture_restrict(struct capture *capture,
		     const uint8_t (*to)[PACKET_ADDRESS_SIZE], int count,
		     struct sp_error *err);
void capture_close(struct capture *capture);

/* Give what has come since the last call to `take`. */
void capture_take(struct capture *capture,
		  void (*take)(void *context, const struct packet *packet),
		  void *context);

/* Whether packets are looked at: where not, they cost the node nothing.  Those
 * that were there already can still be taken.  On any failure they go on being
 * looked at.  May wait some milliseconds, without using a CPU. */
void capture_pause(struct capture *capture, bool pause);

/* Segments that the kernel had no room for. */
uint64_t capture_dropped(struct capture *capture);

/* The address of a node by its name, as getaddrinfo() has it. */
int capture_resolve(const char *name, uint8_t ret[PACKET_ADDRESS_SIZE],
		    struct sp_error *err);

#endif
