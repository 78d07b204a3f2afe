/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_delta.h - snapshots for clients that have an older one
 *
 * Keeps the newest snapshot, and for each row the version since which it has
 * not changed.  A change below its column's threshold is not sent, and the row
 * keeps its old value, so that slow changes add up until they are.
 */
#pragma once

#include "predictor/snapshot/snapshot.h"

struct snapshot_deltas;

struct snapshot_deltas *snapshot_deltas_create(void); /* NULL: out of memory */
void snapshot_deltas_destroy(
	struct snapshot_deltas *deltas); /* NULL is allowed */

/* Make `next` the newest, after snapshot_arrange().  It is owned by `deltas`
 * from then on, and freed on failure.  Sets its epoch and version.  -1: out of
 * memory; the newest stays as it was. */
int snapshot_deltas_add(struct snapshot_deltas *deltas, struct snapshot *next);

/* Return NULL if there is none yet.  Valid until the next call of _add(). */
struct snapshot *snapshot_deltas_newest(const struct snapshot_deltas *deltas);

/* Return the newest, in the format that the client reads, as a delta to the
 * snapshot of that epoch and version; all of it, if that is too old, or 0 and
 * 0.  NULL: out of memory, or there is none.  The caller frees. */
char *snapshot_deltas_text(const struct snapshot_deltas *deltas, int format,
			   uint64_t epoch, uint64_t version, size_t *ret_size);
