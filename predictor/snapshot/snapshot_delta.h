/* snapshot_delta.h - snapshots for those who know an older one
 *
 * Keeps the newest snapshot, and since which version each row of it is as it
 * is.  A forecast that has moved by less than matters is no news, and stays as
 * it was told, so that what adds up is told in the end.
 */
#ifndef PREDICTOR_SNAPSHOT_SNAPSHOT_DELTA_H
#define PREDICTOR_SNAPSHOT_SNAPSHOT_DELTA_H

#include "predictor/snapshot/snapshot.h"

struct snapshot_told;

struct snapshot_told *snapshot_told_create(void); /* NULL: out of memory */
void snapshot_told_destroy(struct snapshot_told *told); /* NULL is allowed */

/* How things are now: a new snapshot of snapshot_create(), which is taken over,
 * with rows in any order; what cannot be told (names with blanks) is left out.
 * Epoch and version are given to it.  -1: out of memory; all stays as it was.
 */
int snapshot_told_next(struct snapshot_told *told, struct snapshot *next);

/* The newest one; NULL: there is none yet.  Lent until the next. */
struct snapshot *snapshot_told_newest(const struct snapshot_told *told);

/* The text by which the newest follows on the one of that epoch and version;
 * all of it, if that is too old, or 0 and 0.  NULL: out of memory, or there is
 * none.  The caller frees. */
char *snapshot_told_text(const struct snapshot_told *told, uint64_t epoch,
			 uint64_t version, size_t *ret_size);

#endif
