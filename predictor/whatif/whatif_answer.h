/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif_answer.h - the run time of a traced run on other nodes */
#pragma once

#include "predictor/features/describe.h"
#include "predictor/whatif/whatif_conditions.h"

/* One of place, swap, best, or only nodes. */
struct whatif_question {
	const char *place; /* "n1:2,n2:2", or NULL */
	const char *nodes; /* a list of nodes, or NULL: those of the run */
	bool swap, best;
	int best_nodes; /* number of nodes to use; 0: any */
	bool even;      /* the best with as many ranks on each of `nodes` */
	whatif_conditions_fn *conditions; /* of now; NULL: as recorded */
	void *context;
	double deadline_s; /* of a search, from its begin */
};

struct whatif_answer {
	struct traced_place place;
	int ranks;
	int *node; /* [ranks] */
	bool is_farm;
	double factor;  /* measured / replayed, as recorded (run_replay.h) */
	bool denser;    /* more ranks on a node than there was on any */
	int traces;     /* that it rests on: 1 or 2 */
	double here_s;  /* as placed when recorded, on the same conditions */
	double there_s; /* as placed now */
	double low_s;   /* within these, nine times of ten */
	double high_s;
	int swap[2];        /* ranks; -1: none is better */
	bool cut;           /* the search had not ended at its deadline */
	const char **names; /* [ranks]: nodes */
};

/* What is sent of a run, and of the answer, but for begun_at, gain, and where
 * ranks are. */
extern const struct field whatif_run_fields[], whatif_answer_fields[];

/* If the ranks are placed and run->before did the same, in as much time: the
 * times there are the means of the logarithms of what both say, and here_s
 * changes as there_s does.
 *
 * whatif_answer_clear() it.  Fails if a replay that the answer needs is beyond
 * run->limit. */
int whatif_answer_find(const struct run_trace *run,
		       const struct whatif_question *question,
		       struct whatif_answer *ret, struct sp_error *err);
void whatif_answer_clear(struct whatif_answer *answer);
