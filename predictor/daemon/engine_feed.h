/* engine_feed.h - what the store tells, put into the engine
 *
 * The one way by which runs get into memory: from the history at the start,
 * and whenever one was committed, by us or by another predictd.
 */
#ifndef PREDICTOR_DAEMON_ENGINE_FEED_H
#define PREDICTOR_DAEMON_ENGINE_FEED_H

#include <stdatomic.h>

#include "predictor/engine/engine.h"
#include "predictor/engine/store.h"

struct memory {
	struct engine *engine;
	double began_s;
	atomic_bool ready;     /* the history has been read */
	atomic_size_t refused; /* records that the engine did not take */
	const struct store_ops *store_ops;
	void *_Atomic store; /* NULL: nothing is stored */
};

void memory_init(struct memory *memory, struct engine *engine);

/* Store there what is predicted when jobs start.  Once, before or after the
 * store has begun to tell. */
void memory_set_store(struct memory *memory, const struct store_ops *ops,
		      void *store);

/* For the store; `memory` must outlive that. */
struct store_sink memory_sink(struct memory *memory);

#endif
