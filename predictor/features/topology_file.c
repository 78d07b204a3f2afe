/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology_file.c - a topology.conf that is read again when it changes */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "predictor/features/topology_file.h"

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

static char *read_text(const char *path, struct sp_error *err)
{
	FILE *f = fopen(path, "re");
	char *text = f ? malloc(TOPOLOGY_BYTES_MAX + 2) : NULL;
	size_t size = 0;

	if (text) {
		size = fread(text, 1, TOPOLOGY_BYTES_MAX + 1, f);
		text[size] = '\0';
	}
	if (!f || !text || ferror(f)) {
		sp_error_set(err, "%s", strerror(errno));
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	return text;
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
