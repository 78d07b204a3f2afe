/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.h - a prediction in words */
#ifndef PREDICTOR_CLI_SHOW_H
#define PREDICTOR_CLI_SHOW_H

#include "predictor/cli/table.h"
#include "predictor/features/prediction.h"

#define SHOW_TEXT_SIZE 256

/* A table of two columns, name and value; NULL: out of memory. */
struct table *show_facts(void);

/* Add rows for the expected run time. */
void show_answer(struct table *facts, const struct prediction *p);

/* Add rows for the reasons: model, runs, nodes, conditions, other models. */
void show_reasons(struct table *facts, const struct prediction *p);

/* A run time as Slurm prints it; below ten seconds also with a fraction:
 * "00:00:03 (3.4s)". */
const char *show_span(double seconds, char ret_text[SHOW_TEXT_SIZE]);

/* A time of day as Slurm prints it, in local time; "-" if it is NAN. */
const char *show_time(double time_s, char ret_text[SHOW_TEXT_SIZE]);

#endif
