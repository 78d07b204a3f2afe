/* SPDX-License-Identifier: GPL-2.0-or-later */
/* workflow.h - tasks of workflow engines
 *
 * The scripts that Nextflow and Snakemake write say in a comment which process
 * or rule they run:
 *
 *	# NEXTFLOW TASK: ALIGN (sample 5)              nextflow:ALIGN
 *	# properties = {"type": "single", "rule": "align", ...
 *	                                               snakemake:align
 */
#pragma once

#include <stddef.h>

#include "predictor/features/application.h"

/* The name is unchanged if the script is no such task. */
void workflow_read(const char *script, size_t size, struct application *ret);
