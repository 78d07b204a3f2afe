/* snapshot_state.h - what those who make snapshots share; nobody else's */
#ifndef PREDICTOR_SNAPSHOT_SNAPSHOT_STATE_H
#define PREDICTOR_SNAPSHOT_SNAPSHOT_STATE_H

#include "predictor/snapshot/snapshot.h"

/* Room for so many, all zero, and counts of 0.  NULL: out of memory. */
struct snapshot *snapshot_create(uint32_t nodes, uint32_t pairs, uint32_t jobs);

/* Once all is in place and in order: find what is typical.  -1: out of memory.
 */
int snapshot_finish(struct snapshot *s);

/* The number that a prediction's id is; -1: it is none. */
int snapshot_job_id(const char *text, uint64_t *ret);

/* Where the job is, or would be. */
uint32_t snapshot_job_place(const struct snapshot *s, uint64_t id);

/* --- Numbers in the text ----------------------------------------------------
 *
 * Whole numbers, '-' for NAN: short, and the same in every locale.  A column is
 * a float member of struct snapshot_node, snapshot_pair or placement_model, in
 * the order in which they stand in a line.  Tables end where `per_one` is 0. */
struct snapshot_column {
	size_t offset;
	double per_one; /* so many units are 1 */
	double max;     /* in units; more is cut */
	float news;     /* a change by less than this share is none */
	bool known;     /* may not be NAN */
};

extern const struct snapshot_column snapshot_node_columns[];
extern const struct snapshot_column snapshot_pair_columns[];
extern const struct snapshot_column snapshot_job_columns[];

#endif
