/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology_file.c - a topology.conf that is read again when it changes */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "predictor/features/topology_file.h"
#include "predictor/features/topology_yaml.h"

#define INCLUDES_DEEP 4

bool topology_file_changed(struct topology_file *file)
{
	struct stat status = { .st_size = 0 };
	bool changed;

	/* A missing file counts as modified at 0. */
	stat(file->path, &status);
	changed = !file->was_checked ||
		  status.st_mtim.tv_sec != file->modified.tv_sec ||
		  status.st_mtim.tv_nsec != file->modified.tv_nsec;
	file->modified = status.st_mtim;
	file->was_checked = true;
	return changed;
}

/* Append the file to `text`, of TOPOLOGY_BYTES_MAX + 2 bytes, with those that
 * it includes. */
static int append_file(const char *path, char *text, int depth,
		       struct sp_error *err)
{
	size_t used = strlen(text), room = TOPOLOGY_BYTES_MAX + 2 - used;
	const char *slash = strrchr(path, '/');
	FILE *f = fopen(path, "re");
	char *line = NULL, included[PATH_MAX];
	size_t size = 0;
	ssize_t length;
	int rc = 0;

	if (!f)
		return sp_error_set(err, "%s", strerror(errno));
	errno = 0;
	while (!rc && room > 1 && (length = getline(&line, &size, f)) > 0) {
		char name[PATH_MAX];

		if (depth < INCLUDES_DEEP && !strncasecmp(line, "include", 7) &&
		    sscanf(line + 7, " %4000s", name) == 1 && line[7] <= ' ') {
			int folder = slash && *name != '/'
					     ? (int)(slash + 1 - path)
					     : 0;

			if (snprintf(included, sizeof(included), "%.*s%s",
				     folder, path,
				     name) >= (int)sizeof(included))
				rc = sp_error_set(err, "%.99s: too long", name);
			else
				rc = append_file(included, text, depth + 1,
						 err);
			used = strlen(text);
			room = TOPOLOGY_BYTES_MAX + 2 - used;
			continue;
		}
		if ((size_t)length >= room)
			length = (ssize_t)room - 1;
		memcpy(text + used, line, (size_t)length);
		text[used += (size_t)length] = '\0';
		room -= (size_t)length;
	}
	if (!rc && ferror(f))
		rc = sp_error_set(err, "%s", strerror(errno));
	free(line);
	fclose(f);
	return rc;
}

static bool is_yaml(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml"));
}

static char *read_text(const char *path, struct sp_error *err)
{
	char *text = calloc(1, TOPOLOGY_BYTES_MAX + 2);
	char *lines = NULL;

	if (!text) {
		sp_error_set(err, "out of memory");
		return NULL;
	}
	if (append_file(path, text, 0, err))
		goto failed;
	if (!is_yaml(path))
		return text;
	lines = malloc(TOPOLOGY_BYTES_MAX);
	if (!lines) {
		sp_error_set(err, "out of memory");
		goto failed;
	}
	topology_yaml_convert(text, lines, TOPOLOGY_BYTES_MAX);
failed:
	free(text);
	return lines;
}

char *topology_file_read(const char *path, struct topology *ret,
			 struct sp_error *err)
{
	char *text = read_text(path, err);
	struct topology topology;

	if (!text)
		return NULL;
	if (topology_parse(text, strlen(text), &topology, err)) {
		free(text);
		return NULL;
	}
	if (ret)
		*ret = topology;
	else
		topology_clear(&topology);
	return text;
}
