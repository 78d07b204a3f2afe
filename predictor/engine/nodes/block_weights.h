/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_weights.h - the work of nodes that traces showed, for placement models
 *
 * One entry for each user, application and size that was traced: what one
 * user's runs did decides nothing for another's.  The newer of two with
 * the same place counts.  The engine's lock is held by the caller, but
 * for engine_learn_weights().
 */
#pragma once

#include "predictor/base/hostlist.h"
#include "predictor/features/prediction.h"
#include "predictor/snapshot/placement_weights.h"

#define BLOCK_WEIGHTS_MAX 4096 /* 75 bytes each */

struct block_weights;

struct block_weights *block_weights_create(void);    /* NULL: out of memory */
void block_weights_destroy(struct block_weights *w); /* NULL is allowed */

/* Whose, and of which size. */
struct block_weights_key {
	uint32_t user_id;
	uint32_t tasks, nodes;
	const char *cluster, *application;
};

/* In place of those before; a count of 0: there are none any more. */
void block_weights_put(struct block_weights *w,
		       const struct block_weights_key *key,
		       const struct placement_weights *weights);

struct block_weights_key block_weights_key(const struct prediction *p);

/* Find the weights of such jobs; a count of 0: none. */
void block_weights_find(const struct block_weights *w,
			const struct block_weights_key *key,
			struct placement_weights *ret);

/* Return the work of each node of the list, which is in any order, as a share
 * of the most: `room`, or NULL where there are no weights for that number. */
const double *block_weights_work(const struct block_weights *w,
				 const struct block_weights_key *key,
				 const struct hostlist *list,
				 double room[PLACEMENT_WEIGHTS_MAX]);

struct engine;

/* As block_weights_put(), for models that are made from then on. */
void engine_learn_weights(struct engine *engine,
			  const struct block_weights_key *key,
			  const struct placement_weights *weights);
