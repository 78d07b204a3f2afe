/* SPDX-License-Identifier: GPL-2.0-or-later */
/* allocations.h - CPUs and memory that jobs have on each node
 *
 * From the runs that collectors report, and, for some seconds, from the
 * predictions of jobs that may have started without a report yet.  Each node
 * of a job counts with an equal part.  Has no lock of its own.
 */
#pragma once

#include "predictor/base/hostlist.h"
#include "predictor/features/prediction.h"
#include "predictor/features/run.h"

/* Jobs beyond these do not count. */
#define ALLOCATIONS_MAX 65536

#define ALLOCATIONS_NONE UINT32_MAX

struct allocations;

struct allocations *allocations_create(void);    /* NULL: out of memory */
void allocations_destroy(struct allocations *a); /* NULL is allowed */

/* A run has started on `nodes`, or ended, at now_s by the clock of predictions.
 * A run whose end is never reported counts until its time limit.  Out of
 * memory: it does not count. */
void allocations_note(struct allocations *a, const struct run *run,
		      const struct hostlist *nodes, double now_s);

/* The job of a prediction, just made, is likely to start on these nodes at
 * once. Counts until its run is noted, for ALLOCATIONS_EXPECTED_S. */
void allocations_expect(struct allocations *a, const struct prediction *p,
			const struct hostlist *nodes);

#define ALLOCATIONS_EXPECTED_S 5.0

/* Forget the job of a prediction that has started: its run is noted later. */
void allocations_forget(struct allocations *a, const char *prediction_id);

/* Return the position of a node, which stays; ALLOCATIONS_NONE: no job has
 * been there. New ones appear at the end. */
uint32_t allocations_find(const struct allocations *a, const char *cluster,
			  const char *node);
uint32_t allocations_nodes(const struct allocations *a);

/* Grows whenever the use of a node changes. */
uint64_t allocations_version(const struct allocations *a);

struct allocations_use {
	uint32_t cpus;
	double memory_mb;
};

/* Drop what is not true any more at now_s; before the next. */
void allocations_expire(struct allocations *a, double now_s);

struct allocations_use allocations_at(const struct allocations *a,
				      uint32_t position);
