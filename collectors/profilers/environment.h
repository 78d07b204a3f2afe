/* SPDX-License-Identifier: GPL-2.0-or-later */
/* environment.h - what another process has in its environment */
#ifndef COLLECTORS_PROFILERS_ENVIRONMENT_H
#define COLLECTORS_PROFILERS_ENVIRONMENT_H

#include <stddef.h>
#include <sys/types.h>

/* The value that `name` had when the process began.  -1: it has none, it is
 * longer than `size`, or the process has gone. */
int environment_get(pid_t pid, const char *name, char *ret, size_t size);

#endif
