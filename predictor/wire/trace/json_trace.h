/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_trace.h - a traced run as a message
 *
 * Of a reply's "traces", or of a file:
 *
 *	{ "cluster", "job_id", "application", "user", "procedure",
 *	  "runtime_s", "programs", "spinning", "rendezvous_bytes",
 *	  "nodes": [{ "name", "cores", "cpu_available", "cpu_speed",
 *				"cpu_turn_s" }],
 *	  "links": [{ "from", "to", "latency_s", "bandwidth_bps" }],
 *	  "ranks": [{ "node", "events" }] }
 *
 * Rank i of the run is the i-th of "ranks".  "events" is its trace in the
 * format of predictor/replay/FORMAT.md, as base64 (RFC 4648, section 4).
 * bandwidth_bps is in bits a second, as everywhere in messages.  Only the
 * name of nodes is required, and links may be missing.  runtime_s is that
 * of the job, of whose MPI programs this is one; its events say how long it
 * ran itself.
 */
#pragma once

#include <json-c/json.h>

#include "predictor/trace/run_trace.h"
#include "predictor/wire/text.h"

/* run_trace_clear() it. */
int wire_trace_decode(struct json_object *message, struct run_trace *ret,
		      struct sp_error *err);

/* Decode the first one of "traces" of a reply, an array which begins with the
 * newest, or another program of the same job that ran longer. */
int wire_trace_choose(struct json_object *traces, struct run_trace *ret,
		      struct sp_error *err);

/* Print a run that is not decoded.  What is 0 of a node is not known, and is
 * left out. */
int wire_trace_print(const struct run_trace *run, struct wire_text *out,
		     struct sp_error *err);
