/* SPDX-License-Identifier: GPL-2.0-or-later */
/* small_file.c - files of a few lines, as the kernel makes them */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
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

char *small_file_rest(FILE *file, const char *name, size_t most,
		      size_t *ret_size, struct sp_error *err)
{
	char *text = malloc(most + 1);

	*ret_size = text ? fread(text, 1, most, file) : 0;
	if (text && !ferror(file)) {
		text[*ret_size] = '\0';
		return text;
	}
	sp_error_set(err, "%s: %s", name, strerror(errno));
	free(text);
	return NULL;
}

char *small_file_text(const char *path, size_t most, size_t *ret_size,
		      struct sp_error *err)
{
	FILE *file = fopen(path, "re");

	if (!file)
		return sp_error_null(err, "%s: %s", path, strerror(errno));

	char *text = small_file_rest(file, path, most, ret_size, err);

	fclose(file);
	return text;
}

int small_file_finish(FILE *file, const char *path, int rc,
		      struct sp_error *err)
{
	if (!file)
		return sp_error_set(err, "%s: %s", path, strerror(errno));

	int failed = ferror(file);

	if ((fclose(file) || failed) && !rc)
		rc = sp_error_set(err, "%s: not written: %s", path,
				  strerror(errno));
	return rc;
}
