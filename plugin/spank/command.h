/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - parameters from the command line of sbatch, srun or salloc
 *
 * slurmctld knows neither the command of srun and salloc, so its application
 * and parameters are found here, nor the sizes of the files that a command is
 * given.  All of this is read on the submission host, never in slurmctld.  A
 * file system that hangs must not delay the user: a child process reads, and is
 * abandoned at the deadline; what it found until then counts.  Only the script
 * is opened, which sbatch opens as well; nothing is mounted; only regular files
 * count.  Knows nothing of Slurm.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define COMMAND_DEADLINE_MS 20 /* in total */

/* Find the words of this process's command line, NULL-terminated, in static
 * memory. Returns their number; 0: not known. */
int command_own_words(const char *const **ret_words);

/* Write "application=solver steps=100 size.in=1234" (bytes), at most `count`
 * parameters, for a line of sbatch, srun or salloc; `files`: with sizes.
 * Without those that PREDICT_* in the environment sets.  May be empty. */
void command_parameters(const char *const words[], int words_count, int count,
			bool files, char *ret_text, size_t size);
