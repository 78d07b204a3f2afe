/* SPDX-License-Identifier: GPL-2.0-or-later */
/* environment.c - environment variables of another process */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/profilers/environment.h"

#define ENVIRONMENT_MAX (1 << 20) /* bytes; the rest is not read */

static ssize_t environment_read(pid_t pid, char *text, size_t size)
{
	char path[64];
	size_t used = 0;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	while (used < size && (got = read(fd, text + used, size - used)) > 0)
		used += (size_t)got;
	close(fd);
	return (ssize_t)used;
}

int environment_get(pid_t pid, const char *name, char *ret, size_t size)
{
	size_t length = strlen(name);
	char *text = malloc(ENVIRONMENT_MAX + 1);
	ssize_t used = text ? environment_read(pid, text, ENVIRONMENT_MAX) : -1;
	int rc = -1;

	for (ssize_t at = 0; at < used && rc;) {
		const char *entry = text + at;

		text[used] = '\0';
		if (!strncmp(entry, name, length) && entry[length] == '=' &&
		    strlen(entry + length + 1) < size) {
			strcpy(ret, entry + length + 1);
			rc = 0;
		}
		at += (ssize_t)strlen(entry) + 1;
	}
	free(text);
	return rc;
}
