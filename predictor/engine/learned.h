/* SPDX-License-Identifier: GPL-2.0-or-later */
/* learned.h - what was learned from runs that have ended
 *
 * In one struct, so that it can be built anew while the old one serves
 * (loading.h).  Has no lock of its own.
 */
#pragma once

#include "predictor/base/index.h"
#include "predictor/engine/accuracy.h"
#include "predictor/ensemble/track_record.h"
#include "predictor/ensemble/ensemble.h"
#include "predictor/features/prediction.h"
#include "predictor/features/run.h"
#include "predictor/scheduler/partition_sums.h"

struct learned {
	struct ensemble *ensemble;
	struct accuracy *accuracy;
	struct track_record *track_record;
	struct partition_list *partitions; /* figures of those judged */
	struct index ended; /* fingerprints of runs that were learned from */
};

int learned_create(struct learned *l); /* -1: out of memory */
void learned_destroy(struct learned *l);

/* Return whether this run was learned from. */
bool learned_knows(const struct learned *l, const struct run *run);

/* Note that it was.  Never fails after index_reserve(&l->ended). */
void learned_note(struct learned *l, const struct run *run);

/* Score the prediction of a run that has ended.  A run that is not
 * representative changes nothing. */
void learned_score(struct learned *l, const struct run *run,
		   const struct prediction *p);
