/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traced_run.h - the trace of a job, from predictd or a file, and
 * conditions now
 *
 * A trace's file is one of GET /v1/traces, or one element of its "traces"
 * (predictor/wire/trace/json_trace.h).
 */
#pragma once

#include "predictor/cli/cli.h"
#include "predictor/cli/table.h"
#include "predictor/replay/run_replay.h"
#include "predictor/trace/run_trace.h"
#include "predictor/whatif/whatif_conditions.h"

/* One of job, trace and application; the others are NULL. */
struct traced_source {
	const char *job;         /* its id */
	const char *trace;       /* a file */
	const char *application; /* its newest traced run that has finished */
	const char *ranks;       /* number of ranks; NULL: any */
};

/* Rows of a table of options into a struct `type` with a `source`. */
#define TRACED_OPTIONS(type)                                               \
	{ "application", .argument = "NAME",                               \
	  CLI_TEXT(type, source.application),                              \
	  .help = "the newest traced run of it, instead of a job" },       \
		{ "ranks", .argument = "N", CLI_TEXT(type, source.ranks),  \
		  .help = "of the application, a run of N processes" },    \
	{                                                                  \
		"trace", .argument = "FILE", CLI_TEXT(type, source.trace), \
			 .help = "the trace is in this file"               \
	}

/* Check the options of a subcommand on a trace, which begin with a struct
 * traced_source; the id of the job is its operand. */
int traced_run_check(struct cli *cli, void *options, struct sp_error *err);

/* The newest trace.  run_trace_clear() it. */
int traced_run_read(struct cli *cli, const struct traced_source *source,
		    struct run_trace *ret, struct sp_error *err);

/* All of them, one after the other, until `each` fails. */
int traced_runs_each(struct cli *cli, const struct traced_source *source,
		     int (*each)(const struct run_trace *run, void *argument,
				 struct sp_error *err),
		     void *argument, struct sp_error *err);

/* Rows of facts: whose run it was, and whether the trace is not all of it. */
void traced_run_show(struct table *facts, const struct run_trace *run);

/* Set what predictd says of nodes and links now.  `context`: struct cli. */
whatif_conditions_fn traced_place_now;
