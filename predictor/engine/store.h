/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.h - the interface of a history store
 *
 * A store keeps runs, shares, predictions and measurements for ever, in
 * transactions.  It has threads of its own; no function here waits for them.
 * What has been stored (by us, or by another predictd on the same store) comes
 * back through the sink, from the store's thread: this is the one way by which
 * runs get into memory.
 *
 * What memory has forgotten, or never held, is read by the get functions.  They
 * run in another thread, so that a long query never keeps anything from being
 * stored.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/describe.h"
#include "predictor/features/link.h"
#include "predictor/features/measurement.h"
#include "predictor/features/prediction.h"
#include "predictor/features/profile.h"
#include "predictor/features/run.h"
#include "predictor/features/trace_block.h"
#include "predictor/models/next_request.h"
#include "predictor/trace/run_trace.h"

/* What a store reports.  Called in its thread, first for all that was stored
 * before (the newest predictions, what was measured in the last hours in the
 * order of times, runs in the order of their ends), then ready(), then for what
 * is new.
 *
 * Of the runs before ready() all but the newest STORE_RUNS_WHOLE hold only what
 * models learn from: their user, job name, array, node list and exit code are
 * empty. */
#define STORE_PREDICTIONS 131072 /* that are loaded before ready() */
#define STORE_RUNS_WHOLE  65536
#define STORE_RUNS_FIRST  8192 /* that are loaded before newest() */

/* Measurements that are loaded; and three hours of them at most. */
#define STORE_MEASUREMENTS 1000000
#define STORE_LINKS        1000000

struct store_sink {
	void *context;
	/* The past has changed (somebody imported runs): all runs come once
	 * more, up to ready(), instead of those before.  Runs
	 * that were imported come in no other way.  May be called again before
	 * ready() if the connection was lost meanwhile: again from the
	 * beginning.  NULL: what was imported is seen at the next start. */
	void (*reload_begin)(void *context);
	void (*prediction)(void *context, const struct prediction *p);
	void (*measurement)(void *context, const char *cluster,
			    const struct measurement *m);
	/* How fast its CPUs were, a mean over some hours; before the
	 * measurements, for two weeks. */
	void (*speed)(void *context, const char *cluster, const char *node,
		      double time_s, double speed);
	void (*link)(void *context, const char *cluster,
		     const struct link_measurement *m);
	/* A run that has been committed; again when it ended.  A prediction
	 * that another predictd made for it comes just before it. */
	void (*run)(void *context, const struct run *run);
	/* What a run did, once all its nodes have reported; of those before,
	 * the first time after ready().  NULL: nobody wants to know. */
	void (*profile)(void *context, const struct run *run,
			const struct profile *profile);
	void (*ready)(void *context);
	/* At the start, once the newest STORE_RUNS_FIRST runs and all but runs
	 * were passed; then comes reload_begin().  NULL: all come in one go. */
	void (*newest)(void *context);
};

/* What became of a report, an import or a question. */
enum store_rc {
	STORE_STORED = 0,   /* committed, or answered */
	STORE_AGAIN = -1,   /* not stored, or not known to be: send it again */
	STORE_REFUSED = -2, /* its data can never be stored: do not */
};

/* Called once in the store's thread, after the commit and after the sink has
 * seen the runs, or when it failed and why.  Must not wait. */
typedef void store_done_fn(void *context, int rc, const struct sp_error *why);

struct store_report {
	size_t runs_count, shares_count, profiles_count;
	const struct run *runs; /* application and conditions filled in */
	const struct run_share *shares;
	const struct profile_share *profiles; /* settings filled in */
};

/* --- Imports -------------------------------------------------------------- */

#define STORE_IMPORT_RUNS_MAX 20000 /* in one batch */
#define STORE_IMPORTS_MAX     4     /* batches that wait */

/* A batch of past runs, from a job log.  Application and parameters are filled
 * in; `before` as far as the log knows.  With `last` (then runs_count may be
 * 0) the sink gets the whole history again, in every predictd. */
struct store_import {
	size_t runs_count;
	const struct run *runs; /* ended; those of one job differ by start */
	bool last;
};

struct store_imported {
	size_t stored;
	size_t doubles; /* that were there already: left as they were */
	size_t refused; /* that can never be stored */
	struct sp_error refusal; /* why, of the first */
};

/* Called once in the store's thread, after the commit (but with `last` before
 * the sink gets it).  `result` counts only if rc is STORE_STORED. */
typedef void store_imported_fn(void *context, int rc,
			       const struct store_imported *result,
			       const struct sp_error *why);

/* --- Questions --------------------------------------------------------------
 * Answers are lent for as long as the call lasts, in the reader's thread; it
 * must not wait.  rc is STORE_STORED, or STORE_AGAIN with why. */

#define STORE_QUERIES_MAX 64 /* that wait */

/* All that is known of a prediction. */
struct store_prediction {
	bool known[STAGE_COUNT]; /* none: there is no such prediction */
	struct prediction stages[STAGE_COUNT];
	bool has_run;
	struct run run; /* the newest that it was made for */
};

typedef void store_prediction_fn(void *context, int rc,
				 const struct store_prediction *found,
				 const struct sp_error *why);

/* Rows of the kind that the query has. */
typedef void store_rows_fn(void *context, int rc, const void *rows,
			   size_t count, const struct sp_error *why);

/* Runs that have ended, in the order of their ends: a page of them, struct run.
 * Fewer than the limit: these are the last. */
#define STORE_RUNS_PAGE_MAX 10000

struct store_runs_query {
	uint32_t user_id;            /* UINT32_MAX: of all users */
	char user[RUN_NAME_SIZE];    /* a name or a uid; empty: all */
	char cluster[RUN_NAME_SIZE]; /* empty: all */
	double since_s, until_s;     /* of the end; NAN: no bound */
	/* Only runs behind this one, the last of the page before: its end (its
	 * start, if that is not known) and its id.  id 0: from the first. */
	double after_ended_at_s;
	int64_t after_id;
	size_t limit; /* 1 to STORE_RUNS_PAGE_MAX */
};

/* How good predictions were, compared with what happened. */
enum store_accuracy_by {
	ACCURACY_BY_ALL, /* one group of all */
	ACCURACY_BY_CLUSTER,
	ACCURACY_BY_PARTITION,
	ACCURACY_BY_USER,
	ACCURACY_BY_APPLICATION,
	ACCURACY_BY_MODEL, /* that gave the answer */
	ACCURACY_BY_MONTH, /* of the end, UTC: "2026-01" */
	ACCURACY_BY_COUNT
};

extern const struct enum_words store_accuracy_by_words; /* "month" */

struct store_accuracy_query {
	enum store_accuracy_by by;
	uint32_t user_id; /* UINT32_MAX: of all users */
	/* Only these; empty: all. */
	char cluster[RUN_NAME_SIZE];
	char partition[RUN_NAME_SIZE];
	char user[RUN_NAME_SIZE]; /* a name or a uid */
	char application[APPLICATION_NAME_SIZE];
	char model[PREDICTION_MODEL_NAME_SIZE];
	double since_s, until_s; /* of the end; NAN: no bound */
	bool completed;          /* only runs that completed */
	bool advice;             /* judge it, too; it takes longer */
	size_t limit;            /* rows, 1 to STORE_ACCURACY_MAX */
	size_t offset;
};

#define STORE_ACCURACY_MAX 2000

/* The accuracy of a group at a stage. Runs count that completed, failed, were
 * cancelled or timed out.  NAN: there are none.  The largest groups come first;
 * a group's stages follow each other. */
struct store_accuracy {
	char group[APPLICATION_NAME_SIZE]; /* empty: no model, no name */
	enum prediction_stage stage;
	uint64_t runs;
	uint64_t predicted;  /* from history; what follows is about these */
	double error;        /* sum |p - a| / sum a */
	double median_error; /* of |p - a| / a */
	double accuracy;     /* mean of min(p, a) / max(p, a) */
	double under;        /* share of a > p */
	double coverage;     /* share of a <= quantile_s */
	double quantile;     /* predicted, a mean: what coverage should be */
	double mean_s, predicted_mean_s; /* of a, of p */
	/* The users' own limits, of all runs that had one. */
	uint64_t limited;
	double limit_missed; /* share that timed out or ran beyond */
	double limit_error;  /* sum |limit - a| / sum a */
	double limit_factor; /* sum limit / sum a: how much too long */
	/* Runs at submission whose use was judged by what would have been
	 * advised: how often that was enough, and sum advised / sum used. */
	uint64_t advised;
	double time_covered, time_factor;
	double memory_covered, memory_factor;
	double cpus_covered, cpus_factor;
	uint64_t total; /* rows without limit and offset */
};

/* As it is sent, and read from the database. */
extern const struct field store_accuracy_fields[];

/* What runs used of what they requested. */
enum store_use_by {
	USE_BY_APPLICATION,
	USE_BY_DAY, /* of the end, UTC: "2026-01-31" */
	USE_BY_USER,
	USE_BY_ACCOUNT,
	USE_BY_COUNT
};

extern const struct enum_words store_use_by_words; /* "day" */

struct store_use_query {
	enum store_use_by by;
	uint32_t user_id; /* UINT32_MAX: of all users */
	/* Only these; empty: all. */
	char user[RUN_NAME_SIZE]; /* a name or a uid */
	char cluster[RUN_NAME_SIZE];
	char application[APPLICATION_NAME_SIZE];
	double since_s, until_s; /* of the end; NAN: no bound */
	size_t runs;             /* of each group, the newest, 1 or more */
	uint32_t job_id;         /* and those of this job; 0: none */
	size_t limit;            /* groups, 1 to STORE_USE_MAX */
};

#define STORE_USE_MAX 1000

/* The newest of a user, among which those are that advice at submission rests
 * on. */
#define STORE_USED_RUNS 2000

/* A run, with its group.  NAN: not known of any run.  The largest groups come
 * first; a group's runs follow each other, the newest first. */
struct store_use {
	char group[APPLICATION_NAME_SIZE];
	uint64_t groups; /* without limit */
	uint64_t runs;
	double runtime_s; /* a mean */
	/* Used, as a share of what was requested, 0 to 1. */
	double time_used, cpu_used, memory_used;
	double peak_memory_mb; /* on one node, of any run */
	struct used_run run;
	double started_at_s;
};

/* --- Traces ------------------------------------------------------------------
 * The file of each process of an MPI run, in the format of
 * predictor/replay/FORMAT.md, in blocks that are deflated. */

#define STORE_TRACES_MAX      2       /* that are read, the newest */
#define STORE_TRACE_BYTES_MAX 8388608 /* that are read of each, inflated */

/* Called as store_done_fn.  `kept`: else it is older than those that are kept,
 * and is not to be sent again. */
typedef void store_trace_kept_fn(void *context, int rc, bool kept,
				 const struct sp_error *why);

/* Traces of a job, or of the finished jobs of an application. */
struct store_trace_query {
	uint32_t job_id;             /* unless there is an application */
	uint32_t user_id;            /* UINT32_MAX: of any user */
	char cluster[RUN_NAME_SIZE]; /* empty: any */
	char application[APPLICATION_NAME_SIZE]; /* empty: of the job */
	uint32_t ranks;                          /* 0: any number */
};

struct store_trace_part {
	int rank;
	int block;
	int node;           /* index of run.nodes */
	uint32_t raw_bytes; /* at most 64 KiB */
	size_t size;
	const unsigned char *data; /* deflated */
};

/* One MPI run: of all ranks the same number of blocks, as many as there is room
 * for.  run: whose it is and how many ranks it has; job_s is that up to now; of
 * nodes and links what was measured during the run.  NAN: not known. */
struct store_trace {
	int64_t id;
	struct run_trace run;
	size_t parts_count;
	struct store_trace_part *parts; /* by rank, then block */
};

/* The newest first; lent, but for run.nodes and run.measured, which it
 * may take. */
typedef void store_traces_fn(void *context, int rc, struct store_trace *traces,
			     size_t count, const struct sp_error *why);

/* --- The store ------------------------------------------------------------ */

struct store_status {
	bool up;              /* connected, with the right schema */
	bool ready;           /* the history has been read */
	size_t waiting;       /* predictions and measurements not stored yet */
	size_t runs_stored;   /* since the start */
	size_t dropped;       /* predictions and measurements given up */
	struct sp_error last; /* why it is not up */
};

struct store_ops {
	/* Store a report (copied) in one transaction; `done` says when.  -1 at
	 * once if the store is down or its queue is full: `done` is then never
	 * called.  A run or share that is there already changes nothing, so a
	 * report may be sent again and again. */
	int (*put_report)(void *store, const struct store_report *report,
			  store_done_fn *done, void *context,
			  struct sp_error *err);

	/* Kept in memory while the store is down, the oldest dropped (and
	 * counted) when there are too many. */
	void (*put_prediction)(void *store, const struct prediction *p);
	void (*put_measurements)(void *store, const char *cluster,
				 const struct measurement *m, size_t count);
	void (*put_links)(void *store, const char *cluster,
			  const struct link_measurement *m, size_t count);

	/* Store a batch of past runs (copied) in one transaction, as
	 * put_report; -1 at once also if STORE_IMPORTS_MAX wait. */
	int (*put_import)(void *store, const struct store_import *import,
			  store_imported_fn *done, void *context,
			  struct sp_error *err);

	/* Ask (the query is copied).  -1 at once if too many wait or the store
	 * is closed: `done` is then never called. */
	int (*get_prediction)(void *store, const char *id,
			      store_prediction_fn *done, void *context,
			      struct sp_error *err);
	int (*get_runs)(void *store, const struct store_runs_query *query,
			store_rows_fn *done, void *context,
			struct sp_error *err);
	int (*get_accuracy)(void *store,
			    const struct store_accuracy_query *query,
			    store_rows_fn *done, void *context,
			    struct sp_error *err);
	int (*get_use)(void *store, const struct store_use_query *query,
		       store_rows_fn *done, void *context,
		       struct sp_error *err);

	/* Store a block (copied) of a trace in one transaction, as put_report,
	 * but in the thread of the traces; and read the traces of a job. */
	int (*put_trace)(void *store, const struct trace_block *block,
			 store_trace_kept_fn *done, void *context,
			 struct sp_error *err);
	int (*get_traces)(void *store, const struct store_trace_query *query,
			  store_traces_fn *done, void *context,
			  struct sp_error *err);

	void (*status)(void *store, struct store_status *ret);
};
