/* show.h - a prediction in words */
#ifndef PREDICTOR_CLI_SHOW_H
#define PREDICTOR_CLI_SHOW_H

#include "predictor/cli/table.h"
#include "predictor/features/prediction.h"

#define SHOW_TEXT_SIZE 256

/* Two columns, a name and what is to say about it; NULL: out of memory. */
struct table *show_facts(void);

/* Rows for what is expected. */
void show_answer(struct table *facts, const struct prediction *p);

/* Rows for why: model, runs, nodes, conditions, other models. */
void show_reasons(struct table *facts, const struct prediction *p);

/* A span as Slurm writes it; below ten seconds, where these are too coarse,
 * also as people do: "00:00:03 (3.4s)". */
const char *show_span(double seconds, char ret_text[SHOW_TEXT_SIZE]);

/* A moment as Slurm writes it, in local time; "-" if it is NAN. */
const char *show_time(double time_s, char ret_text[SHOW_TEXT_SIZE]);

#endif
