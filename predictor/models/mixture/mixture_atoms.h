/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_atoms.h - possible run times of a job, and the features of each
 *
 * Atoms of a distribution: the run times of candidates (finished runs that
 * share traits with the job), corrected to current conditions where these are
 * known to matter; the same share of the limit as they took of theirs; and the
 * limit itself.  An atom's features are one entry in each of several families
 * of tables, whose sum is its score.
 */
#pragma once

#include "predictor/models/correction.h"
#include "predictor/models/mixture/mixture_point.h"
#include "predictor/models/mixture/mixture_runs.h"
#include "predictor/stats/distribution.h"

#define MIXTURE_ATOMS_MAX      DISTRIBUTION_ATOMS_MAX
#define MIXTURE_LIMITS         3 /* atoms of the limit itself */
#define MIXTURE_CANDIDATES_MAX ((MIXTURE_ATOMS_MAX - MIXTURE_LIMITS) / 2)

enum mixture_family {
	FAMILY_MATCH,       /* traits in common, by kind of atom */
	FAMILY_RANK,        /* newer candidates with the same in common */
	FAMILY_AGE,         /* time since it ended */
	FAMILY_LIMIT,       /* its limit against the job's */
	FAMILY_END,         /* how it ended */
	FAMILY_SUBMITTED,   /* time between the submissions */
	FAMILY_SIZE,        /* its size against the job's */
	FAMILY_VALUE,       /* the atom against the limit */
	FAMILY_USER_RANK,   /* rank, for each user */
	FAMILY_QUEUE_VALUE, /* the atom's value, for each partition */
	FAMILY_USER_MATCH,  /* traits in common, for each user */
	FAMILY_USER_VALUE,  /* the atom against the limit, for each user */
	FAMILY_GAP,         /* similar time since the submission before, */
	FAMILY_IN_FLIGHT,   /* similar number of jobs in flight, */
	FAMILY_LAST,        /* similar run time of the last run */
	FAMILY_SURPRISE,    /* error of the prediction for it */
	MIXTURE_FAMILIES
};

/* Widths of the families; hashed entries may collide. */
#define MIXTURE_KINDS      4  /* of likeness, for FAMILY_RANK and others */
#define MIXTURE_RANKS      12 /* buckets */
#define MIXTURE_AGES       24
#define MIXTURE_RATIOS     33
#define MIXTURE_SUBMITTED  40
#define MIXTURE_VALUES     41
#define MIXTURE_LIKENESSES 17
#define MIXTURE_HASH_BITS  13
#define MIXTURE_HASHED     (1 << MIXTURE_HASH_BITS)
#define MIXTURE_CROWDS     4 /* of candidates: 0, 1-7, 8-32, more */
#define MIXTURE_MATCHES \
	(2 * (int)MIXTURE_PATTERNS + MIXTURE_CROWDS * MIXTURE_LIMITS)

/* Where each family's entries begin; 0 is none. */
enum mixture_entry {
	ENTRY_MATCH = 1,
	ENTRY_RANK = ENTRY_MATCH + MIXTURE_MATCHES,
	ENTRY_AGE = ENTRY_RANK + MIXTURE_KINDS * MIXTURE_RANKS,
	ENTRY_LIMIT = ENTRY_AGE + 2 * MIXTURE_AGES,
	ENTRY_END = ENTRY_LIMIT + MIXTURE_RATIOS,
	ENTRY_SUBMITTED = ENTRY_END + 2 * OUTCOME_ENDS,
	ENTRY_SIZE = ENTRY_SUBMITTED + 2 * MIXTURE_SUBMITTED,
	ENTRY_VALUE = ENTRY_SIZE + MIXTURE_RATIOS,
	ENTRY_USER_RANK = ENTRY_VALUE + MIXTURE_VALUES,
	ENTRY_QUEUE_VALUE = ENTRY_USER_RANK + MIXTURE_HASHED,
	ENTRY_USER_MATCH = ENTRY_QUEUE_VALUE + MIXTURE_HASHED,
	ENTRY_USER_VALUE = ENTRY_USER_MATCH + MIXTURE_HASHED,
	ENTRY_GAP = ENTRY_USER_VALUE + MIXTURE_HASHED,
	ENTRY_IN_FLIGHT = ENTRY_GAP + MIXTURE_LIKENESSES,
	ENTRY_LAST = ENTRY_IN_FLIGHT + MIXTURE_LIKENESSES,
	ENTRY_SURPRISE = ENTRY_LAST + MIXTURE_LIKENESSES,
	MIXTURE_ENTRIES = ENTRY_SURPRISE + MIXTURE_KINDS * MIXTURE_SURPRISES
};

struct mixture_atoms {
	int count;
	int candidates;
	float x[MIXTURE_ATOMS_MAX]; /* ln of seconds */
	uint16_t entries[MIXTURE_FAMILIES][MIXTURE_ATOMS_MAX];
	uint8_t candidate[MIXTURE_ATOMS_MAX]; /* or MIXTURE_CANDIDATES_MAX */
	uint32_t slots[MIXTURE_CANDIDATES_MAX];
};

/* Find the candidates of a job and make atoms of them, at least one; none is
 * longer than the limit if `enforced`.  `correction` (may be NULL) corrects
 * candidates to the job's parameters and conditions. */
void mixture_atoms_find(struct mixture_runs *runs,
			const struct mixture_point *point, bool enforced,
			const struct correction *correction,
			struct mixture_atoms *ret);
