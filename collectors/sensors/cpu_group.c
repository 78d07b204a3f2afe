/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_group.c - the CPU control group that we run in: its quota, its CPUs
 *
 * group_climb() goes up from our own group to the first one with a quota, or
 * with a set of CPUs; v1 first, then v2.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/sensors/cpu_group.h"
#include "predictor/base/small_file.h"

#define CPUS_MAX 65536

double cpu_group_parse_max(const char *text)
{
	double quota, period;

	if (sscanf(text, "%lf %lf", &quota, &period) != 2 || !(quota > 0) ||
	    !(period > 0))
		return 0;
	return quota / period;
}

/* CPUs' worth of time that a group may use; 0: no limit. */
static double quota_of(const char *folder, double *ret_period_s)
{
	char text[128], both[300];
	double quota, period_us;

	small_file_line(folder, "cpu.max", both, sizeof(both));
	quota = cpu_group_parse_max(both);
	if (!(quota > 0)) {
		small_file_line(folder, "cpu.cfs_quota_us", text, sizeof(text));
		text[strcspn(text, "\n")] = '\0';
		snprintf(both, sizeof(both), "%s ", text);
		small_file_line(folder, "cpu.cfs_period_us", text,
				sizeof(text));
		strcat(both, text);
		quota = cpu_group_parse_max(both);
	}
	if (quota > 0 && sscanf(both, "%*f %lf", &period_us) == 1)
		*ret_period_s = period_us * 1e-6;
	return quota;
}

int cpu_group_count(const char *list)
{
	int count = 0, first, last, used;

	while (sscanf(list, "%d%n", &first, &used) == 1 && first >= 0) {
		list += used;
		last = first;
		if (sscanf(list, "-%d%n", &last, &used) == 1)
			list += used;
		if (last < first || last - first >= CPUS_MAX)
			return 0;
		count += last - first + 1;
		if (*list != ',' || count > CPUS_MAX)
			break;
		list++;
	}
	return count <= CPUS_MAX ? count : 0;
}

/* CPUs that a group may run on; 0: not set here. */
static double cpus_of(const char *folder, double *ret_unused)
{
	static const char *const names[] = { "cpuset.cpus.effective",
					     "cpuset.effective_cpus",
					     "cpuset.cpus", NULL };
	char text[4096];
	int count = 0;

	(void)ret_unused;
	for (int i = 0; names[i] && !count; i++) {
		small_file_line(folder, names[i], text, sizeof(text));
		count = cpu_group_count(text);
	}
	return count;
}

/* What systemd allows collectord itself (CPUQuota=) is not the node's. */
static int is_own_unit(const char *folder)
{
	static const char suffix[] = ".service";
	size_t length = strlen(folder);

	return length >= strlen(suffix) &&
	       strcmp(folder + length - strlen(suffix), suffix) == 0;
}

/* A limit of a group; 0: none. */
typedef double group_fn(const char *folder, double *ret_more);

/* Return the first limit found, from our group up to the top of the mount. */
static double group_climb(const char *root, const char *controller,
			  group_fn *read, char *ret_path, double *ret_more)
{
	size_t mount = control_group_folder(root, "self", controller, ret_path);
	double limit;

	while (mount && strlen(ret_path) >= mount) {
		limit = is_own_unit(ret_path) ? 0 : read(ret_path, ret_more);
		if (limit > 0)
			return limit;
		if (!strrchr(ret_path, '/'))
			break;
		*strrchr(ret_path, '/') = '\0';
	}
	return 0;
}

static int top_folder(const char *root, const char *controller, char *ret_path)
{
	size_t mount = control_group_folder(root, "self", controller, ret_path);
	char *end;

	if (!mount || strlen(ret_path) < mount + 2)
		return -1;
	end = strchr(ret_path + mount + 1, '/');
	if (end)
		*end = '\0';
	return 0;
}

int cpu_group_top(const char *root, char *ret_weight, char *ret_usage)
{
	if (top_folder(root, "cpu", ret_weight) == 0)
		return top_folder(root, "cpuacct", ret_usage);
	return top_folder(root, NULL, ret_weight) ||
			       top_folder(root, NULL, ret_usage)
		       ? -1
		       : 0;
}

void cpu_group_find(const char *root, struct cpu_group *ret)
{
	char unused_path[CONTROL_GROUP_PATH_SIZE];
	double online = (double)sysconf(_SC_NPROCESSORS_ONLN), unused;
	double cpus =
		group_climb(root, "cpuset", cpus_of, unused_path, &unused);
	double quota;

	if (!(cpus > 0))
		cpus = group_climb(root, NULL, cpus_of, unused_path, &unused);
	ret->cpus = cpus > 0 && cpus < online ? cpus : fmax(1, online);
	ret->period_s = 0;
	quota = group_climb(root, "cpu", quota_of, ret->path, &ret->period_s);
	if (!(quota > 0))
		quota = group_climb(root, NULL, quota_of, ret->path,
				    &ret->period_s);
	if (!(quota > 0))
		ret->path[0] = '\0';
	ret->quota = quota > 0 && quota < ret->cpus ? quota : ret->cpus;
}
