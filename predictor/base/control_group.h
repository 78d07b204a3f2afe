/* SPDX-License-Identifier: GPL-2.0-or-later */
/* control_group.h - the folder of a process's control group */
#pragma once

#include <stddef.h>

#define CONTROL_GROUP_PATH_SIZE 1024

/* Find the folder of the group of a process ("self", or its pid) in the
 * hierarchy of v1 that has `controller`, or in that of v2 (NULL).  `root`
 * stands before /proc and /sys; "" but for tests.  Returns the length of the
 * part that is its mount; 0: there is none. */
size_t control_group_folder(const char *root, const char *process,
			    const char *controller,
			    char ret_path[CONTROL_GROUP_PATH_SIZE]);
