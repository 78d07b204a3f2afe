/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.h - a prediction in words */
#pragma once

#include "predictor/cli/table.h"
#include "predictor/features/prediction.h"

/* Return a table of two columns, name and value; long values are folded.
 * NULL: out of memory. */
struct table *show_facts(void);

/* Return the quantile at one of prediction_knots[]; NAN: not known. */
double knot_s(const struct prediction *p, double probability);

/* Add rows for the expected run time, what it rests on, and the nodes: `nodes`,
 * where the job runs, or NULL: those that are assumed. */
void show_answer(struct table *facts, const struct prediction *p,
		 const char *nodes);

/* Add rows for the details: application, size, conditions, model; `verbose`
 * also for the main runs and the other models. */
void show_reasons(struct table *facts, const struct prediction *p,
		  bool verbose);

/* Return whether all users see the figures of a model, as what those of the
 * predictions ("chosen") are compared with; others are for developers. */
bool show_has_model(const char *name);
