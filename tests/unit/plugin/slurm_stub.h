/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_stub.h - what slurmctld and slurmstepd have for a plugin, in a
 * unit test
 *
 * The symbols of plugin/site/slurmctld.h, with the types of Slurm's headers.  A
 * test sets slurm_conf and default_part_name as slurmctld would.
 */
#pragma once

#include <stdbool.h>

#include "plugin/site/slurmctld.h"

/* What was logged, a line each: "error: predict: ...". */
extern char stub_log[65536];

/* slurm_xcalloc() finds no memory. */
extern bool stub_no_memory;

/* Forget the log and the configuration. */
void stub_reset(void);
