/* SPDX-License-Identifier: GPL-2.0-or-later */
/* correction.h - what a past run would have taken under the query's conditions
 *
 * Corrects the run times of past runs, for models that predict with these.  A
 * regression of logarithms over the newest runs of the query's application
 * gives the change of run time with parameters, processors and conditions, the
 * query's effects that with traits, and
 * so the expected ratio of the query's run time to that of each of these runs.
 * Ratios shrink towards 1 as its leave-one-out error grows.
 */
#pragma once

#include "predictor/models/history.h"
#include "predictor/models/query.h"

struct correction;

struct correction *correction_create(void); /* NULL: out of memory */
void correction_destroy(struct correction *correction); /* NULL is allowed */

/* Prepare for a query.  False: all ratios are 1.  Takes no time if there are
 * neither parameters nor conditions, else about that of a prediction.
 * Allocates nothing. */
bool correction_begin(struct correction *correction,
		      const struct history *history, const struct query *query);

/* Expected ln(run time of the query / run time of that run); 0 for a run that
 * is not of the query's application, or not among its newest. */
double correction_ln(const struct correction *correction, uint32_t job_id);
