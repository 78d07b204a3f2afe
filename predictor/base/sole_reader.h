/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sole_reader.h - a file of ours that one user may read, and not change
 *
 * The owner of a file may change its mode and write to it, and so fill the file
 * system that it is in: an access control list gives the right to read alone.
 */
#pragma once

#include <stdint.h>

/* Let the user read the open file, which has mode 0400.  Where the file system
 * has no such lists, the user becomes its owner.  -1 with errno. */
int sole_reader_set(int fd, uint32_t user_id);
