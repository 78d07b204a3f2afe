/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array_size.h - how many tasks a job array has */
#pragma once

/* From here on it is plain that one job should run some tasks of an array:
 * there are many, each shorter than a multiple of the cost to start a job. */
#define BUNDLE_PLAIN_TASKS 100
#define BUNDLE_PLAIN_COSTS 4.0

/* Tasks of what sbatch --array takes: "0-15", "1,3,5-7", "0-99:5", "1-1000%50".
 * 0: it is none of these, or has more than a billion. */
int array_size(const char *text);
