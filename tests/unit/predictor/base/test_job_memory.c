/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job_memory.c - files of control groups, as kernels wrote them */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "predictor/base/job_memory.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

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

/* Return whether the process is in a group of the job. */
static bool memory_read(const char *process, uint32_t job_id,
			struct job_memory *ret)
{
	char group[CONTROL_GROUP_PATH_SIZE + 1];

	job_memory_folder(folder, process, job_id, group);
	job_memory_read(group, ret);
	return *group;
}

#define V2                                                                  \
	"29 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 " \
	"rw,nsdelegate,memory_recursiveprot\n"
#define V2_JOB "sys/fs/cgroup/system.slice/slurmstepd.scope/job_4711"
/* Of Linux 6.1, shortened. */
#define V2_STAT                                                     \
	"anon 314572800\nfile 2684354560\nkernel 12345678\n"        \
	"kernel_stack 49152\npagetables 1052672\nshmem 524288000\n" \
	"zswap 0\nfile_mapped 1073741824\nfile_dirty 0\n"           \
	"inactive_anon 838803456\nanon_thp 0\n"

START_TEST(test_v2)
{
	struct job_memory memory;
	char group[CONTROL_GROUP_PATH_SIZE + 1];

	folder_make();
	put("proc/self/mountinfo", V2);
	put("proc/77/cgroup",
	    "0::/system.slice/slurmstepd.scope/job_4711/step_0/user/task_1\n");
	put(V2_JOB "/memory.stat", V2_STAT);
	ck_assert(memory_read("77", 4711, &memory));
	ck_assert_double_eq(memory.own_mb, 800);
	ck_assert_double_eq(memory.mapped_mb, 524); /* but for shared memory */
	/* Before Linux 5.19. */
	ck_assert_double_nan(memory.cached_mb);
	job_memory_folder(folder, "77", 4711, group);
	ck_assert_double_nan(job_memory_most_mb(group));
	ck_assert_double_nan(memory.resident_mb);
	put(V2_JOB "/memory.peak", "3221225472\n");
	ck_assert(memory_read("77", 4711, &memory));
	ck_assert_double_eq(memory.cached_mb, 3072);
	ck_assert_double_eq(job_memory_most_mb(group), 3072);
	put(V2_JOB "/memory.peak", "4294967296\n");
	ck_assert_double_eq(job_memory_most_mb(group), 4096);
	job_memory_folder(folder, "77", 4712, group);
	ck_assert_str_eq(group, "");
	ck_assert_double_nan(job_memory_most_mb(group));
	/* More shared memory than is mapped. */
	put(V2_JOB "/memory.stat", "anon 0\nfile_mapped 4096\nshmem 8192\n");
	ck_assert(memory_read("77", 4711, &memory));
	ck_assert_double_eq(memory.mapped_mb, 0);
	/* Another job, and one whose id begins with the same digits. */
	ck_assert(!memory_read("77", 4712, &memory));
	ck_assert(!memory_read("77", 471, &memory));
	ck_assert_double_nan(memory.own_mb);
	ck_assert(!memory_read("78", 4711, &memory));
	folder_remove();
}
END_TEST

#define V1                                                                  \
	"30 29 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" \
	"31 29 0:28 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n"

/* The sums are of the steps, which are groups below. */
START_TEST(test_v1)
{
	struct job_memory memory;
	const char *job = "sys/fs/cgroup/memory/slurm/uid_2/job_9";
	char path[128], group[CONTROL_GROUP_PATH_SIZE + 1];

	folder_make();
	put("proc/self/mountinfo", V1);
	put("proc/self/cgroup", "6:freezer:/slurm/uid_2/job_9/step_0\n"
				"4:memory:/slurm/uid_2/job_9/step_batch\n"
				"0::/\n");
	/* Slurm limits no memory: there is no such group. */
	ck_assert(!memory_read("self", 9, &memory));
	snprintf(path, sizeof(path), "%s/memory.stat", job);
	put(path, "cache 0\nrss 0\nshmem 0\nmapped_file 0\n"
		  "total_cache 2147483648\ntotal_rss 104857600\n"
		  "total_rss_huge 0\ntotal_shmem 1048576\n"
		  "total_mapped_file 2097152\n");
	snprintf(path, sizeof(path), "%s/memory.max_usage_in_bytes", job);
	put(path, "2252341248\n");
	ck_assert(memory_read("self", 9, &memory));
	ck_assert_double_eq(memory.own_mb, 101);
	ck_assert_double_eq(memory.mapped_mb, 1);
	ck_assert_double_eq(memory.cached_mb, 2148);
	job_memory_folder(folder, "self", 9, group);
	ck_assert_double_eq(job_memory_most_mb(group), 2148);
	/* No shmem before Linux 4.13. */
	snprintf(path, sizeof(path), "%s/memory.stat", job);
	put(path, "total_rss 104857600\n");
	ck_assert(memory_read("self", 9, &memory));
	ck_assert_double_eq(memory.own_mb, 100);
	folder_remove();
}
END_TEST

START_TEST(test_raise)
{
	struct job_memory most = job_memory_unknown;

	job_memory_raise(&most, &(struct job_memory){ 7, NAN, 3, 11 });
	job_memory_raise(&most, &(struct job_memory){ 5, 2, NAN, 13 });
	ck_assert_double_eq(most.resident_mb, 7);
	ck_assert_double_eq(most.own_mb, 2);
	ck_assert_double_eq(most.mapped_mb, 3);
	ck_assert_double_eq(most.cached_mb, 13);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_v2, test_v1, test_raise, NULL };

	return suite_run("job_memory", tests);
}
