/* fresh.h - models of jobs that are too new for a snapshot
 *
 * From the plugin job_submit/predict, if that is loaded in this process
 * (told.h).
 */
#ifndef PLUGIN_SELECT_FRESH_H
#define PLUGIN_SELECT_FRESH_H

#include "plugin/site/recent_models.h"
#include "predictor/snapshot/placement_model.h"

/* Look for it every so often, in seconds, until it is found. */
#define FRESH_LOOK_S 10.0

/* All zero is one that has not looked yet.  For one thread at a time. */
struct fresh {
	recent_models_fn *told; /* stays in memory once it is found */
	double next_look_s;
};

/* By the 16 hexadecimal digits of a prediction's id, which need not be
 * terminated.  No I/O.  -1: nothing is known. */
int fresh_model(struct fresh *fresh, const char *id,
		struct placement_model *ret);

#endif
