/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rivals.c - how much of a node's CPUs other processes left to a job */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collectors/profilers/rivals.h"
#include "collectors/sensors/competition.h"
#include "collectors/sensors/cpu_group.h"
#include "collectors/sensors/cpu_share.h"

/* The first samples are close, for short jobs; later ones are as far apart as
 * keeps their cost below 1/1000 of one CPU. */
#define STEP_MIN_S 0.25
#define STEP_MAX_S 10.0
#define COST_REST  1000

struct rivals {
	uint32_t job_id;
	struct cpu_room room;
	char group[CPU_GROUP_PATH_SIZE];
	struct processes now, before;
	double sampled_at_s; /* NAN: never */
	double due_s, step_s;
	double elapsed_s, left; /* integrals over time */
};

struct rivals *rivals_create(uint32_t job_id)
{
	struct rivals *rivals = calloc(1, sizeof(*rivals));
	struct cpu_group group;

	if (!rivals)
		return NULL;
	cpu_group_find("", &group);
	rivals->job_id = job_id;
	rivals->room = (struct cpu_room){ group.cpus, group.quota };
	memcpy(rivals->group, group.path, sizeof(rivals->group));
	rivals->sampled_at_s = NAN;
	rivals->step_s = STEP_MIN_S;
	return rivals;
}

void rivals_destroy(struct rivals *rivals)
{
	if (!rivals)
		return;
	processes_clear(&rivals->now);
	processes_clear(&rivals->before);
	free(rivals);
}

double rivals_due_s(const struct rivals *rivals)
{
	return rivals->due_s;
}

/* competition.h counts processes of any job as the job's, and of all others
 * only slurmd as nobody's: so are collectord, its probes and profiles. */
static void rivals_mark(struct processes *processes, uint32_t job_id)
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

/* Tasks are taken to want a CPU each, all the time. */
static double share_left(const struct rivals *rivals,
			 struct competition *competition, int tasks)
{
	struct cpu_demand siblings = { tasks - 1, 1 };
	struct cpu_share alone, beside;

	cpu_share_find(&rivals->room, &siblings, 1, 1, &alone);
	competition->demands[competition->others] = siblings;
	cpu_share_find(&rivals->room, competition->demands,
		       competition->others + 1, 1, &beside);
	return fmin(1, beside.mean / alone.mean);
}

static void add_span(struct rivals *rivals, double elapsed_s, int tasks)
{
	struct competition competition;
	/* After the job's end the CPU time of its processes is not found: busy
	 * time that no process explains is not taken for rivals'.  Nor is a
	 * process that is runnable once taken to have waited all the time. */
	struct competition_span span = { .elapsed_s = elapsed_s,
					 .busy = NAN,
					 .no_process_waited = true,
					 .self = getpid() };

	competition_find(&rivals->before, &rivals->now, &span, &competition);
	rivals->elapsed_s += elapsed_s;
	rivals->left += share_left(rivals, &competition, tasks) * elapsed_s;
}

static double thread_cpu_s(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

int rivals_sample(struct rivals *rivals, double now_s, int tasks,
		  struct sp_error *err)
{
	double began_s = thread_cpu_s();
	struct processes swap = rivals->before;
	int rc = processes_read_again(rivals->group, &rivals->before,
				      &rivals->now, err);

	if (rc == 0) {
		rivals_mark(&rivals->now, rivals->job_id);
		competition_read_times(&rivals->now, &rivals->before);
		if (tasks > 0 && now_s > rivals->sampled_at_s)
			add_span(rivals, now_s - rivals->sampled_at_s, tasks);
		rivals->before = rivals->now;
		rivals->now = swap;
		rivals->sampled_at_s = now_s;
	}
	rivals->due_s = now_s + fmax(rivals->step_s,
				     COST_REST * (thread_cpu_s() - began_s));
	rivals->step_s = fmin(2 * rivals->step_s, STEP_MAX_S);
	return rc;
}

double rivals_cpu_left(const struct rivals *rivals)
{
	return rivals->elapsed_s > 0 ? rivals->left / rivals->elapsed_s : NAN;
}
