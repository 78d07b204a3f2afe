/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_order.h - what a submit line says of when a job may start */
#pragma once

#include "predictor/features/run.h"

/* Set dependency, think_s and array_most of `run` from the line of sbatch, srun
 * or salloc; NULL: it is not known.  A dependency that is too long is cut at a
 * comma, a question mark or a colon. */
void submit_order_read(const char *line, struct run *run);
