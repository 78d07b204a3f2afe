/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traced_place.h - nodes that ranks of a traced run may be on */
#pragma once

#include "predictor/replay/trace_replay.h"
#include "predictor/trace/run_trace.h"

/* Those of the run, then others. */
struct traced_place {
	int count;
	struct traced_node *nodes;
	struct replay_node *replay; /* the same for the replay */
	struct replay_link *links;  /* [from * count + to] */
	bool *is_now; /* nodes that are as they are now, not as recorded */
};

/* With `names[names_count]`, each of which has `cores` if the run was not
 * there. traced_place_clear() it. */
int traced_place_create(const struct run_trace *run,
			const char (*names)[HOSTLIST_NAME_SIZE],
			int names_count, double cores, struct traced_place *ret,
			struct sp_error *err);
void traced_place_clear(struct traced_place *place);
int traced_place_find(const struct traced_place *place, const char *name);

/* `node[ranks]` on these nodes. */
struct replay_placement traced_placement(const struct run_trace *run,
					 const struct traced_place *place,
					 const int node[]);
