/* SPDX-License-Identifier: GPL-2.0-or-later */
/* small_file.c - files of a few lines, as the kernel makes them */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/small_file.h"

ssize_t small_file_read(int folder, const char *path, char *ret, size_t size)
{
	int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, ret, size - 1);

	if (fd >= 0)
		close(fd);
	ret[got > 0 ? got : 0] = '\0';
	return got;
}

int small_file_line(const char *folder, const char *name, char *ret,
		    size_t size)
{
	char path[PATH_MAX];
	char *end;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (small_file_read(AT_FDCWD, path, ret, size) <= 0)
		return -1;
	end = strchr(ret, '\n');
	if (end)
		end[1] = '\0';
	return 0;
}
