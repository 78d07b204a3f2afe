/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traced_run.h - the trace of a job, from predictd or a file, and nodes for it
 *
 * A trace's file is one of GET /v1/traces, or one element of its "traces"
 * (predictor/wire/trace/json_trace.h).
 */
#ifndef PREDICTOR_CLI_TRACED_RUN_H
#define PREDICTOR_CLI_TRACED_RUN_H

#include "predictor/cli/cli.h"
#include "predictor/replay/run_replay.h"
#include "predictor/replay/run_trace.h"

/* The newest trace of the job, or that of the file if it is not NULL; `job` may
 * then be NULL.  run_trace_clear() it. */
int traced_run_read(struct cli *cli, const char *job, const char *file,
		    struct run_trace *ret, struct sp_error *err);

/* All of them, one after the other, until `each` fails. */
int traced_runs_each(struct cli *cli, const char *job, const char *file,
		     int (*each)(const struct run_trace *run, void *argument,
				 struct sp_error *err),
		     void *argument, struct sp_error *err);

/* Nodes that ranks may be on: those of the run, then others. */
struct traced_place {
	int count;
	struct traced_node *nodes;
	struct replay_node *replay; /* the same for the replay */
	struct replay_link *links;  /* [from * count + to] */
};

/* With `names[names_count]`, each of which has `cores` if the run was not there.
 * traced_place_clear() it. */
int traced_place_create(const struct run_trace *run,
			const char (*names)[HOSTLIST_NAME_SIZE],
			int names_count, double cores, struct traced_place *ret,
			struct sp_error *err);
void traced_place_clear(struct traced_place *place);
int traced_place_find(const struct traced_place *place, const char *name);

/* Shares, speeds and links as predictd has them now.  Fails for a node that it
 * does not know. */
int traced_place_now(struct cli *cli, struct traced_place *place,
		     struct sp_error *err);

/* `node[ranks]` on these nodes. */
struct replay_placement traced_placement(const struct run_trace *run,
					 const struct traced_place *place,
					 const int node[]);

#endif
