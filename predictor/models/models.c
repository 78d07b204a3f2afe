/* SPDX-License-Identifier: GPL-2.0-or-later */
/* models.c - the table of run-time models */

#include "predictor/models/lee_schopf/lee_schopf.h"
#include "predictor/models/model.h"

extern const struct model model_regression;
extern const struct model model_mixture;
extern const struct model model_sharing;
extern const struct model model_farm;
extern const struct model model_templates;
extern const struct model model_last;
extern const struct model model_avg2;
extern const struct model model_limit;

const struct model *const models[] = {
	&model_mixture,
	&model_regression,
	&lee_schopf_rows[0],
	&lee_schopf_rows[1],
	&lee_schopf_rows[2],
	&lee_schopf_rows[3],
	&lee_schopf_rows[4],
	&lee_schopf_rows[5],
	&lee_schopf_rows[6],
	&lee_schopf_rows[7],
	&lee_schopf_rows[8],
	&lee_schopf_rows[9],
	/* Those below take next to no time. */
	&model_sharing,
	&model_farm,
	&model_templates,
	&model_last,
	&model_avg2,
	&model_limit,
	NULL,
};

_Static_assert(LEE_SCHOPF_ROWS == 10, "each row is listed");
_Static_assert(sizeof(models) / sizeof(models[0]) <= MODELS_MAX + 1,
	       "too many models for a prediction");
