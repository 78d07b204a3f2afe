/* command.h - what a submission says that slurmctld is not told
 *
 * Of srun and salloc the command, which travels with no job: its application
 * and parameters.  Of all three how large the files are that the command is
 * given.  They are looked at where sbatch, srun or salloc runs, never in
 * slurmctld.  A file system that does not answer must not hold the user up: a
 * child process looks, and is left alone when its time is over; what it found
 * until then counts.  Nothing is opened but the script that sbatch opens as
 * well; nothing is mounted; only regular files count.  Knows nothing of Slurm.
 */
#ifndef PLUGIN_SPANK_COMMAND_H
#define PLUGIN_SPANK_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#define COMMAND_DEADLINE_MS 20 /* for all of it together */

/* The command line of this process, as its words; NULL-terminated, and kept in
 * static memory.  0: not known. */
int command_own_words(const char *const **ret_words);

/* Write "application=solver steps=100 size.in=1234" (bytes), at most `count`
 * parameters, for a line of sbatch, srun or salloc; `files`: sizes are wanted.
 * What PREDICT_* in the environment says is left to that.  Empty where there
 * is nothing to say. */
void command_parameters(const char *const words[], int words_count, int count,
			bool files, char *ret_text, size_t size);

#endif
