/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_trace.h - a traced run: its ranks' events, and where they ran
 *
 * CPU time of different CPUs is different work: events of a run_trace are in
 * seconds of a CPU of speed 1, where those of a rank are as measured.
 */
#pragma once

#include "predictor/base/hostlist.h"
#include "predictor/base/work_limit.h"
#include "predictor/trace/matched_trace.h"
#include "predictor/trace/procedure_measure.h"
#include "predictor/trace/procedure_work.h"
#include "predictor/trace/trace_format.h"
#include "predictor/trace/trace_machine.h"

#define RUN_TRACE_NAME_SIZE 256
#define RUN_TRACE_NODES_MAX 1024
/* With a limit of work: events of all ranks, which are 60 bytes each in memory.
 * Those of programs that do anything need 5 bytes and more of TRACE_RUN_BYTES,
 * and a trace may be of 3 each. */
#define RUN_TRACE_EVENTS_MAX 1700000
#define RUN_TRACE_WHY_SIZE   (PROCEDURE_WHY_SIZE + 32)

/* Longer messages wait for their receiver, if a trace does not say it. */
#define RUN_TRACE_RENDEZVOUS_BYTES 65536

/* Values of links that were not measured: within a node, and a
 * gigabit network. */
#define RUN_TRACE_NEAR ((struct replay_link){ 1e-6, 4e9 })
#define RUN_TRACE_FAR  ((struct replay_link){ 5e-5, 1.1e8 })

struct traced_node {
	char name[HOSTLIST_NAME_SIZE];
	double cores;         /* that the job has there, > 0 */
	double cpu_available; /* share of each, > 0, at most 1 */
	double cpu_speed;     /* relative to a fixed reference, > 0 */
	double cpu_turn_s;    /* >= 0; of ranks that spin */
};

/* What was measured between two nodes of a run, one way; bits a second. */
struct traced_link {
	char from[HOSTLIST_NAME_SIZE], to[HOSTLIST_NAME_SIZE];
	double latency_s, bandwidth_bps;
};

/* What a rank recorded (trace_format.h). */
struct rank_bytes {
	unsigned char *data;
	size_t size;
};

struct run_trace {
	/* Limits decoding and each replay; NULL: nothing does; lent. */
	const struct work_limit *limit;
	uint32_t job_id;
	char cluster[RUN_TRACE_NAME_SIZE]; /* empty: not known */
	char application[RUN_TRACE_NAME_SIZE];
	char user[RUN_TRACE_NAME_SIZE];      /* whose run; empty: not known */
	char procedure[RUN_TRACE_NAME_SIZE]; /* that was named; empty: none */
	/* How it was measured, and whether ranks have no such function;
	 * its calls. */
	bool by_hooks, by_uprobes, absent;
	uint64_t calls;
	/* Why its work, which is 0 then, is not known; empty: it is. */
	char unmeasured[RUN_TRACE_WHY_SIZE];
	/* > 0; of the program, or of the job if that is not known. */
	double runtime_s;
	double job_s; /* run time of the job */
	/* MPI programs that were traced in the job; the name of this one,
	 * or empty, when it began (UNIX time), and how long it ran; NAN:
	 * not known. */
	int programs;
	char program[TRACE_PROGRAM_SIZE];
	double begun_at, ran_s;
	bool spinning;
	uint64_t rendezvous_bytes;
	int nodes_count;
	struct traced_node *nodes;
	struct replay_link *links; /* [from * nodes_count + to] */
	int ranks;
	int *node; /* of each rank */
	/* Until run_trace_decode(): what each rank recorded, and the links. */
	struct rank_bytes *bytes;
	int measured_count;
	struct traced_link *measured;
	/* Critical path, and with the procedure moved, as the ranks found while
	 * they ran; seconds; NAN: some did not. */
	double online_s[2];
	double seen; /* share of the ranks' work, 0 to 1; below 1: sampled */
	bool whole;  /* else ranks have no end: they died, or go on */
	struct matched_trace *trace;
	int procedures_count; /* by samples, of all ranks */
	struct procedure_work procedures[PROCEDURE_WORK_COUNT];
	/* Another run of the application, or NULL; not decoded yet. */
	struct run_trace *before;
};

void run_trace_clear(struct run_trace *run);

/* A node of the run or of another placement for the replay. */
struct replay_node traced_node_replay(const struct traced_node *node);

/* -1: there is none. */
int run_trace_find_node(const struct run_trace *run, const char *name);

/* Allocate the nodes and bytes of the ranks, for run_trace_clear() also if it
 * fails, as it does if there are too many nodes or ranks, or none. */
int run_trace_allocate(struct run_trace *run, struct sp_error *err);

/* Add what a rank says of how its procedure was measured.  What one rank does
 * not know makes the sum over all not known. */
void run_trace_add_measure(struct run_trace *run, int rank,
			   const struct procedure_measure *measure);

/* Match events[ranks] of ranks that ran on run->node[], all else of *run is
 * set; the events' work becomes that of speed 1, or 0 in the procedure if
 * that is not known.  Some stretches of sampled ones stay
 * (trace_stretches.h); these, and what is not whole, are cut (trace_cut.h).
 * `own`: the events are freed once they are matched.  Fails as
 * matched_trace_create(). */
int run_trace_match(struct run_trace *run, struct trace_event *events[],
		    int counts[], bool own, struct sp_error *err);

/* Decode run->bytes and match the events; all that was needed for it is freed.
 * What is not known of nodes (0) becomes that of a node with one CPU of speed 1
 * for itself; the run time is job_s if the ranks do not say one.  Fails if a
 * rank's bytes are no trace of it, and then again. */
int run_trace_decode(struct run_trace *run, struct sp_error *err);

/* Replace *run by `other`, which is not decoded yet, if that is another program
 * of the same job and cluster that ran longer, as far as that is known.  One of
 * another job of the application, with as many ranks, becomes run->before.
 * `other` is cleared. */
void run_trace_offer(struct run_trace *run, struct run_trace *other);

/* Clear runs[count] and free the array. */
void run_traces_free(struct run_trace runs[], int count);

/* Take the first one of runs[count], count > 0, or another program of its job
 * that ran longer.  The others are cleared.  `limit` becomes that of the
 * run. */
int run_traces_choose(struct run_trace runs[], int count,
		      const struct work_limit *limit, struct run_trace *ret,
		      struct sp_error *err);
