/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_topology.c - switches from a file, and the schedule over them
 *
 * Whatever the tree is like, both ends of a probe agree on it.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "collectors/probes/schedule.h"

#define SLOT  1188000017ULL
#define SLOTS 16

static void check_schedule(const struct schedule *s)
{
	for (uint64_t slot = SLOT; slot < SLOT + SLOTS; slot++)
		for (size_t i = 0; i < schedule_count(s); i++) {
			struct schedule_turn mine, theirs;

			if (!schedule_turn(s, i, slot, &mine))
				continue;
			assert(mine.partner != i);
			assert(schedule_turn(s, mine.partner, slot, &theirs));
			assert(theirs.partner == i);
			assert(theirs.begins != mine.begins);
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sp_error err = { "" };
	struct topology topology;
	struct hostlist nodes = { 0 };
	struct schedule *s;

	if (topology_parse((const char *)data, size, &topology, &err)) {
		assert(err.text[0]);
		return 0;
	}
	if (!hostlist_expand("n[1-40],a,b", &nodes, &err)) {
		s = schedule_create(&nodes, &topology, &err);
		assert(s);
		check_schedule(s);
		schedule_destroy(s);
	}
	hostlist_clear(&nodes);
	topology_clear(&topology);
	return 0;
}
