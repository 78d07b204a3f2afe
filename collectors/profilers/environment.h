/* SPDX-License-Identifier: GPL-2.0-or-later */
/* environment.h - environment variables of another process */
#pragma once

#include <sys/types.h>

/* Find the value of `name` when the process was started.  -1: it is not set or
 * longer than `size`, or the process has ended. */
int environment_get(pid_t pid, const char *name, char *ret, size_t size);
