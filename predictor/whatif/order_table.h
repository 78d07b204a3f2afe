/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order_table.h - orders of ranks that were computed, for the next such job
 *
 * A search takes seconds, the start of a job does not wait: what was found is
 * kept and given to those who ask again, and to later jobs of the same user,
 * application, number of ranks and nodes.  An order is used as long as it is
 * not old and its nodes differ from each other as they did then.  Bounded in
 * entries, in ranks, and in searches at a time.  Thread-safe; shared by the
 * server and searches that outlive it.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/application.h"
#include "predictor/features/run.h"
#include "predictor/whatif/rank_order.h"

#define ORDERS_MAX       256
#define ORDERS_AT_ONCE   2    /* searches */
#define ORDER_RANKS_MAX  1024 /* of a job */
#define ORDER_NODES_MAX  256
#define ORDER_AGE_MAX_S  600.0
#define ORDER_RETRY_S    20.0 /* after a search that failed */
#define ORDER_SHARES_TOL 0.25 /* of a node's share, against the others */

struct order_key {
	uint32_t user_id;
	int ranks;
	char cluster[RUN_NAME_SIZE], application[APPLICATION_NAME_SIZE];
	char nodes[RUN_NODES_SIZE]; /* as Slurm has them */
};

enum order_state {
	ORDER_BEGIN,     /* not known: the caller is to search, and to say what
			    it found, by order_table_done() */
	ORDER_COMPUTING, /* somebody searches, or all places are taken, or a
			    search has just failed */
	ORDER_NONE,      /* none that pays */
	ORDER_READY
};

struct order_table;

struct order_table *order_table_create(void); /* NULL: out of memory */
struct order_table *order_table_share(struct order_table *table);
/* Freed with its last user; NULL is allowed. */
void order_table_release(struct order_table *table);

/* From now on nobody is to search. */
void order_table_close(struct order_table *table);
bool order_table_closed(struct order_table *table);
/* Call `act` unless it is closed, and before it is.  -1: it is. */
int order_table_if_open(struct order_table *table, void (*act)(void *context),
			void *context);

/* `job` is what the caller calls its job: its own load does not make what was
 * found for it old.  shares[nodes]: what a process gets of the CPUs now, at
 * most ORDER_NODES_MAX of them; NAN: not known.  If it is ready, *ret is a copy
 * for rank_order_clear(). */
enum order_state order_table_ask(struct order_table *table,
				 const struct order_key *key, const char *job,
				 const double shares[], size_t nodes,
				 double now_s, struct rank_order *ret);

/* A search has ended.  NULL: it failed, and may be tried again in a while; else
 * the order is taken over, whether it pays or not. */
void order_table_done(struct order_table *table, const struct order_key *key,
		      struct rank_order *order);
