/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct_use.h - what a job and its steps used, as sacct has it
 *
 * Fields that nobody measured are empty or 0 there, and 0 here.
 */
#pragma once

#include "predictor/slurm/sacct_record.h"

/* Read a field into record->run.  0; -1: it makes no sense. */
int sacct_use_cpu_time(struct sacct_record *record, const char *text);
int sacct_use_peak(struct sacct_record *record, const char *text);
int sacct_use_gpus(struct sacct_record *record, const char *text);
int sacct_use_energy(struct sacct_record *record, const char *text);

/* Add what a step used, but for energy, of which the job's line has the sum.
 * Steps follow each other as a rule, so their peaks are
 * not added; the tasks of one lie evenly on its nodes, and reach their peaks
 * together. */
void sacct_use_add(struct run *sum, const struct run *step);
