/* SPDX-License-Identifier: GPL-2.0-or-later */
/* logs.c - job logs of a folder, for benchmarks */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/logs.h"

static int is_log(const struct dirent *entry)
{
	return strstr(entry->d_name, ".swf") != NULL;
}

static bool is_wanted(const char *name, const char *const wanted[])
{
	for (int i = 0; wanted && wanted[i]; i++)
		if (strstr(name, wanted[i]))
			return true;
	return !wanted;
}

int logs_visit(const char *folder, const char *const wanted[],
	       int (*visit)(const char *path, void *context,
			    struct sp_error *err),
	       void *context, struct sp_error *err)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_log, alphasort);
	int rc = 0, visited = 0;

	if (count < 0)
		return sp_error_set(err, "%s: %s", folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/%s", folder,
			 entries[i]->d_name);
		if (!rc && is_wanted(entries[i]->d_name, wanted)) {
			rc = visit(path, context, err);
			visited++;
		}
		free(entries[i]);
	}
	free(entries);
	if (!rc && visited == 0)
		return sp_error_set(err, "%s: no job log (*.swf) to measure on",
				    folder);
	return rc;
}

const char *logs_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void logs_progress(void *name, size_t done, size_t count)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K%s: %zu of %zu jobs",
			(const char *)name, done, count);
}

void logs_progress_end(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}
