/* SPDX-License-Identifier: GPL-2.0-or-later */
/* processes.c - the list of processes, and the Slurm job of each
 *
 * Reads /proc/PID/stat of all processes, or of those in a control group and the
 * groups below it, sorted by pid.  A process belongs to a job if a slurmstepd
 * is among its ancestors.  Kernel threads that are known are copied from the
 * last list.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/sensors/processes.h"
#include "predictor/base/compare.h"
#include "predictor/base/durable.h"
#include "predictor/base/index.h"
#include "predictor/base/small_file.h"

#define PF_KTHREAD       0x00200000u /* of the kernel's sched.h, since 2.6 */
#define GROUP_DEPTH_MAX  16
#define PARENT_DEPTH_MAX 256

static bool is_word(const char *text, size_t length, const char *word)
{
	return length == strlen(word) && memcmp(text, word, length) == 0;
}

int process_parse(const char *text, struct process *ret)
{
	struct process process = { 0 };
	const char *name = strchr(text, '(');
	const char *end = strrchr(text, ')'); /* a name may hold some, too */
	uint64_t user, system, child_user, child_system;
	unsigned flags;
	int nice;

	if (!name || !end || end < name)
		return -1;
	if (sscanf(text, "%d", &process.pid) != 1 ||
	    sscanf(end + 1,
		   " %c %d %*d %*d %*d %*d %u %*u %*u %*u %*u %" SCNu64
		   " %" SCNu64 " %" SCNu64 " %" SCNu64 " %*d %d %" SCNu32
		   " %*d %" SCNu64 " %*u %" SCNu64,
		   &process.state, &process.parent, &flags, &user, &system,
		   &child_user, &child_system, &nice, &process.threads,
		   &process.born_ticks, &process.resident_pages) != 11 ||
	    nice < -20 || nice > 19)
		return -1;

	size_t length = (size_t)(end - name - 1);

	process.nice = (int8_t)nice;
	process.ticks = user + system;
	process.child_ticks = child_user + child_system;
	process.step_daemon = is_word(name + 1, length, "slurmstepd");
	process.slurmd = is_word(name + 1, length, "slurmd");
	process.kernel = flags & PF_KTHREAD;
	*ret = process;
	return 0;
}

/* Adds the times of one thread, from /proc/PID/.../schedstat. */
static int add_times(int dir_fd, const char *path, uint64_t *run_ns,
		     uint64_t *wait_ns)
{
	char text[128];
	uint64_t run, wait;

	if (small_file_read(dir_fd, path, text, sizeof(text)) <= 0 ||
	    sscanf(text, "%" SCNu64 " %" SCNu64, &run, &wait) != 2)
		return -1;
	*run_ns += run;
	*wait_ns += wait;
	return 0;
}

int process_times(const struct process *process, uint64_t *ret_run_ns,
		  uint64_t *ret_wait_ns)
{
	char path[300];
	uint64_t run_ns = 0, wait_ns = 0;
	int seen = 0;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)process->pid,
		 process->threads > 1 ? "task" : "schedstat");
	if (process->threads > 1) {
		DIR *tasks = opendir(path);
		struct dirent *entry;

		while (tasks && seen < PROCESS_THREADS_MAX &&
		       (entry = readdir(tasks))) {
			if (!isdigit((unsigned char)entry->d_name[0]))
				continue;
			snprintf(path, sizeof(path), "%s/schedstat",
				 entry->d_name);
			if (add_times(dirfd(tasks), path, &run_ns, &wait_ns) ==
			    0)
				seen++;
		}
		if (tasks)
			closedir(tasks);
	} else if (add_times(AT_FDCWD, path, &run_ns, &wait_ns) == 0) {
		seen = 1;
	}
	if (!seen)
		return -1;
	*ret_run_ns = run_ns;
	*ret_wait_ns = wait_ns;
	return 0;
}

/* A slurmstepd calls itself "slurmstepd: [123.batch]". */
static uint32_t step_daemon_job(int proc_fd, pid_t pid)
{
	char path[64], text[128];
	unsigned job_id;

	snprintf(path, sizeof(path), "%d/cmdline", (int)pid);
	if (small_file_read(proc_fd, path, text, sizeof(text)) > 0 &&
	    sscanf(text, "slurmstepd: [%u.", &job_id) == 1)
		return job_id;
	return 0;
}

/* Anybody may call a process of his "slurmstepd".  The owner of files below
 * /proc/PID is the effective user, or root where it is not dumpable; a setuid
 * program is root's too, but its real user is not. */
static bool is_roots(int proc_fd, pid_t pid)
{
	char path[64], text[4096];
	const char *line;
	unsigned real;

	snprintf(path, sizeof(path), "%d/status", (int)pid);
	if (small_file_read(proc_fd, path, text, sizeof(text)) <= 0)
		return false;
	/* "Name:" comes first, with newlines in it escaped. */
	line = strstr(text, "\nUid:");
	return line && sscanf(line, " Uid: %u", &real) == 1 && real == 0;
}

struct reading {
	int proc_fd;
	const struct processes *known;
	struct processes *into;
};

/* A process that has gone meanwhile is no error. */
static int read_process(int proc_fd, pid_t pid, struct process *ret)
{
	char path[64], text[1024];
	struct process process;

	snprintf(path, sizeof(path), "%d/stat", (int)pid);
	if (small_file_read(proc_fd, path, text, sizeof(text)) <= 0 ||
	    process_parse(text, &process))
		return -1;
	if ((process.step_daemon || process.slurmd) && !is_roots(proc_fd, pid))
		process.step_daemon = process.slurmd = false;
	if (process.step_daemon) {
		process.in_job = true;
		process.job_id = step_daemon_job(proc_fd, pid);
	}
	*ret = process;
	return 0;
}

static int add_process(struct reading *reading, pid_t pid)
{
	struct processes *processes = reading->into;
	const struct process *known = processes_find(reading->known, pid);
	struct process process;

	if (processes->count == PROCESSES_MAX)
		return 0;
	if (known && known->kernel)
		process = *known;
	else if (read_process(reading->proc_fd, pid, &process))
		return 0;
	if (index_grow(&processes->of, &processes->room, processes->count,
		       sizeof(*processes->of)))
		return -1;
	processes->of[processes->count++] = process;
	return 0;
}

static int add_all(struct reading *reading)
{
	DIR *stream = durable_stream(reading->proc_fd, ".");
	struct dirent *entry;
	int rc = 0;

	if (!stream)
		return -1;
	while (rc == 0 && (entry = readdir(stream)))
		if (isdigit((unsigned char)entry->d_name[0]))
			rc = add_process(reading, (pid_t)strtol(entry->d_name,
								NULL, 10));
	closedir(stream);
	return rc;
}

static int add_group(struct reading *reading, int parent_fd, const char *name,
		     int depth)
{
	int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int list =
		fd < 0 ? -1 : openat(fd, "cgroup.procs", O_RDONLY | O_CLOEXEC);
	FILE *lines = list < 0 ? NULL : fdopen(list, "r");
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int pid, rc = lines && stream ? 0 : -1;

	/* Processes of another namespace are listed as 0. */
	while (rc == 0 && fscanf(lines, "%d", &pid) == 1)
		if (pid > 0)
			rc = add_process(reading, pid);
	/* A group below may be gone meanwhile: no error. */
	while (rc == 0 && depth < GROUP_DEPTH_MAX && (entry = readdir(stream)))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			add_group(reading, fd, entry->d_name, depth + 1);
	if (lines)
		fclose(lines);
	else if (list >= 0)
		close(list);
	if (stream)
		closedir(stream);
	else if (fd >= 0)
		close(fd);
	return rc;
}

COMPARE_BY(compare_pids, struct process, pid)

struct process *processes_find(const struct processes *processes, pid_t pid)
{
	struct process key = { .pid = pid };

	if (!processes->count)
		return NULL;
	return bsearch(&key, processes->of, processes->count, sizeof(key),
		       compare_pids);
}

static void find_jobs(struct processes *processes)
{
	for (size_t i = 0; i < processes->count; i++) {
		struct process *process = &processes->of[i];
		const struct process *above = process;

		for (int depth = 0;
		     above && !above->in_job && depth < PARENT_DEPTH_MAX;
		     depth++)
			above = above->parent > 1
					? processes_find(processes,
							 above->parent)
					: NULL;
		if (above && above->in_job) {
			process->in_job = true;
			process->job_id = above->job_id;
		}
	}
}

int processes_read_again(const char *group, const struct processes *known,
			 struct processes *processes, struct sp_error *err)
{
	struct reading reading = { .known = known, .into = processes };
	int rc;

	processes->count = 0;
	reading.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (reading.proc_fd < 0)
		return sp_error_set(err, "/proc: %s", strerror(errno));
	errno = 0;
	rc = *group ? add_group(&reading, AT_FDCWD, group, 0)
		    : add_all(&reading);
	if (rc)
		sp_error_set(err, "processes of %s: %s",
			     *group ? group : "/proc", strerror(errno));
	close(reading.proc_fd);
	if (processes->count)
		qsort(processes->of, processes->count, sizeof(*processes->of),
		      compare_pids);
	find_jobs(processes);
	return rc;
}

int processes_read(const char *group, struct processes *processes,
		   struct sp_error *err)
{
	static const struct processes none = { .count = 0 };

	return processes_read_again(group, &none, processes, err);
}

void processes_clear(struct processes *processes)
{
	free(processes->of);
	*processes = (struct processes){ 0 };
}
