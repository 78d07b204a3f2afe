/* SPDX-License-Identifier: GPL-2.0-or-later */
/* critical_path.h - what the end of a replay waited for, back to its start */
#pragma once

#include "predictor/replay/trace_replay.h"

enum path_kind {
	PATH_COMPUTES,
	PATH_TRANSFER, /* a message from another rank to this one */
	/* For its own message or collective to be through, or for the CPU. */
	PATH_WAITS,
	PATH_KINDS,
};

/* In the order of time; each part begins where the one before ends. */
struct path_part {
	double from_s, to_s;
	int rank;
	int from_rank; /* PATH_TRANSFER */
	enum path_kind kind;
};

struct critical_path {
	int count;
	struct path_part *parts;
	double (*by_rank)[PATH_KINDS]; /* [ranks]: seconds */
	double *procedure_s;           /* [ranks]: of PATH_COMPUTES */
};

/* Find the path of a replay in the recorded order.  -1 without memory. */
int critical_path_find(const struct matched_trace *trace,
		       const struct replay_step steps[],
		       struct critical_path *ret, struct sp_error *err);
void critical_path_clear(struct critical_path *path);
