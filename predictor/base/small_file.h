/* SPDX-License-Identifier: GPL-2.0-or-later */
/* small_file.h - files of a few lines, as the kernel makes them
 *
 * One read() is enough for a file of /proc or of a control group, and gives it
 * as it was at one moment.
 */
#pragma once

#include <stdio.h>
#include <sys/types.h>

#include "predictor/base/error.h"

/* Read the first size - 1 bytes of a file into `ret`, terminated.  `folder`:
 * where relative paths begin, a descriptor or AT_FDCWD.  Returns their number;
 * -1: it cannot be read, and `ret` is empty. */
ssize_t small_file_read(int folder, const char *path, char *ret, size_t size);

/* Read the first line of FOLDER/NAME, with its newline.  -1: there is none, and
 * `ret` is empty. */
int small_file_line(const char *folder, const char *name, char *ret,
		    size_t size);

/* Return the first `most` bytes of a file, terminated, which the caller frees;
 * NULL: it cannot be read. */
char *small_file_text(const char *path, size_t most, size_t *ret_size,
		      struct sp_error *err);

/* The same of a stream that is open, and stays so; errors begin with `name`. */
char *small_file_rest(FILE *file, const char *name, size_t most,
		      size_t *ret_size, struct sp_error *err);

/* Close a file that was written; NULL: fopen() has failed.  Returns `rc`, or -1
 * with *err if it is 0 and something was not written. */
int small_file_finish(FILE *file, const char *path, int rc,
		      struct sp_error *err);
