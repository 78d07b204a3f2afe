/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spool_path.c - where the node's spool is, from plugstack.conf */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/spank/spool_path.h"

#define DEFAULT_SPOOL "/var/spool/slurm-predict"

/* Return the node's name in Slurm; else the short host name. */
static const char *node_name(void)
{
	static char name[256];
	const char *value = getenv("SLURMD_NODENAME");

	if (value && *value)
		return value;
	if (gethostname(name, sizeof(name) - 1))
		return "";
	name[strcspn(name, ".")] = '\0';
	return name;
}

const char *spool_path(int count, char *arguments[])
{
	static const char key[] = "spool=";
	static char path[SPOOL_PATH_SIZE];
	const char *text = DEFAULT_SPOOL;

	for (int i = 0; i < count; i++)
		if (strncmp(arguments[i], key, strlen(key)) == 0)
			text = arguments[i] + strlen(key);

	const char *mark = strstr(text, "%n");

	if (!mark)
		return text;
	snprintf(path, sizeof(path), "%.*s%s%s", (int)(mark - text), text,
		 node_name(), mark + 2);
	return path;
}
