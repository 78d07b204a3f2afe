/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gpu_use.h - what a job used of its GPUs, as sacct has it
 *
 * Where AccountingStorageTRES has gres/gpuutil and gres/gpumem, Slurm samples
 * how busy a task keeps GPUs: 100 is one GPU, all the time.  sacct prints the
 * greatest sample of the busiest task of a step and of the least busy one.
 */
#pragma once

struct gpu_use {
	double gpus;      /* that it had */
	double busy;      /* GPUs at most at a time, as a number of full ones */
	double idle;      /* GPUs that it did not need for that */
	double memory_mb; /* of the task with the most; 0: not known */
};

/* What sacct is to print of a job and its steps, --parsable2 --noconvert. */
#define GPU_USE_FORMAT \
	"--format=Start,End,NTasks,AllocTRES,TRESUsageInMax,TRESUsageInMin"

/* Read what it printed, which is changed.  -1: no use of GPUs is in it, and
 * *ret has not changed; a GPU of which Slurm knows nothing is never in use. */
int gpu_use_parse(char *text, struct gpu_use *ret);
