/* file_arguments.h - the files that a command is given
 *
 * How large a file is can tell more than its name.  Who may look at files
 * makes of each a parameter "size.in" (bytes), named by the option that gives
 * it, by its place ("size.arg1"), or "size.stdin".  Nothing here touches the
 * file system.
 */
#ifndef PREDICTOR_FEATURES_SCRIPT_FILE_ARGUMENTS_H
#define PREDICTOR_FEATURES_SCRIPT_FILE_ARGUMENTS_H

#include <stddef.h>

#include "predictor/features/parameters.h"

#define FILE_ARGUMENTS_MAX      16
#define FILE_ARGUMENTS_TOLD     8 /* become parameters, at most */
#define FILE_ARGUMENT_PATH_SIZE 512

struct file_argument {
	char name[PARAMETER_NAME_SIZE];     /* "size.in" */
	char path[FILE_ARGUMENT_PATH_SIZE]; /* as given; maybe of no file */
};

struct file_arguments {
	int count;
	struct file_argument of[FILE_ARGUMENTS_MAX];
};

/* Add a path under the first `length` bytes of a name; what cannot be a path
 * that was there before the job, or does not fit, is left out. */
void file_arguments_add(struct file_arguments *files, const char *name,
			size_t length, const char *path);

#endif
