/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file_arguments.c - files among the arguments of a command */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "predictor/features/script/command/file_arguments.h"

/* Options for output files: their size is of an earlier run. */
bool file_arguments_output(const char *name, size_t length)
{
	static const char *const outputs[] = { "o",       "out",     "output",
					       "log",     "logfile", "l",
					       "outfile", "outdir",  "save",
					       NULL };

	for (int i = 0; outputs[i]; i++)
		if (strlen(outputs[i]) == length &&
		    !memcmp(outputs[i], name, length))
			return true;
	return false;
}

/* Return whether it can be a parameter's name. */
static bool is_name(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("_.-", name[i]))
			return false;
	return length > 0;
}

void file_arguments_add(struct file_arguments *files, const char *name,
			size_t length, const char *path)
{
	struct file_argument *file = &files->of[files->count];
	size_t size = strlen(path);

	if (files->count == FILE_ARGUMENTS_MAX || !size ||
	    size >= sizeof(file->path) || strpbrk(path, "$`*?{\n") ||
	    file_arguments_output(name, length) || !is_name(name, length))
		return;
	if (snprintf(file->name, sizeof(file->name), "size.%.*s", (int)length,
		     name) >= (int)sizeof(file->name))
		return;
	memcpy(file->path, path, size + 1);
	files->count++;
}
