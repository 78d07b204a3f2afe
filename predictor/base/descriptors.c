/* SPDX-License-Identifier: GPL-2.0-or-later */
/* descriptors.c - the file descriptors of this process
 *
 * From /proc, for close_range() needs glibc 2.34 and Linux 5.9.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/descriptors.h"

static bool is_among(int fd, const int fds[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fds[i] == fd)
			return true;
	return false;
}

int descriptors_keep_only(const int fds[], size_t count, struct sp_error *err)
{
	DIR *stream = opendir("/proc/self/fd");
	struct dirent *entry;

	if (!stream)
		return sp_error_set(err, "/proc/self/fd: %s", strerror(errno));
	while ((entry = readdir(stream))) {
		int fd = (int)strtol(entry->d_name, NULL, 10);

		if (fd > 2 && fd != dirfd(stream) && !is_among(fd, fds, count))
			close(fd);
	}
	closedir(stream);
	return 0;
}
