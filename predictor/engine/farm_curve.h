/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_curve.h - run time of a farm over the number of nodes, simulated */
#pragma once

#include "predictor/engine/run_curve.h"

/* Return the tasks of the job on n nodes: as many on each as it has, or the
 * same in all. */
uint32_t farm_curve_tasks(const struct job_size *size, uint32_t n);

/* As engine_run_curve(), but simulated on nodes that nobody else uses, from the
 * profile of one number of nodes; -1: the application was not seen to be a
 * dynamic farm with these parameters, or no number of nodes has a worker. */
int engine_farm_curve(struct engine *engine, const char *cluster,
		      const struct application *application,
		      const struct job_size *size, struct run_curve *ret);
