/* SPDX-License-Identifier: GPL-2.0-or-later */
/* workflow.c - tasks of workflow engines */
#include <stdbool.h>
#include <string.h>

#include "predictor/features/script/command/masked_name.h"
#include "predictor/features/script/workflow.h"

/* The comment is near the beginning, and in one line. */
#define HEAD_SIZE 8192

struct workflow {
	const char *comment; /* the line begins with it */
	const char *before;  /* this precedes the name; "": at once */
	char after;          /* and this follows it */
	const char *engine;
};

static const struct workflow workflows[] = {
	{ "# NEXTFLOW TASK: ", "", ' ', "nextflow:" },
	{ "# properties = {", "\"rule\": \"", '"', "snakemake:" },
	{ NULL, NULL, 0, NULL },
};

/* Return the text after `what` in at..end; NULL: it is not there. */
static const char *find_text(const char *at, const char *end, const char *what)
{
	size_t length = strlen(what);
	const char *found = memmem(at, (size_t)(end - at), what, length);

	return found ? found + length : NULL;
}

static bool read_name(const struct workflow *workflow, const char *script,
		      const char *end, struct application *ret)
{
	char name[APPLICATION_NAME_SIZE];
	const char *line = find_text(script, end, workflow->comment);

	if (!line || (line - strlen(workflow->comment) > script &&
		      line[-(long)strlen(workflow->comment) - 1] != '\n'))
		return false;

	const char *newline = memchr(line, '\n', (size_t)(end - line));
	const char *stop = newline ? newline : end;
	const char *at = find_text(line, stop, workflow->before);
	const char *last =
		at ? memchr(at, workflow->after, (size_t)(stop - at)) : NULL;
	size_t length = at ? (size_t)((last ? last : stop) - at) : 0;

	if (!length || length >= sizeof(name))
		return false;
	memcpy(name, at, length);
	name[length] = '\0';
	strcpy(ret->name, workflow->engine);
	masked_name_append(ret->name, sizeof(ret->name), name);
	return true;
}

void workflow_read(const char *script, size_t size, struct application *ret)
{
	const char *end = script + (size < HEAD_SIZE ? size : HEAD_SIZE);

	for (const struct workflow *w = workflows; w->comment; w++)
		if (read_name(w, script, end, ret))
			return;
}
