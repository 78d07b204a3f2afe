/* query.h - a job whose run time is asked for, as models see it */
#ifndef PREDICTOR_MODELS_QUERY_H
#define PREDICTOR_MODELS_QUERY_H

#include <stdint.h>

#include "predictor/features/measurement.h"
#include "predictor/features/parameters.h"

struct query {
	/* Positions in the history, INDEX_NONE: it has no run of these. */
	uint32_t application;
	uint32_t user;
	uint32_t names; /* of the parameters */
	const struct parameters *parameters;
	uint32_t nodes, tasks, cpus;
	double limit_s;               /* NAN: none given, HUGE_VAL: unlimited */
	struct conditions conditions; /* assumed */
};

#endif
