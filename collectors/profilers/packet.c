/* SPDX-License-Identifier: GPL-2.0-or-later */
/* packet.c - parse one captured TCP segment
 *
 * Frames that the kernel has not cut into segments yet (TSO) are larger than
 * any interface's MTU; those beyond 64 KiB have the length 0 in the IP header
 * (BIG TCP): then the length of the frame counts.
 */
#include <string.h>

#include "collectors/profilers/packet.h"

#define ETHERNET_SIZE 14
#define VLAN_SIZE     4
#define VLANS_MAX     2
#define IPV4_SIZE_MIN 20
#define IPV6_SIZE     40
#define TCP_SIZE_MIN  20
#define PROTOCOL_TCP  6

enum { TYPE_IPV4 = 0x0800, TYPE_IPV6 = 0x86dd, TYPE_VLAN = 0x8100 };
enum { FLAG_SYN = 2, FLAG_RST = 4, FLAG_PSH = 8 };
enum { OPTION_END, OPTION_NOP, OPTION_MSS, OPTION_TIMESTAMPS = 8 };

#define TIMESTAMPS_ROOM 12 /* of the option in each segment, padded */

/* The part of a frame that is not parsed yet. */
struct unparsed {
	const uint8_t *bytes;
	size_t captured, length;
};

static uint16_t read16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static uint32_t read32(const uint8_t *bytes)
{
	return (uint32_t)read16(bytes) << 16 | read16(bytes + 2);
}

static int bytes_skip(struct unparsed *rest, size_t size)
{
	if (size > rest->captured || size > rest->length)
		return -1;
	rest->bytes += size;
	rest->captured -= size;
	rest->length -= size;
	return 0;
}

/* Drop the padding behind the packet's own length. */
static int length_limit(struct unparsed *rest, size_t length)
{
	if (length > rest->length)
		return -1;
	rest->length = length;
	if (rest->captured > length)
		rest->captured = length;
	return 0;
}

static int ethernet_skip(struct unparsed *rest, uint16_t *ret_type)
{
	if (rest->captured < ETHERNET_SIZE)
		return -1;

	uint16_t type = read16(rest->bytes + ETHERNET_SIZE - 2);

	if (bytes_skip(rest, ETHERNET_SIZE))
		return -1;
	for (int i = 0; type == TYPE_VLAN && i < VLANS_MAX; i++) {
		if (rest->captured < VLAN_SIZE)
			return -1;
		type = read16(rest->bytes + 2);
		if (bytes_skip(rest, VLAN_SIZE))
			return -1;
	}
	*ret_type = type;
	return 0;
}

static void ipv4_map(const uint8_t *from, uint8_t ret[PACKET_ADDRESS_SIZE])
{
	memset(ret, 0, 10);
	memset(ret + 10, 0xff, 2);
	memcpy(ret + 12, from, 4);
}

static int ipv4_parse(struct unparsed *rest, struct packet *packet)
{
	const uint8_t *head = rest->bytes;

	if (rest->captured < IPV4_SIZE_MIN || head[0] >> 4 != 4 ||
	    head[9] != PROTOCOL_TCP)
		return -1;

	size_t size = (size_t)(head[0] & 15) * 4;
	size_t length = read16(head + 2);

	if (size < IPV4_SIZE_MIN)
		return -1;
	if (read16(head + 6) & 0x3fff) /* a fragment */
		return -1;
	ipv4_map(head + 12, packet->from);
	ipv4_map(head + 16, packet->to);
	if (length && length_limit(rest, length))
		return -1;
	return bytes_skip(rest, size);
}

static int ipv6_parse(struct unparsed *rest, struct packet *packet)
{
	const uint8_t *head = rest->bytes;

	if (rest->captured < IPV6_SIZE || head[0] >> 4 != 6 ||
	    head[6] != PROTOCOL_TCP)
		return -1;

	size_t length = read16(head + 4);

	memcpy(packet->from, head + 8, PACKET_ADDRESS_SIZE);
	memcpy(packet->to, head + 24, PACKET_ADDRESS_SIZE);
	if (length && length_limit(rest, IPV6_SIZE + length))
		return -1;
	return bytes_skip(rest, IPV6_SIZE);
}

/* Payload of a full segment, by the MSS among the options of a SYN. */
static uint32_t mss_parse(const uint8_t *options, size_t size)
{
	uint32_t segment = 0;
	bool timestamps = false;

	for (size_t i = 0; i < size && options[i] != OPTION_END;) {
		if (options[i] == OPTION_NOP) {
			i++;
			continue;
		}
		if (i + 1 >= size || options[i + 1] < 2 ||
		    i + options[i + 1] > size)
			break;
		if (options[i] == OPTION_MSS && options[i + 1] == 4)
			segment = read16(options + i + 2);
		timestamps |= options[i] == OPTION_TIMESTAMPS;
		i += options[i + 1];
	}
	if (timestamps && segment > TIMESTAMPS_ROOM)
		segment -= TIMESTAMPS_ROOM;
	return segment;
}

static int tcp_parse(struct unparsed *rest, struct packet *packet)
{
	const uint8_t *head = rest->bytes;

	if (rest->captured < TCP_SIZE_MIN)
		return -1;

	size_t size = (size_t)(head[12] >> 4) * 4;

	if (size < TCP_SIZE_MIN || size > rest->captured)
		return -1;
	packet->from_port = read16(head);
	packet->to_port = read16(head + 2);
	packet->seq = read32(head + 4);
	packet->ack = read32(head + 8);
	packet->syn = head[13] & FLAG_SYN;
	packet->reset = head[13] & FLAG_RST;
	packet->push = head[13] & FLAG_PSH;
	if (packet->syn) {
		packet->seq++; /* the SYN itself counts as one byte */
		packet->segment =
			mss_parse(head + TCP_SIZE_MIN, size - TCP_SIZE_MIN);
	}
	if (bytes_skip(rest, size) || rest->length > UINT32_MAX)
		return -1;
	packet->size = (uint32_t)rest->length;
	packet->data = rest->bytes;
	packet->captured = (uint32_t)rest->captured;
	return 0;
}

int packet_parse(const uint8_t *frame, size_t captured, size_t length,
		 struct packet *ret)
{
	struct unparsed rest = { frame, captured < length ? captured : length,
				 length };
	struct packet packet = { .size = 0 };
	uint16_t type;

	if (ethernet_skip(&rest, &type))
		return -1;
	if (type == TYPE_IPV4 ? ipv4_parse(&rest, &packet)
			      : type != TYPE_IPV6 || ipv6_parse(&rest, &packet))
		return -1;
	if (tcp_parse(&rest, &packet))
		return -1;
	*ret = packet;
	return 0;
}
