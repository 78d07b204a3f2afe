/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_state.h - internals shared by the files of snapshot/ */
#pragma once

#include "predictor/snapshot/snapshot.h"

/* Memory for this many rows, all zero, with counts of 0.  NULL: out of memory.
 */
struct snapshot *snapshot_create(uint32_t nodes, uint32_t pairs, uint32_t jobs);

/* Once all rows are in place and in order: find the typical node.  -1: out of
 * memory. */
int snapshot_finish(struct snapshot *s);

/* Once all rows are in place, in any order: sort them, leave out nodes whose
 * names have blanks, make `order` and find the typical node.  10,000 nodes take
 * about 10 ms.  -1: out of memory. */
int snapshot_arrange(struct snapshot *s);

/* The order of pairs, for qsort(). */
int snapshot_pair_order(const void *a, const void *b);

/* Return the position of the job, or where it would be. */
uint32_t snapshot_job_place(const struct snapshot *s, uint64_t id);

/* --- Numbers in the text ----------------------------------------------------
 *
 * Whole numbers, '-' for NAN: short, and the same in every locale.  A column is
 * a float member of struct snapshot_node, snapshot_pair or placement_model, in
 * the order of a line.  A table ends with `units_per_one` 0. */
struct snapshot_column {
	size_t offset;
	double units_per_one; /* units in the text for 1 */
	double max;           /* in units; larger values are cut */
	float threshold;      /* smaller relative changes are not sent */
	bool required;        /* may not be NAN */
};

extern const struct snapshot_column snapshot_node_columns[];
extern const struct snapshot_column snapshot_pair_columns[];
extern const struct snapshot_column snapshot_job_columns[];
