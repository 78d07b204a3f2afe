/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cpu_group.c - quotas and CPUs in hierarchies of both versions */
#include <errno.h>
#include <sys/stat.h>

#include "collectors/sensors/cpu_group.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

#define V2 "29 22 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n"
#define V1                                   \
	"30 29 0:27 / /sys/fs/cgroup/cpu rw" \
	" - cgroup cgroup rw,cpu,cpuacct\n"
#define SETS "31 29 0:28 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"

/* A file with all the folders that it takes. */
static void put(const char *name, const char *text)
{
	char part[256];

	for (const char *at = strchr(name, '/'); at; at = strchr(at + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(at - name), name);
		ck_assert(!mkdir(folder_path(part), 0700) || errno == EEXIST);
	}
	folder_put(name, text);
}

static void put_group(const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "sys/fs/cgroup/%s", name);
	put(path, text);
}

static void find(const char *mounts, const char *own, struct cpu_group *ret)
{
	put("proc/self/mountinfo", mounts);
	put("proc/self/cgroup", own);
	cpu_group_find(folder, ret);
}

static void check_path(const struct cpu_group *group, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "sys/fs/cgroup/%s", name);
	ck_assert_str_eq(group->path, folder_path(path));
}

START_TEST(test_v2)
{
	struct cpu_group group;

	folder_make();
	put_group("a.slice/b/cpu.max", "max 100000\n");
	put_group("a.slice/cpu.max", "25000 50000\n");
	put_group("a.slice/b/cpuset.cpus.effective", "0\n");
	find(V2, "0::/a.slice/b\n", &group);
	ck_assert_double_eq(group.quota, 0.5);
	ck_assert_double_eq_tol(group.period_s, 0.05, 1e-12);
	ck_assert_double_eq(group.cpus, 1);
	check_path(&group, "a.slice");
	/* The innermost counts. */
	put_group("a.slice/b/cpu.max", "20000 100000\n");
	find(V2, "0::/a.slice/b\n", &group);
	ck_assert_double_eq(group.quota, 0.2);
	check_path(&group, "a.slice/b");
	folder_remove();
}
END_TEST

/* What systemd allows collectord alone is not the node's. */
START_TEST(test_own_unit)
{
	struct cpu_group group;

	folder_make();
	put_group("system.slice/collectord.service/cpu.max", "1000 100000\n");
	put_group("system.slice/cpu.max", "max 100000\n");
	find(V2, "0::/system.slice/collectord.service\n", &group);
	ck_assert_str_eq(group.path, "");
	ck_assert_double_eq(group.quota, group.cpus);
	ck_assert_double_eq(group.period_s, 0);
	folder_remove();
}
END_TEST

START_TEST(test_v1)
{
	struct cpu_group group;

	folder_make();
	put_group("cpu/node/cpu.cfs_quota_us", "40000\n");
	put_group("cpu/node/cpu.cfs_period_us", "100000\n");
	put_group("cpuset/cpuset.cpus", "0\n");
	find(V1 SETS, "4:cpu,cpuacct:/node\n3:cpuset:/\n", &group);
	ck_assert_double_eq(group.quota, 0.4);
	ck_assert_double_eq_tol(group.period_s, 0.1, 1e-12);
	ck_assert_double_eq(group.cpus, 1);
	check_path(&group, "cpu/node");
	put_group("cpu/node/cpu.cfs_quota_us", "-1\n");
	find(V1 SETS, "4:cpu,cpuacct:/node\n3:cpuset:/\n", &group);
	ck_assert_str_eq(group.path, "");
	folder_remove();
}
END_TEST

/* systemd's hybrid: the CPU is v1's, v2 has processes alone. */
START_TEST(test_hybrid)
{
	struct cpu_group group;

	folder_make();
	put_group("cpu/node/cpu.cfs_quota_us", "40000\n");
	put_group("cpu/node/cpu.cfs_period_us", "100000\n");
	put_group("unified/node/cgroup.procs", "1\n");
	find("29 22 0:26 / /sys/fs/cgroup/unified rw - cgroup2 none rw\n" V1,
	     "4:cpu,cpuacct:/node\n0::/node\n", &group);
	ck_assert_double_eq(group.quota, 0.4);
	check_path(&group, "cpu/node");
	folder_remove();
}
END_TEST

/* A container sees its part of the hierarchy as the whole. */
START_TEST(test_container)
{
	struct cpu_group group;

	folder_make();
	put_group("cpu.max", "30000 100000\n");
	find("29 22 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
	     "0::/docker/abc/job\n", &group);
	ck_assert_double_eq_tol(group.quota, 0.3, 1e-12);
	ck_assert_str_eq(group.path, folder_path("sys/fs/cgroup"));
	folder_remove();
}
END_TEST

/* The group that a node shares with others of its machine. */
START_TEST(test_top)
{
	char weight[CONTROL_GROUP_PATH_SIZE], usage[CONTROL_GROUP_PATH_SIZE];
	struct cpu_group group;

	folder_make();
	find("30 29 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
	     "33 29 0:31 / /sys/fs/cgroup/acct rw - cgroup cgroup rw,cpuacct\n",
	     "4:cpu:/nodes/n1\n5:cpuacct:/nodes/n1\n", &group);
	ck_assert_int_eq(cpu_group_top(folder, weight, usage), 0);
	ck_assert_str_eq(weight, folder_path("sys/fs/cgroup/cpu/nodes"));
	ck_assert_str_eq(usage, folder_path("sys/fs/cgroup/acct/nodes"));
	find(V2, "0::/a.slice/b\n", &group);
	ck_assert_int_eq(cpu_group_top(folder, weight, usage), 0);
	ck_assert_str_eq(usage, folder_path("sys/fs/cgroup/a.slice"));
	find(V2, "0::/\n", &group);
	ck_assert_int_eq(cpu_group_top(folder, weight, usage), -1);
	folder_remove();
}
END_TEST

START_TEST(test_nothing_mounted)
{
	struct cpu_group group;

	folder_make();
	cpu_group_find(folder, &group);
	ck_assert_str_eq(group.path, "");
	ck_assert_double_ge(group.cpus, 1);
	ck_assert_double_eq(group.quota, group.cpus);
	folder_remove();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_v2,
		test_own_unit,
		test_v1,
		test_hybrid,
		test_container,
		test_top,
		test_nothing_mounted,
		NULL,
	};

	return suite_run("cpu_group", tests);
}
