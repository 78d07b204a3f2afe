/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_feed.h - the store's sink: passes records to the engine
 *
 * All runs reach the engine this way: from the history at the start, and after
 * each commit, by this predictd or another.
 */
#pragma once

#include <stdatomic.h>

#include "predictor/engine/engine.h"
#include "predictor/engine/store.h"

struct engine_feed {
	struct engine *engine;
	double began_s;
	atomic_bool answers;   /* the newest runs have been read */
	atomic_bool ready;     /* the history has been read */
	atomic_size_t refused; /* records that the engine refused */
	const struct store_ops *store_ops;
	void *_Atomic store; /* NULL: nothing is stored */
};

void engine_feed_init(struct engine_feed *feed, struct engine *engine);

/* Store predictions that are made while jobs wait and when they start.  Call it
 * once, before or after the store has begun to call the sink. */
void engine_feed_set_store(struct engine_feed *feed,
			   const struct store_ops *ops, void *store);

/* Predict a waiting job again; give the seconds until the next one. */
double engine_feed_refresh(void *feed);

/* For the store; `feed` must outlive it. */
struct store_sink engine_feed_sink(struct engine_feed *feed);
