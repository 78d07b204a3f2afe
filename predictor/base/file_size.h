/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file_size.h - size of a file, without I/O that could hang */
#pragma once

/* Return bytes of a regular file, from the cache of its file system; nothing
 * is opened or mounted.  `folder`: where relative paths begin, a descriptor or
 * AT_FDCWD.  -1: there is none, or it lies in /proc, /dev or /sys. */
double file_size(int folder, const char *path);
