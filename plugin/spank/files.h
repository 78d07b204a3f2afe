/* files.h - how large the files are that a submission names
 *
 * Looked at where sbatch, srun or salloc runs, never in slurmctld.  A file
 * system that does not answer must not hold the user up: a child process looks,
 * and is left alone when its time is over; what it found until then counts.
 * Nothing is opened but the script that sbatch opens as well; nothing is
 * mounted; only regular files count.  Knows nothing of Slurm.
 */
#ifndef PLUGIN_SPANK_FILES_H
#define PLUGIN_SPANK_FILES_H

#include <stddef.h>

#define FILES_MAX         8  /* sizes that are told */
#define FILES_DEADLINE_MS 20 /* for all of them together */

/* The command line of this process, as its words; NULL-terminated, and kept in
 * static memory.  0: not known. */
int files_own_words(const char *const **ret_words);

/* Write "size.in=1234 size.arg2=99" (bytes), at most `count` of them: the
 * files that the command of a line of sbatch, srun or salloc is given.  Empty
 * where there are none. */
void files_sizes(const char *const words[], int words_count, int count,
		 char *ret_text, size_t size);

#endif
