/* tasks.c - the processes of a job that do its work, watched */
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/profilers/phases.h"
#include "collectors/profilers/syscalls.h"
#include "collectors/profilers/tasks.h"
#include "collectors/sensors/processes.h"

/* Of the CPU time of the task that uses most: those that use less are
 * helpers. */
#define HELPER_SHARE 0.05

struct task {
	pid_t pid;
	uint64_t born_ticks;
	bool alive, parent;
	int schedstat_fd;
	struct syscall_counter counter;
	double looked_at_s;
	double run_s, cpu_s, ready_s; /* so far: by schedstat, by the counter */
	uint64_t calls;
	double user_s, system_s; /* when /proc was looked through last */
	double system;           /* share of that in between; NAN */
	struct phases phases;
};

struct tasks {
	uint32_t job_id;
	double spin_rate;
	int count;
	struct task of[TASKS_MAX];
	struct processes processes;
};

struct tasks *tasks_create(uint32_t job_id, double spin_rate)
{
	struct tasks *tasks = calloc(1, sizeof(*tasks));

	if (tasks) {
		tasks->job_id = job_id;
		tasks->spin_rate = spin_rate;
	}
	return tasks;
}

static void leave(struct task *task)
{
	if (!task->alive)
		return;
	task->alive = false;
	close(task->schedstat_fd);
	syscalls_close(&task->counter);
}

void tasks_destroy(struct tasks *tasks)
{
	if (!tasks)
		return;
	for (int i = 0; i < tasks->count; i++)
		leave(&tasks->of[i]);
	processes_clear(&tasks->processes);
	free(tasks);
}

/* --- Looking ------------------------------------------------------------------ */

static int read_schedstat(const struct task *task, double *ret_run_s,
			  double *ret_ready_s)
{
	char text[96], *end;
	ssize_t size = pread(task->schedstat_fd, text, sizeof(text) - 1, 0);

	if (size <= 0)
		return -1;
	text[size] = '\0';

	uint64_t run_ns = strtoull(text, &end, 10);
	uint64_t wait_ns = strtoull(end, &end, 10);

	if (*end != ' ')
		return -1;
	*ret_run_s = (double)run_ns * 1e-9;
	*ret_ready_s = (double)wait_ns * 1e-9;
	return 0;
}

/* -1: it has gone. */
static int look(struct task *task, double now_s, struct window *ret)
{
	double run_s, ready_s, cpu_s = 0;
	uint64_t calls = 0;
	bool has_counter = task->counter.calls_fd >= 0;

	if (read_schedstat(task, &run_s, &ready_s))
		return -1;
	if (has_counter && syscalls_read(&task->counter, &calls, &cpu_s))
		return -1;
	*ret = (struct window){
		.wall_s = now_s - task->looked_at_s,
		.cpu_s =
			has_counter ? cpu_s - task->cpu_s : run_s - task->run_s,
		.ready_s = ready_s - task->ready_s,
		.calls = has_counter ? (double)(calls - task->calls) : NAN,
		.system = task->system,
	};
	task->looked_at_s = now_s;
	task->run_s = run_s;
	task->cpu_s = cpu_s;
	task->ready_s = ready_s;
	task->calls = calls;
	return 0;
}

void tasks_look(struct tasks *tasks, double now_s)
{
	for (int i = 0; i < tasks->count; i++) {
		struct task *task = &tasks->of[i];
		struct window window;

		if (!task->alive)
			continue;
		if (look(task, now_s, &window))
			leave(task);
		else
			phases_add(&task->phases, &window, tasks->spin_rate);
	}
}

/* --- Finding ------------------------------------------------------------------- */

/* The share of system time since it was asked for last; only where calls can't
 * be counted. */
static void look_at_times(struct task *task)
{
	char path[64], text[1024];
	unsigned long user, system;
	const char *end;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)task->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;

	ssize_t size = read(fd, text, sizeof(text) - 1);

	close(fd);
	text[size > 0 ? size : 0] = '\0';
	end = strrchr(text, ')');
	if (!end ||
	    sscanf(end + 1,
		   " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
		   &user, &system) != 2)
		return;

	double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
	double user_s = (double)user * tick_s - task->user_s;
	double system_s = (double)system * tick_s - task->system_s;

	if (user_s + system_s > 10 * tick_s) {
		task->system = system_s / (user_s + system_s);
		task->user_s += user_s;
		task->system_s += system_s;
	}
}

static struct task *find(struct tasks *tasks, const struct process *process)
{
	for (int i = 0; i < tasks->count; i++)
		if (tasks->of[i].pid == process->pid &&
		    tasks->of[i].born_ticks == process->born_ticks)
			return &tasks->of[i];
	return NULL;
}

static void add(struct tasks *tasks, const struct process *process,
		double now_s)
{
	struct window unused;
	char path[64];

	if (tasks->count == TASKS_MAX)
		return;

	struct task *task = &tasks->of[tasks->count];

	*task = (struct task){ .pid = process->pid,
			       .born_ticks = process->born_ticks,
			       .alive = true,
			       .looked_at_s = now_s,
			       .system = NAN };
	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)process->pid);
	task->schedstat_fd = open(path, O_RDONLY | O_CLOEXEC);
	if (task->schedstat_fd < 0)
		return;
	(void)syscalls_open(process->pid, &task->counter);
	if (look(task, now_s, &unused)) {
		leave(task);
		return;
	}
	tasks->count++;
}

static bool has_children(const struct processes *processes, pid_t pid)
{
	for (size_t i = 0; i < processes->count; i++)
		if (processes->of[i].parent == pid)
			return true;
	return false;
}

int tasks_find(struct tasks *tasks, double now_s, struct sp_error *err)
{
	const struct processes *processes = &tasks->processes;

	if (processes_read("", &tasks->processes, err))
		return -1;
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->of[i];
		struct task *task;

		if (!process->in_job || process->step_daemon ||
		    process->job_id != tasks->job_id)
			continue;
		task = find(tasks, process);
		if (has_children(processes, process->pid)) {
			if (task) {
				leave(task);
				task->parent = true;
			}
			continue;
		}
		if (!task)
			add(tasks, process, now_s);
		else if (task->alive && task->counter.calls_fd < 0)
			look_at_times(task);
	}
	return 0;
}

int tasks_alive(const struct tasks *tasks)
{
	int alive = 0;

	for (int i = 0; i < tasks->count; i++)
		alive += tasks->of[i].alive;
	return alive;
}

int tasks_pids(const struct tasks *tasks, pid_t ret[], int max)
{
	int count = 0;

	for (int i = 0; i < tasks->count && count < max; i++)
		if (tasks->of[i].alive)
			ret[count++] = tasks->of[i].pid;
	return count;
}

/* --- What came of it ------------------------------------------------------------ */

static double used_s(const struct task *task)
{
	return task->phases.busy_s + task->phases.spinning_s;
}

double tasks_used_s(const struct tasks *tasks)
{
	double used = 0;

	for (int i = 0; i < tasks->count; i++)
		used += used_s(&tasks->of[i]);
	return used;
}

static bool is_counted(const struct tasks *tasks, const struct task *task)
{
	double most_s = 0;

	for (int i = 0; i < tasks->count; i++)
		if (!tasks->of[i].parent)
			most_s = fmax(most_s, used_s(&tasks->of[i]));
	return !task->parent && used_s(task) > 0 &&
	       used_s(task) >= HELPER_SHARE * most_s;
}

bool tasks_has(const void *context, pid_t pid)
{
	const struct tasks *tasks = context;

	for (int i = 0; i < tasks->count; i++)
		if (tasks->of[i].pid == pid)
			return is_counted(tasks, &tasks->of[i]);
	return false;
}

void tasks_sum(const struct tasks *tasks, struct profile_node *ret)
{
	double cycles = 0, busy_seen_s = 0, idle_seen_s = 0, n;

	ret->tasks = 0;
	ret->busy_s = ret->ready_s = ret->idle_s = ret->spinning_s = 0;
	for (int i = 0; i < tasks->count; i++) {
		const struct phases *phases = &tasks->of[i].phases;

		if (!is_counted(tasks, &tasks->of[i]))
			continue;
		ret->tasks++;
		ret->busy_s += phases->busy_s;
		ret->ready_s += phases->ready_s;
		ret->idle_s += phases->idle_s;
		ret->spinning_s += phases->spinning_s;
		cycles += phases_cycles(phases);
		busy_seen_s += phases->busy_seen_s;
		idle_seen_s += phases->idle_seen_s;
	}
	if (!ret->tasks) {
		ret->busy_s = ret->ready_s = NAN;
		ret->idle_s = ret->spinning_s = NAN;
		return;
	}
	ret->busy_phase_s = busy_seen_s / cycles;
	ret->idle_phase_s = idle_seen_s / cycles;
	n = ret->tasks;
	ret->busy_s /= n;
	ret->ready_s /= n;
	ret->idle_s /= n;
	ret->spinning_s /= n;
}
