/* load.h - reading the history back into memory */
#ifndef PREDICTOR_STORE_LOAD_H
#define PREDICTOR_STORE_LOAD_H

#include "predictor/engine/store.h"
#include "predictor/store/connection.h"

/* All of the history, from one snapshot, to the sink: predictions,
 * measurements of the last hour, runs in the order of their ends, running
 * ones.  *ret_change is the number of the last change that it holds.  After a
 * failure the sink has seen a part. */
int load_history(struct connection *connection, const struct store_sink *sink,
		 int64_t *ret_change, struct sp_error *err);

/* Runs changed after *change, in the order of changes, each after its
 * prediction if that is not of `origin`; moves *change along, also when it
 * fails half-way. */
int load_changes(struct connection *connection, const struct store_sink *sink,
		 int64_t origin, int64_t *change, struct sp_error *err);

#endif
