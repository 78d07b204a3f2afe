/* store.h - what the engine's daemon asks of a history store
 *
 * A store keeps runs, shares, predictions and measurements for ever, in
 * transactions.  It has a thread of its own; no function here waits for it.
 * What has been stored (by us, or by another predictd on the same store) comes
 * back through the sink, from the store's thread: this is the one way by which
 * runs get into memory.
 */
#ifndef PREDICTOR_ENGINE_STORE_H
#define PREDICTOR_ENGINE_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "predictor/base/error.h"
#include "predictor/features/measurement.h"
#include "predictor/features/prediction.h"
#include "predictor/features/run.h"

/* What a store tells.  Called in its thread, first for all that was stored
 * before (predictions, measurements of the last hour per node, runs in the
 * order of their ends), then ready() once, then for what is new. */
struct store_sink {
	void *context;
	void (*prediction)(void *context, const struct prediction *p);
	void (*measurement)(void *context, const char *cluster,
			    const struct measurement *m);
	/* A run that has been committed; again when it ended.  A prediction
	 * that another predictd made for it comes just before it. */
	void (*run)(void *context, const struct run *run);
	void (*ready)(void *context);
};

/* What became of a report. */
enum store_rc {
	STORE_STORED = 0,   /* committed */
	STORE_AGAIN = -1,   /* not stored, or not known to be: send it again */
	STORE_REFUSED = -2, /* its data can never be stored: do not */
};

/* Called once in the store's thread, after the commit and after the sink has
 * seen the runs, or when it failed and why.  Must not wait. */
typedef void store_done_fn(void *context, int rc, const struct sp_error *why);

struct store_report {
	size_t runs_count, shares_count;
	const struct run *runs; /* application and conditions filled in */
	const struct run_share *shares;
};

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

	void (*status)(void *store, struct store_status *ret);
};

#endif
