/* models.c - the table of run-time models */
#include <stddef.h>

#include "predictor/models/model.h"

extern const struct model model_regression;
extern const struct model model_avg2;
extern const struct model model_limit;

const struct model *const models[] = {
	&model_regression,
	&model_avg2,
	&model_limit,
	NULL,
};

_Static_assert(sizeof(models) / sizeof(models[0]) <= MODELS_MAX + 1,
	       "more models than a prediction has room for");
