/* SPDX-License-Identifier: GPL-2.0-or-later */
/* logs.h - job logs of a folder, for benchmarks */
#pragma once

#include <stddef.h>

#include "predictor/base/error.h"

/* Call `visit` with the path of each log in `folder` whose name contains one
 * of `wanted` (ends with NULL; NULL: any), by name.  Fails if there is none,
 * or as soon as `visit` does. */
int logs_visit(const char *folder, const char *const wanted[],
	       int (*visit)(const char *path, void *context,
			    struct sp_error *err),
	       void *context, struct sp_error *err);

/* The name of a file in its path. */
const char *logs_name(const char *path);

/* How far the log `name` is, on the standard error: on a terminal one line that
 * changes, else nothing until logs_progress_end(). */
void logs_progress(void *name, size_t done, size_t count);
void logs_progress_end(void);
