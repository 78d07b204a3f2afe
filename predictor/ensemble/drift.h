/* SPDX-License-Identifier: GPL-2.0-or-later */
/* drift.h - how much longer runs take now than is predicted
 *
 * Competitors that no sensor of an idle node can see (other virtual machines on
 * its host, which take CPU time only when the node wants some) show in run
 * times alone: run after run takes longer than predicted, those on many nodes
 * of one host most of all.  The models learn that from many runs; this learns
 * it from the last few, and forgets it as soon.
 *
 * It is an error's mean over the application's last runs, those on the same
 * number of nodes and the newest first, and drawn to 0 as far as errors of that
 * size are usual here.  Only for jobs whose nodes are measured: elsewhere
 * competitors are no better known than all else.
 */
#pragma once

#include "predictor/models/query.h"

struct drift;

struct drift *drift_create(void);    /* NULL: out of memory */
void drift_destroy(struct drift *d); /* NULL is allowed */

/* ln(run time / median) that is to be expected now; 0: nothing is known. */
double drift_find(const struct drift *d, const struct query *query);

/* A run of that query that has ended, and the median without drift. */
void drift_note(struct drift *d, const struct query *query, double median_s,
		double runtime_s, double ended_at_s);
