/* SPDX-License-Identifier: GPL-2.0-or-later */
/* packet.h - parse one captured TCP segment
 *
 * An Ethernet frame (with or without VLAN tags) as libpcap gives it.  IPv4, and
 * IPv6 without extension headers; no fragments.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACKET_ADDRESS_SIZE 16

struct packet {
	uint8_t from[PACKET_ADDRESS_SIZE]; /* an IPv4 address as ::ffff:a.b.c.d,
					      as sockets do */
	uint8_t to[PACKET_ADDRESS_SIZE];
	uint16_t from_port, to_port;
	uint32_t seq; /* of the first byte of payload */
	uint32_t ack;
	bool syn, reset, push;
	uint32_t size;       /* of the payload, however much was captured */
	uint32_t segment;    /* MSS of a SYN, less the size of time stamps;
				0: not given */
	double at_s;         /* by the node's clock; capture.c fills it in */
	const uint8_t *data; /* the captured bytes of the payload; lent */
	uint32_t captured;   /* how many there are, <= size */
};

/* Return -1 if it is not a TCP segment, or its headers are incomplete. */
int packet_parse(const uint8_t *frame, size_t captured, size_t length,
		 struct packet *ret);
