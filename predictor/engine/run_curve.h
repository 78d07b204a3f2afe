/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_curve.h - run time of a job over the number of nodes, from its history */
#ifndef PREDICTOR_ENGINE_RUN_CURVE_H
#define PREDICTOR_ENGINE_RUN_CURVE_H

#include "predictor/curve/curve.h"
#include "predictor/engine/engine.h"

struct run_curve {
	char application[APPLICATION_NAME_SIZE];
	int runs;           /* that it was made of */
	int n_min, n_max;   /* nodes of these */
	bool from_messages; /* profiles told how messages grow */
	struct curve curve;
};

/* From completed runs of the job's application, with its parameters and as many
 * tasks on each node, on at least two numbers of nodes; over the job's range of
 * nodes, if it has one.  Fails where there are no such runs. */
int engine_run_curve(struct engine *engine, const struct submission *job,
		     struct run_curve *ret, struct sp_error *err);

#endif
