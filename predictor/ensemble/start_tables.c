/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_tables.c - a file of what models have learned elsewhere */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/durable.h"
#include "predictor/base/small_file.h"
#include "predictor/ensemble/start_tables.h"
#include "predictor/models/mixture/mixture_start.h"

static int text_check(const char *path, const char *text, size_t size,
		      struct sp_error *err)
{
	struct mixture_start *start = malloc(sizeof(*start));
	struct sp_error why;
	int rc = 0;

	if (!start)
		return sp_error_set(err, "%s: out of memory", path);
	if (mixture_start_parse(text, size, start, &why))
		rc = sp_error_set(err, "%s: %s", path, why.text);
	free(start);
	return rc;
}

char *start_tables_read(const char *path, struct sp_error *err)
{
	char *file = realpath(path, NULL); /* symbolic links are followed */
	char *text = NULL;
	size_t size;

	if (!file)
		return sp_error_null(err, "%s: %s", path, strerror(errno));
	if (!durable_read(AT_FDCWD, file, MIXTURE_START_BYTES_MAX, &text, &size,
			  err) &&
	    text_check(path, text, size, err)) {
		free(text);
		text = NULL;
	}
	free(file);
	return text;
}

int start_tables_write(const char *path, const char *text, struct sp_error *err)
{
	FILE *file = fopen(path, "we");

	if (!file)
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	fputs(text, file);
	return small_file_finish(file, path, 0, err);
}
