/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_programs.h - programs run on a simulated clock, and their traces
 *
 * Not the replay's engine: all ranks are looked at in each step, and each rank
 * is a program that decides what it does next from what it has received.  So
 * the run time elsewhere, or of a changed program, is that of a run of its own.
 */
#pragma once

#include "predictor/replay/trace_replay.h"
#include "tests/unit/random.h"

#define PROGRAM_RANKS_MAX 16
#define ANY_SOURCE        (-1)

/* Work, then a call: CALL_ISEND, CALL_RECEIVE or CALL_END. */
struct action {
	double work_s;
	double procedure_s;
	enum trace_call call;
	int peer; /* may be ANY_SOURCE */
	uint64_t bytes;
};

struct program {
	int ranks;
	/* What the rank does next; `source` of what it received last. */
	struct action (*next)(struct program *program, int rank, int source);
	void (*reset)(struct program *program); /* before each run */
};

/* Run time in seconds; the trace, if ret is not NULL: free its arrays with
 * program_trace_free(). */
double program_run(struct program *program,
		   const struct replay_placement *placement, struct trace *ret);
void program_trace_free(struct trace *trace);

/* A farm: rank 0 hands out tasks to whoever is free. */
struct farm_program {
	struct program program; /* first */
	int tasks;
	const double *task_s;
	double hub_s; /* for each task */
	int handed, replied, stopped;
	int begun[PROGRAM_RANKS_MAX]; /* where each rank is */
};
void farm_program_init(struct farm_program *farm, int ranks, int tasks,
		       const double *task_s, double hub_s);

/* The paper's synthetic application: rank 0 serves the others; for the first
 * client it calls one procedure, for the others a second one. */
struct server_program {
	struct program program;          /* first */
	int requests;                    /* of each client */
	int procedure;                   /* that is measured: 1, 2 */
	bool moved;                      /* it runs at the client */
	double jitter;                   /* of all work, a part of it */
	double client_s[2], server_s[2]; /* of the first client, of others */
	int served;
	int begun[PROGRAM_RANKS_MAX];
	int count[PROGRAM_RANKS_MAX]; /* requests that were served */
};
void server_program_init(struct server_program *server, int ranks);
