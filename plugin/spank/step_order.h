/* SPDX-License-Identifier: GPL-2.0-or-later */
/* step_order.h - whether a step may have the order of ranks known for its job
 *
 * The order is for a step of all of the job's ranks on all of its nodes, as
 * many on each as Slurm gave the job: then no node gets more than it has CPUs
 * for, and a step without the order would have taken the same CPUs.  Where the
 * user has any say in where tasks go, or something is not understood, the step
 * is left alone.  Knows nothing of Slurm.
 */
#pragma once

#include "plugin/spank/hosts_file.h"

/* Return whether the line of srun (words[0]) in this environment is that of
 * such a step of the job that `hosts` is for; `value` is as getenv(). */
bool step_order_fits(const struct hosts_file *hosts, const char *const words[],
		     int count, char *(*value)(const char *name));
