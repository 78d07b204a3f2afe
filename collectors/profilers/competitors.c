/* SPDX-License-Identifier: GPL-2.0-or-later */
/* competitors.c - how much of a node's CPUs other processes left to a job
 *
 * competition.h finds what each process needs between two samples, cpu_share.h
 * what a task gets beside these.  Samples become rare, and are left
 * out beyond a budget.  One thread.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collectors/profilers/competitors.h"
#include "collectors/sensors/competition.h"
#include "collectors/sensors/cpu_group.h"
#include "collectors/sensors/cpu_share.h"
#include "predictor/base/clock.h"

/* The first samples are close, for short jobs. */
#define STEP_MIN_S 0.25
#define STEP_MAX_S 20.0

/* Budget: a share of the tasks' CPU time, and a constant for the first samples,
 * of some 2 ms each. */
#define COST_SHARE   0.001
#define COST_BEGIN_S 0.006

struct competitors {
	uint32_t job_id;
	struct cpu_room room;
	char group[CONTROL_GROUP_PATH_SIZE];
	struct processes now, before;
	double sampled_at_s; /* NAN: never */
	double due_s, step_s;
	double cost_s;          /* CPU time of all samples */
	double elapsed_s, left; /* integrals over time */
};

struct competitors *competitors_create(uint32_t job_id)
{
	struct competitors *competitors = calloc(1, sizeof(*competitors));
	struct cpu_group group;

	if (!competitors)
		return NULL;
	cpu_group_find("", &group);
	competitors->job_id = job_id;
	competitors->room = (struct cpu_room){ group.cpus, group.quota };
	memcpy(competitors->group, group.path, sizeof(competitors->group));
	competitors->sampled_at_s = NAN;
	competitors->step_s = STEP_MIN_S;
	return competitors;
}

void competitors_destroy(struct competitors *competitors)
{
	if (!competitors)
		return;
	processes_clear(&competitors->now);
	processes_clear(&competitors->before);
	free(competitors);
}

double competitors_due_s(const struct competitors *competitors)
{
	return competitors->due_s;
}

/* competition.h counts the processes of any job as the job's, and ignores those
 * of slurmd only.  Collectord, its probes and profiles are ignored here,
 * too. */
static void competitors_mark(struct processes *processes, uint32_t job_id)
{
	pid_t collector = getppid();

	for (size_t i = 0; i < processes->count; i++) {
		struct process *p = &processes->of[i];

		if (p->in_job && p->job_id && p->job_id != job_id &&
		    !p->step_daemon)
			p->in_job = false;
		if (p->pid == collector || p->parent == collector)
			p->slurmd = true;
	}
}

/* Assumes that each task needs a CPU all the time. */
static double share_left(const struct competitors *competitors,
			 struct competition *competition, int tasks)
{
	struct cpu_demand siblings = { tasks - 1, 1 };
	struct cpu_share alone, beside;

	cpu_share_find(&competitors->room, &siblings, 1, 1, &alone);
	competition->demands[competition->others] = siblings;
	cpu_share_find(&competitors->room, competition->demands,
		       competition->others + 1, 1, &beside);
	return fmin(1, beside.mean / alone.mean);
}

static void add_span(struct competitors *competitors, double elapsed_s,
		     int tasks)
{
	struct competition competition;
	/* After the job's end the CPU time of its processes is not found: busy
	 * time that no process explains must not count as competitors'.  Nor
	 * may a process that is runnable once count as waiting all the time. */
	struct competition_span span = { .elapsed_s = elapsed_s,
					 .busy = NAN,
					 .no_process_waited = true,
					 .self = getpid() };

	competition_find(&competitors->before, &competitors->now, &span,
			 &competition);
	competitors->elapsed_s += elapsed_s;
	competitors->left +=
		share_left(competitors, &competition, tasks) * elapsed_s;
}

int competitors_sample(struct competitors *competitors, double now_s, int tasks,
		       struct sp_error *err)
{
	double began_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID);
	struct processes swap = competitors->before;
	int rc = processes_read_again(competitors->group, &competitors->before,
				      &competitors->now, err);

	if (rc == 0) {
		competitors_mark(&competitors->now, competitors->job_id);
		competition_read_times(&competitors->now, &competitors->before);
		if (tasks > 0 && now_s > competitors->sampled_at_s)
			add_span(competitors, now_s - competitors->sampled_at_s,
				 tasks);
		competitors->before = competitors->now;
		competitors->now = swap;
		competitors->sampled_at_s = now_s;
	}
	competitors->cost_s += clock_read_s(CLOCK_THREAD_CPUTIME_ID) - began_s;
	return rc;
}

double competitors_cost_s(const struct competitors *competitors)
{
	return competitors->cost_s;
}

int competitors_run(struct competitors *competitors, double now_s, int tasks,
		    double used_s, struct sp_error *err)
{
	if (now_s < competitors->due_s)
		return 0;
	competitors->due_s = now_s + competitors->step_s;
	competitors->step_s = fmin(2 * competitors->step_s, STEP_MAX_S);
	if (competitors->cost_s > COST_BEGIN_S + COST_SHARE * used_s)
		return 0;
	return competitors_sample(competitors, now_s, tasks, err);
}

double competitors_cpu_left(const struct competitors *competitors)
{
	return competitors->elapsed_s > 0
		       ? competitors->left / competitors->elapsed_s
		       : NAN;
}
