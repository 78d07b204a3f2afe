/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_start.h - what the mixture learned elsewhere, to begin with
 *
 * Tables that start from values set by hand need some thousand jobs until they
 * are as good as they get.  What likeness, age, rank and the end of a run are
 * worth is much the same on all clusters: so a new cluster may begin with what
 * others have learned.  What is of single users and queues is left out.
 *
 * As text, one line for each entry that is not as set by hand, in any order:
 *
 *	slurm-predict start tables 1
 *	# comment
 *	FAMILY POSITION THETA SQUARES
 *
 * FAMILY is one of mixture_start_families[], POSITION counts from 0 in it,
 * THETA is the entry, SQUARES the sum of its squared slopes (mixture_tables.h),
 * which says how much it was learned.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/models/mixture/mixture_tables.h"

#define MIXTURE_START_BYTES_MAX (256 << 10)

/* A text without entries: all are as set by hand. */
#define MIXTURE_START_BY_HAND "slurm-predict start tables 1\n"

struct mixture_start_family {
	const char *name;
	int first; /* position in struct mixture_tables */
	int count;
};

extern const struct mixture_start_family mixture_start_families[];

/* Entries by their position in struct mixture_tables; those of families that
 * are not listed above stay 0. */
struct mixture_start {
	float theta[MIXTURE_ENTRIES], squares[MIXTURE_ENTRIES];
};

/* From a text of that size, at most MIXTURE_START_BYTES_MAX; entries without a
 * line are as set by hand.  Fails with the line's number; *ret is of no use
 * then. */
int mixture_start_parse(const char *text, size_t size,
			struct mixture_start *ret, struct sp_error *err);

/* Begin with the tables that come with the program (start.tables). */
int mixture_start_shipped(struct mixture_start *ret, struct sp_error *err);

/* As text; the caller frees.  NULL: out of memory. */
char *mixture_start_print(const struct mixture_start *start, size_t *ret_size);

/* Find what these tables have learned. */
void mixture_start_of(const struct mixture_tables *tables,
		      struct mixture_start *ret);

/* One start from what `count` clusters have learned: each counts for an entry
 * by the root of its squares, so as it has learned about it. */
void mixture_start_merge(const struct mixture_start *const starts[], int count,
			 struct mixture_start *ret);

/* New tables begin so. */
void mixture_start_apply(const struct mixture_start *start,
			 struct mixture_tables *tables);
