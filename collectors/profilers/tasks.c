/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tasks.c - CPU use of the processes that do a job's work
 *
 * tasks_find() reads the process list, adds new tasks and drops those that have
 * children.  tasks_sample() reads schedstat and the system call counter of each
 * task, and adds the window since the last sample to its phases.  tasks_sum()
 * is the mean over tasks, helpers excluded.
 *
 * births.h hears of searches and ends.  When there have been TASKS_MAX tasks,
 * ended ones make room for others: sums over the job are then of the last ones.
 *
 * Counting a task's system calls makes each of them longer.  Once that has cost
 * its budget, calls are counted for short periods only, and estimated in
 * between from their rate per second of CPU time when they were counted.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "collectors/profilers/births.h"
#include "collectors/profilers/phases.h"
#include "collectors/profilers/syscalls.h"
#include "collectors/profilers/task_times.h"
#include "collectors/profilers/tasks.h"
#include "collectors/sensors/processes.h"
#include "predictor/base/clock.h"

/* A task that uses less CPU time, relative to the one that uses most, is a
 * helper. */
#define HELPER_SHARE 0.05

/* Budget of counting: a share of the tasks' CPU time, and a constant.  It
 * resumes when COST_LEFT_S of it is left, and lasts COUNT_S at least, to see
 * phases. */
#define COST_SHARE   0.0015
#define COST_BEGIN_S 0.005
#define COST_LEFT_S  0.002
#define COUNT_S      0.5

/* Measured on Linux 6.18: overhead of a counted call, of opening and closing a
 * counter, and of the first counter in addition. */
#define CALL_S  0.12e-6
#define OPEN_S  0.14e-3
#define FIRST_S 0.4e-3

/* The least user and system time, which have steps of 10 ms, from which shares
 * are taken. */
#define SYSTEM_MIN_S 0.1

struct task {
	pid_t pid, launcher;
	uint64_t born_ticks;
	double born_at_s; /* by the monotonic clock */
	double gap_s; /* between the search that found it and the last one */
	bool alive, parent;
	int schedstat_fd;
	bool countable;
	struct syscall_counter counter; /* open while they are counted */
	double counted, counted_s;      /* calls so far, in so much CPU time */
	double sampled_at_s;
	double run_s, ready_s; /* so far, by schedstat */
	double cpu_s;          /* so far, by the counter */
	uint64_t calls;
	double user_s, system_s; /* at the last system_time_sample() */
	double system;           /* share of it since the one before; NAN */
	struct phases phases;
};

struct tasks {
	uint32_t job_id;
	double spin_rate;
	bool counting;
	double counting_until_s; /* at least */
	double cost_s;           /* of counting so far */
	double dropped_used_s;   /* by those that made room */
	struct births births;
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
		tasks->counting = true;
	}
	return tasks;
}

static void task_close(struct task *task)
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
		task_close(&tasks->of[i]);
	processes_clear(&tasks->processes);
	free(tasks);
}

/* --- Samples ------------------------------------------------------------- */

/* Return -1 if the task has ended. */
static int counter_sample(struct task *task, struct window *window)
{
	uint64_t calls;
	double cpu_s;

	if (syscalls_read(&task->counter, &calls, &cpu_s))
		return -1;
	window->calls = (double)(calls - task->calls);
	window->cpu_s = cpu_s - task->cpu_s;
	task->calls = calls;
	task->cpu_s = cpu_s;
	task->counted += window->calls;
	task->counted_s += window->cpu_s;
	return 0;
}

static int task_sample(struct task *task, double now_s, struct window *ret)
{
	double run_s, ready_s;

	if (task_times_ran(task->schedstat_fd, &run_s, &ready_s))
		return -1;
	*ret = (struct window){
		.wall_s = now_s - task->sampled_at_s,
		.cpu_s = run_s - task->run_s,
		.ready_s = ready_s - task->ready_s,
		.calls = NAN,
		.system = task->system,
	};
	if (task->counter.calls_fd >= 0) {
		if (counter_sample(task, ret))
			return -1;
	} else if (task->counted_s > 0) {
		ret->calls = ret->cpu_s * task->counted / task->counted_s;
		ret->estimated = true;
	}
	task->sampled_at_s = now_s;
	task->run_s = run_s;
	task->ready_s = ready_s;
	return 0;
}

/* Right after a sample: a new counter begins at 0. */
static void counter_open(struct task *task)
{
	if (!task->alive || !task->countable)
		return;
	task->calls = 0;
	task->cpu_s = 0;
	task->countable = syscalls_open(task->pid, &task->counter) == 0;
}

static void counting_start(struct tasks *tasks, double now_s)
{
	for (int i = 0; i < tasks->count; i++)
		counter_open(&tasks->of[i]);
	tasks->counting = true;
	tasks->counting_until_s = now_s + COUNT_S;
	tasks->cost_s += FIRST_S + OPEN_S * tasks_alive(tasks);
}

static void counting_stop(struct tasks *tasks)
{
	for (int i = 0; i < tasks->count; i++)
		syscalls_close(&tasks->of[i].counter);
	tasks->counting = false;
}

static void counting_adjust(struct tasks *tasks, double now_s)
{
	double left_s =
		COST_BEGIN_S + COST_SHARE * tasks_used_s(tasks) - tasks->cost_s;

	if (tasks->counting && now_s >= tasks->counting_until_s && left_s < 0)
		counting_stop(tasks);
	else if (!tasks->counting && left_s > COST_LEFT_S)
		counting_start(tasks, now_s);
}

/* Between its last sample and now; what it did since is taken to be
 * as before. */
static void task_ended(struct tasks *tasks, const struct task *task,
		       double now_s)
{
	double seen_s = task->sampled_at_s - task->born_at_s;
	double lived_s = seen_s + (now_s - task->sampled_at_s) / 2;
	double more = seen_s > 0 ? lived_s / seen_s : 1;

	births_ended(&tasks->births, now_s, (uint32_t)task->launcher, lived_s,
		     task->run_s * fmin(more, 2), task->gap_s);
}

void tasks_sample(struct tasks *tasks, double now_s)
{
	for (int i = 0; i < tasks->count; i++) {
		struct task *task = &tasks->of[i];
		struct window window;

		if (!task->alive)
			continue;
		if (task_sample(task, now_s, &window)) {
			task_ended(tasks, task, now_s);
			task_close(task);
			continue;
		}
		phases_add(&task->phases, &window, tasks->spin_rate);
		/* Counted calls cost a spinning task nothing. */
		if (!isnan(window.calls) && !window.estimated)
			tasks->cost_s +=
				CALL_S * window.calls *
				(1 -
				 phases_spinning(&window, tasks->spin_rate));
	}
	counting_adjust(tasks, now_s);
}

/* --- The process list ---------------------------------------------------- */

/* The share of system time since the last call; where calls can't be
 * counted. */
static void system_time_sample(struct task *task)
{
	double all_user_s, all_system_s;

	if (task_times_modes(task->pid, &all_user_s, &all_system_s))
		return;

	double user_s = all_user_s - task->user_s;
	double system_s = all_system_s - task->system_s;

	if (user_s + system_s > SYSTEM_MIN_S) {
		task->system = system_s / (user_s + system_s);
		task->user_s = all_user_s;
		task->system_s = all_system_s;
	}
}

struct search {
	double since_boot_s, tick_s;
	double gap_s; /* since the one before */
};

static double age_s(const struct process *process, const struct search *search)
{
	double born_s = (double)process->born_ticks * search->tick_s;

	return fmax(search->since_boot_s - born_s, 0);
}

static struct task *task_find(struct tasks *tasks,
			      const struct process *process)
{
	for (int i = 0; i < tasks->count; i++)
		if (tasks->of[i].pid == process->pid &&
		    tasks->of[i].born_ticks == process->born_ticks)
			return &tasks->of[i];
	return NULL;
}

static double task_used_s(const struct task *task)
{
	return task->phases.busy_s + task->phases.spinning_s;
}

/* Forget the first half of those that have ended. */
static void tasks_make_room(struct tasks *tasks)
{
	int ended = tasks->count - tasks_alive(tasks), kept = 0;
	int drop = (ended + 1) / 2;

	for (int i = 0; i < tasks->count; i++) {
		if (!tasks->of[i].alive && drop > 0) {
			tasks->dropped_used_s += task_used_s(&tasks->of[i]);
			drop--;
			continue;
		}
		tasks->of[kept++] = tasks->of[i];
	}
	tasks->count = kept;
}

static void task_add(struct tasks *tasks, const struct process *process,
		     double now_s, const struct search *search)
{
	struct window unused;
	char path[64];

	if (tasks->count == TASKS_MAX)
		tasks_make_room(tasks);
	if (tasks->count == TASKS_MAX)
		return;

	struct task *task = &tasks->of[tasks->count];

	*task = (struct task){ .pid = process->pid,
			       .launcher = process->parent,
			       .born_ticks = process->born_ticks,
			       .born_at_s = now_s - age_s(process, search),
			       .gap_s = search->gap_s,
			       .alive = true,
			       .countable = true,
			       .counter = { -1, -1 },
			       .sampled_at_s = now_s,
			       .system = NAN };
	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)process->pid);
	task->schedstat_fd = open(path, O_RDONLY | O_CLOEXEC);
	if (task->schedstat_fd < 0)
		return;
	if (task_sample(task, now_s, &unused)) {
		task_close(task);
		return;
	}
	tasks->count++;
	births_found(&tasks->births, (uint32_t)process->parent);
	if (tasks->counting)
		counter_open(task);
	else
		counting_start(tasks, now_s);
}

static bool has_children(const struct processes *processes, pid_t pid)
{
	for (size_t i = 0; i < processes->count; i++)
		if (processes->of[i].parent == pid)
			return true;
	return false;
}

/* Return whether a process is a leaf: not the shell, and not Slurm's. */
static bool is_leaf(const struct tasks *tasks, const struct process *process)
{
	return process->in_job && !process->step_daemon &&
	       process->job_id == tasks->job_id &&
	       !has_children(&tasks->processes, process->pid);
}

static void search_begin(struct tasks *tasks, double now_s, struct search *ret)
{
	const struct processes *processes = &tasks->processes;
	struct births_ages ages = { 0 };

	*ret = (struct search){
		.since_boot_s = clock_read_s(CLOCK_BOOTTIME),
		.tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK),
	};
	for (size_t i = 0; i < processes->count; i++)
		if (is_leaf(tasks, &processes->of[i]))
			births_age_add(&tasks->births, now_s,
				       age_s(&processes->of[i], ret), &ages);
	ret->gap_s = births_searched(&tasks->births, now_s, &ages);
}

int tasks_find(struct tasks *tasks, double now_s, struct sp_error *err)
{
	const struct processes *processes = &tasks->processes;
	struct search search;

	if (processes_read("", &tasks->processes, err))
		return -1;
	search_begin(tasks, now_s, &search);
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->of[i];
		struct task *task;

		if (!process->in_job || process->step_daemon ||
		    process->job_id != tasks->job_id)
			continue;
		task = task_find(tasks, process);
		if (has_children(processes, process->pid)) {
			if (task) {
				task_close(task);
				task->parent = true;
			}
			continue;
		}
		if (!task)
			task_add(tasks, process, now_s, &search);
		else if (task->alive && !task->countable)
			system_time_sample(task);
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

/* --- Results ------------------------------------------------------------- */

double tasks_used_s(const struct tasks *tasks)
{
	double used = tasks->dropped_used_s;

	for (int i = 0; i < tasks->count; i++)
		used += task_used_s(&tasks->of[i]);
	return used;
}

static bool is_worker(const struct tasks *tasks, const struct task *task)
{
	double most_s = 0;

	for (int i = 0; i < tasks->count; i++)
		if (!tasks->of[i].parent)
			most_s = fmax(most_s, task_used_s(&tasks->of[i]));
	return !task->parent && task_used_s(task) > 0 &&
	       task_used_s(task) >= HELPER_SHARE * most_s;
}

bool tasks_has(const void *context, pid_t pid)
{
	const struct tasks *tasks = context;

	for (int i = 0; i < tasks->count; i++)
		if (tasks->of[i].pid == pid)
			return is_worker(tasks, &tasks->of[i]);
	return false;
}

void tasks_sum(const struct tasks *tasks, struct profile_node *ret)
{
	double cycles = 0, busy_seen_s = 0, idle_seen_s = 0, n;

	ret->tasks = 0;
	ret->busy_s = ret->ready_s = ret->idle_s = ret->spinning_s = 0;
	for (int i = 0; i < tasks->count; i++) {
		const struct phases *phases = &tasks->of[i].phases;

		if (!is_worker(tasks, &tasks->of[i]))
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

bool tasks_births(struct tasks *tasks, double now_s, struct profile_rank *ret)
{
	for (int i = 0; i < tasks->count; i++)
		if (tasks->of[i].alive) {
			task_ended(tasks, &tasks->of[i], now_s);
			task_close(&tasks->of[i]);
		}
	return births_are_tasks(&tasks->births, ret);
}
