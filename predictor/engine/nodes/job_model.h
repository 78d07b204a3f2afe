/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_model.h - what decides where the job of a prediction runs fastest */
#pragma once

#include "predictor/conditions/nodes.h"
#include "predictor/engine/nodes/block_weights.h"
#include "predictor/ensemble/profiles.h"
#include "predictor/features/prediction.h"
#include "predictor/snapshot/placement_model.h"

/* Find the placement model of a job whose run time is median_s in the
 * conditions that the prediction assumes (NAN: not known).  From the profile of
 * its application, if there is one, and what `nodes` do with processes that
 * wake up, else from the run time alone; with the weights of the job's size, if
 * there are any.  Takes some microseconds where there is a profile. */
void job_model(const struct profiles *profiles,
	       const struct block_weights *weights, const struct nodes *nodes,
	       const struct prediction *p, double median_s,
	       struct placement_model *ret);

/* Return the median predicted from history; NAN: there was none. */
double job_model_median_s(const struct prediction *p);
