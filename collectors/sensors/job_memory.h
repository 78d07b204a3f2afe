/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_memory.h - memory of running jobs, from the list of processes */
#pragma once

#include "collectors/sensors/processes.h"
#include "collectors/sensors/sensors.h"

/* The resident memory of each job's processes, summed up. */
void job_memory_report(const struct processes *processes,
		       sensors_job_fn *report, void *context);
