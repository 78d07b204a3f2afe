/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file_arguments.h - files among the arguments of a command
 *
 * The size of an input file can matter more than its name.  A caller that may
 * read the file system makes a parameter of each, "size.in" (bytes), named by
 * the option, by its position ("size.arg1"), or "size.stdin".  Nothing here
 * touches the file system.
 */
#pragma once

#include <stddef.h>

#include "predictor/features/parameters.h"

#define FILE_ARGUMENTS_MAX      16
#define FILE_ARGUMENTS_SENT     8 /* as parameters, at most */
#define FILE_ARGUMENT_PATH_SIZE 512

struct file_argument {
	char name[PARAMETER_NAME_SIZE];     /* "size.in" */
	char path[FILE_ARGUMENT_PATH_SIZE]; /* as written; may not exist */
};

struct file_arguments {
	int count;
	struct file_argument of[FILE_ARGUMENTS_MAX];
};

/* Add a path by the first `length` bytes of a name.  Left out: what cannot be
 * an input file, or does not fit. */
void file_arguments_add(struct file_arguments *files, const char *name,
			size_t length, const char *path);

/* Return whether an option of that name is for an output file. */
bool file_arguments_output(const char *name, size_t length);
