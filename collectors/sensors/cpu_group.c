/* cpu_group.c - the CPU control group that we run in, and its quota */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/sensors/cpu_group.h"

double cpu_group_parse_max(const char *text)
{
	double quota, period;

	if (sscanf(text, "%lf %lf", &quota, &period) != 2 || !(quota > 0) ||
	    !(period > 0))
		return 0;
	return quota / period;
}

/* The first line of FOLDER/NAME; empty if there is none. */
static void read_line(const char *folder, const char *name, char *ret, int size)
{
	char path[CPU_GROUP_PATH_SIZE + 32];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	*ret = '\0';
	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(ret, size, file))
		*ret = '\0';
	fclose(file);
}

/* In CPUs; 0: none. */
static double quota_of(const char *folder)
{
	char text[128], both[300];
	double capacity;

	read_line(folder, "cpu.max", text, sizeof(text));
	capacity = cpu_group_parse_max(text);
	if (capacity > 0)
		return capacity;
	read_line(folder, "cpu.cfs_quota_us", text, sizeof(text));
	text[strcspn(text, "\n")] = '\0';
	snprintf(both, sizeof(both), "%s ", text);
	read_line(folder, "cpu.cfs_period_us", text, sizeof(text));
	strcat(both, text);
	return cpu_group_parse_max(both);
}

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

/* Our path in the hierarchy that has the cpu controller (v1), or in the one of
 * v2.  0 if there is one. */
static int own_path(int v2, char *ret, size_t size)
{
	char line[CPU_GROUP_PATH_SIZE];
	FILE *file = fopen("/proc/self/cgroup", "re");
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
		    (v2 ? !*controllers : has_word(controllers, "cpu"))) {
			strcpy(ret, path);
			rc = 0;
		}
	}
	if (file)
		fclose(file);
	return rc;
}

/* Where that hierarchy is mounted, and which of its folders that shows. */
static int mount_point(int v2, char *ret_root, char *ret_point)
{
	char line[4096];
	FILE *file = fopen("/proc/self/mountinfo", "re");
	int rc = -1;

	while (file && rc && fgets(line, sizeof(line), file)) {
		char *rest = strstr(line, " - ");
		char type[32], options[512];

		if (!rest ||
		    sscanf(line, "%*d %*d %*s %1023s %1023s", ret_root,
			   ret_point) != 2 ||
		    sscanf(rest, " - %31s %*s %511s", type, options) != 2)
			continue;
		if (v2 ? strcmp(type, "cgroup2") == 0
		       : strcmp(type, "cgroup") == 0 &&
				    has_word(options, "cpu"))
			rc = 0;
	}
	if (file)
		fclose(file);
	return rc;
}

/* What systemd allows collectord itself (CPUQuota=) is not the node's. */
static int is_own_unit(const char *folder)
{
	static const char suffix[] = ".service";
	size_t length = strlen(folder);

	return length >= strlen(suffix) &&
	       strcmp(folder + length - strlen(suffix), suffix) == 0;
}

/* Climbs from our group to the top of what is mounted. */
static double find_quota(int v2, char *ret_path)
{
	char path[CPU_GROUP_PATH_SIZE], root[CPU_GROUP_PATH_SIZE];
	char point[CPU_GROUP_PATH_SIZE];
	const char *below = path;
	double capacity;

	if (own_path(v2, path, sizeof(path)) || mount_point(v2, root, point))
		return 0;
	if (strcmp(root, "/") != 0 && strncmp(path, root, strlen(root)) == 0)
		below = path + strlen(root);
	if (snprintf(ret_path, CPU_GROUP_PATH_SIZE, "%s%s", point, below) >=
	    CPU_GROUP_PATH_SIZE)
		return 0;
	while (strlen(ret_path) >= strlen(point)) {
		capacity = is_own_unit(ret_path) ? 0 : quota_of(ret_path);
		if (capacity > 0)
			return capacity;
		if (!strrchr(ret_path, '/'))
			break;
		*strrchr(ret_path, '/') = '\0';
	}
	return 0;
}

void cpu_group_find(struct cpu_group *ret)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	double capacity = find_quota(0, ret->path);

	if (capacity <= 0)
		capacity = find_quota(1, ret->path);
	if (capacity <= 0)
		ret->path[0] = '\0';
	ret->capacity = online > 0 ? (double)online : 1;
	if (capacity > 0 && capacity < ret->capacity)
		ret->capacity = capacity;
}
