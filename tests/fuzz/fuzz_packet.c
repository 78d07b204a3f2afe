/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_packet.c - captured frames of one connection, and what follows them */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "collectors/profilers/packet.h"
#include "collectors/profilers/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Frames one behind the other, each with two bytes of length before it: its
 * own length and, beyond 160, what was not captured. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stream stream = { .known = false };

	while (size >= 2) {
		size_t captured = data[0], length = captured + data[1] * 256u;
		struct packet packet;

		data += 2;
		size -= 2;
		if (captured > size)
			captured = size;
		if (packet_parse(data, captured, length, &packet) == 0) {
			if (packet.captured > packet.size)
				abort();
			stream_add(&stream, &packet);
		}
		data += captured;
		size -= captured;
	}
	if (!(stream.tally.messages >= 0) || !(stream.tally.bytes >= 0))
		abort();
	return 0;
}
