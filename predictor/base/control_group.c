/* SPDX-License-Identifier: GPL-2.0-or-later */
/* control_group.c - the folder of a process's control group
 *
 * /proc/PID/cgroup names its group in each hierarchy, /proc/self/mountinfo
 * where that is mounted.
 */
#include <stdio.h>
#include <string.h>

#include "predictor/base/control_group.h"

/* Whether `word` is one of the comma-separated `list`. */
static int has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ',') &&
		    (at[length] == '\0' || at[length] == ',' ||
		     at[length] == '\n'))
			return 1;
	return 0;
}

/* Return a file of /proc/PROCESS; `root` stands before it. */
static FILE *open_proc(const char *root, const char *process, const char *name)
{
	char path[CONTROL_GROUP_PATH_SIZE];

	if (snprintf(path, sizeof(path), "%s/proc/%s/%s", root, process,
		     name) >= (int)sizeof(path))
		return NULL;
	return fopen(path, "re");
}

/* Find the path of its group in that hierarchy.  0 if there is one. */
static int find_path(const char *root, const char *process,
		     const char *controller, char *ret, size_t size)
{
	char line[CONTROL_GROUP_PATH_SIZE];
	FILE *file = open_proc(root, process, "cgroup");
	int rc = -1;

	while (file && rc && fgets(line, sizeof(line), file)) {
		char *controllers = strchr(line, ':');
		char *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		controllers++;
		path[strcspn(path, "\n")] = '\0';
		if (strlen(path) < size &&
		    (controller ? has_word(controllers, controller)
				: !*controllers)) {
			strcpy(ret, path);
			rc = 0;
		}
	}
	if (file)
		fclose(file);
	return rc;
}

/* Find where that hierarchy is mounted, and which of its folders
 * that shows. */
static int mount_point(const char *root, const char *controller, char *ret_root,
		       char *ret_point)
{
	char line[4096];
	FILE *file = open_proc(root, "self", "mountinfo");
	int rc = -1;

	while (file && rc && fgets(line, sizeof(line), file)) {
		char *rest = strstr(line, " - ");
		char type[32], options[512];

		if (!rest ||
		    sscanf(line, "%*d %*d %*s %1023s %1023s", ret_root,
			   ret_point) != 2 ||
		    sscanf(rest, " - %31s %*s %511s", type, options) != 2)
			continue;
		if (controller ? strcmp(type, "cgroup") == 0 &&
					 has_word(options, controller)
			       : strcmp(type, "cgroup2") == 0)
			rc = 0;
	}
	if (file)
		fclose(file);
	return rc;
}

size_t control_group_folder(const char *root, const char *process,
			    const char *controller,
			    char ret_path[CONTROL_GROUP_PATH_SIZE])
{
	char path[CONTROL_GROUP_PATH_SIZE], shown[CONTROL_GROUP_PATH_SIZE];
	char point[CONTROL_GROUP_PATH_SIZE];
	const char *below = path;

	if (find_path(root, process, controller, path, sizeof(path)) ||
	    mount_point(root, controller, shown, point))
		return 0;
	if (strcmp(shown, "/") != 0 && strncmp(path, shown, strlen(shown)) == 0)
		below = path + strlen(shown);
	if (snprintf(ret_path, CONTROL_GROUP_PATH_SIZE, "%s%s%s", root, point,
		     below) >= CONTROL_GROUP_PATH_SIZE)
		return 0;
	return strlen(root) + strlen(point);
}
