/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order_table.c - orders of ranks that were computed, for the next such job
 *
 * A search looks at the nodes as they are when it begins, so an entry keeps
 * their shares of then.  Only how nodes differ matters: if all of them are half
 * as fast, the order is the same.  table->lock guards all.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/ordered_lock.h"
#include "predictor/whatif/order_table.h"

struct order_entry {
	struct order_key key;
	char job[PREDICTION_ID_SIZE]; /* that it was made for */
	enum order_state state;       /* ORDER_BEGIN: it failed */
	double asked_at_s, made_at_s;
	size_t nodes;
	double *shares;
	struct rank_order order;
};

struct order_table {
	struct ordered_lock lock;
	int users;
	bool closed;
	int searches;
	struct order_entry *entries[ORDERS_MAX]; /* NULL: none yet */
};

struct order_table *order_table_create(void)
{
	struct order_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	ordered_lock_init(&table->lock, LOCK_ORDERS);
	table->users = 1;
	return table;
}

struct order_table *order_table_share(struct order_table *table)
{
	ORDERED_LOCK_HOLD(&table->lock);

	table->users++;
	return table;
}

static void entry_free(struct order_entry *entry)
{
	if (!entry)
		return;
	rank_order_clear(&entry->order);
	free(entry->shares);
	free(entry);
}

void order_table_release(struct order_table *table)
{
	if (!table)
		return;
	ordered_lock_take(&table->lock);

	bool last = --table->users == 0;

	ordered_lock_give(&table->lock);
	if (!last)
		return;
	for (int i = 0; i < ORDERS_MAX; i++)
		entry_free(table->entries[i]);
	ordered_lock_destroy(&table->lock);
	free(table);
}

void order_table_close(struct order_table *table)
{
	ORDERED_LOCK_HOLD(&table->lock);

	table->closed = true;
}

bool order_table_closed(struct order_table *table)
{
	ORDERED_LOCK_HOLD(&table->lock);

	return table->closed;
}

int order_table_if_open(struct order_table *table, void (*act)(void *context),
			void *context)
{
	ORDERED_LOCK_HOLD(&table->lock);

	bool closed = table->closed;

	if (!closed)
		act(context);
	return closed ? -1 : 0;
}

/* --- Entries; the caller holds table->lock -------------------------------- */

static bool key_equals(const struct order_key *a, const struct order_key *b)
{
	return a->user_id == b->user_id && a->ranks == b->ranks &&
	       !strcmp(a->cluster, b->cluster) &&
	       !strcmp(a->application, b->application) &&
	       !strcmp(a->nodes, b->nodes);
}

static int entry_find(const struct order_table *table,
		      const struct order_key *key)
{
	for (int i = 0; i < ORDERS_MAX; i++)
		if (table->entries[i] &&
		    key_equals(&table->entries[i]->key, key))
			return i;
	return -1;
}

/* A free place, else that of the entry which nobody wanted for longest. */
static int place_find(const struct order_table *table)
{
	int oldest = -1;

	for (int i = 0; i < ORDERS_MAX; i++) {
		const struct order_entry *entry = table->entries[i];

		if (!entry)
			return i;
		if (entry->state != ORDER_COMPUTING &&
		    (oldest < 0 ||
		     entry->asked_at_s < table->entries[oldest]->asked_at_s))
			oldest = i;
	}
	return oldest;
}

static double shares_mean(const double shares[], size_t count)
{
	double sum = 0;

	for (size_t n = 0; n < count; n++)
		sum += shares[n];
	return sum / (double)count;
}

/* Return whether nodes differ as they did; never if one is not known. */
static bool shares_fit(const struct order_entry *entry, const double shares[],
		       size_t nodes)
{
	double then = shares_mean(entry->shares, entry->nodes);
	double now = shares_mean(shares, nodes);

	if (entry->nodes != nodes || !(then > 0) || !(now > 0))
		return false;
	for (size_t n = 0; n < nodes; n++)
		if (!(fabs(shares[n] / now - entry->shares[n] / then) <=
		      ORDER_SHARES_TOL))
			return false;
	return true;
}

static bool is_fresh(const struct order_entry *entry, const char *job,
		     const double shares[], size_t nodes, double now_s)
{
	double age_s = now_s - entry->made_at_s;

	return (entry->state == ORDER_READY || entry->state == ORDER_NONE) &&
	       age_s >= 0 && age_s <= ORDER_AGE_MAX_S &&
	       (!strcmp(entry->job, job) || shares_fit(entry, shares, nodes));
}

/* Return whether the search of the entry has failed just now. */
static bool has_failed(const struct order_entry *entry, double now_s)
{
	double age_s = now_s - entry->made_at_s;

	return entry->state == ORDER_BEGIN && age_s >= 0 &&
	       age_s < ORDER_RETRY_S;
}

static int order_copy(const struct rank_order *order, struct rank_order *ret)
{
	size_t size = (size_t)order->ranks * sizeof(*order->names);

	*ret = *order;
	ret->names = malloc(size ? size : 1);
	if (!ret->names)
		return -1;
	memcpy(ret->names, order->names, size);
	return 0;
}

/* In place of what the entry at `i` was. */
static enum order_state search_begin(struct order_table *table, int i,
				     const struct order_key *key,
				     const char *job, const double shares[],
				     size_t nodes, double now_s)
{
	struct order_entry *entry;

	if (table->closed || i < 0 || table->searches >= ORDERS_AT_ONCE)
		return ORDER_COMPUTING;
	entry = calloc(1, sizeof(*entry));
	if (entry)
		entry->shares = malloc(nodes * sizeof(*shares));
	if (!entry || !entry->shares) {
		free(entry);
		return ORDER_COMPUTING;
	}
	memcpy(entry->shares, shares, nodes * sizeof(*shares));
	entry->nodes = nodes;
	entry->key = *key;
	snprintf(entry->job, sizeof(entry->job), "%s", job);
	entry->state = ORDER_COMPUTING;
	entry->asked_at_s = entry->made_at_s = now_s;
	entry_free(table->entries[i]);
	table->entries[i] = entry;
	table->searches++;
	return ORDER_BEGIN;
}

/* --- Questions and answers ------------------------------------------------ */

static enum order_state ask_locked(struct order_table *table,
				   const struct order_key *key, const char *job,
				   const double shares[], size_t nodes,
				   double now_s, struct rank_order *ret)
{
	int i = entry_find(table, key);
	struct order_entry *entry = i < 0 ? NULL : table->entries[i];

	if (!entry)
		return search_begin(table, place_find(table), key, job, shares,
				    nodes, now_s);
	if (entry->state == ORDER_COMPUTING || has_failed(entry, now_s))
		return ORDER_COMPUTING;
	if (!is_fresh(entry, job, shares, nodes, now_s))
		return search_begin(table, i, key, job, shares, nodes, now_s);
	entry->asked_at_s = now_s;
	if (entry->state == ORDER_READY && order_copy(&entry->order, ret))
		return ORDER_COMPUTING;
	return entry->state;
}

enum order_state order_table_ask(struct order_table *table,
				 const struct order_key *key, const char *job,
				 const double shares[], size_t nodes,
				 double now_s, struct rank_order *ret)
{
	if (nodes < 1 || nodes > ORDER_NODES_MAX || key->ranks < 1 ||
	    key->ranks > ORDER_RANKS_MAX)
		return ORDER_NONE;
	ORDERED_LOCK_HOLD(&table->lock);

	return ask_locked(table, key, job, shares, nodes, now_s, ret);
}

void order_table_done(struct order_table *table, const struct order_key *key,
		      struct rank_order *order)
{
	ordered_lock_take(&table->lock);

	int i = entry_find(table, key);
	struct order_entry *entry = i < 0 ? NULL : table->entries[i];

	if (entry && entry->state == ORDER_COMPUTING) {
		table->searches--;
		if (order) {
			entry->order = *order;
			entry->state = rank_order_pays(order) ? ORDER_READY
							      : ORDER_NONE;
			*order = (struct rank_order){ 0 };
		} else {
			entry->state = ORDER_BEGIN;
		}
	}
	ordered_lock_give(&table->lock);
	if (order)
		rank_order_clear(order);
}
