/* file_arguments.c - the files that a command is given */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "predictor/features/script/file_arguments.h"

/* Options that name what the command will write: that it is there already
 * says that the job ran before, and nothing about the next run. */
static bool is_output(const char *name, size_t length)
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

/* One that can be a parameter's as it is. */
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
	    is_output(name, length) || !is_name(name, length))
		return;
	if (snprintf(file->name, sizeof(file->name), "size.%.*s", (int)length,
		     name) >= (int)sizeof(file->name))
		return;
	memcpy(file->path, path, size + 1);
	files->count++;
}
