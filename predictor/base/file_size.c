/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file_size.c - size of a file, without I/O that could hang */
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "predictor/base/file_size.h"

/* Folders whose files hold no data, or may hang. */
static bool is_special(const char *path)
{
	static const char *const folders[] = { "/proc/", "/dev/", "/sys/",
					       NULL };

	for (int i = 0; folders[i]; i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return true;
	return false;
}

double file_size(int folder, const char *path)
{
	struct statx about;

	if (is_special(path) ||
	    statx(folder, path, AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC,
		  STATX_TYPE | STATX_SIZE, &about) ||
	    !S_ISREG(about.stx_mode))
		return -1;
	return (double)about.stx_size;
}
