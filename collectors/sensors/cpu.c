/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.c - the share of a CPU that a new process would get
 *
 * A hybrid, as the Network Weather Service's CPU sensor [1]: frequent passive
 * readings of the process list, corrected now and then by a short probe that
 * takes the place of a new process.
 *
 * Passive: readings at random intervals, so as not to fall in step with
 * periodic processes.  Between two of them competition.h finds the demand of
 * each process, cpu_share.h the share of a new one; the measurement has the
 * mean over its interval.  Competitors are the processes that belong to no job
 * of Slurm: not below a slurmstepd, not slurmd, not we.  Without the jobs this
 * is cpu_available, for a job that waits until they are gone, or that Slurm
 * gives CPUs of their own; with them it is cpu_available_now.
 *
 * The probe sees what no process list shows; cpu_correction.h applies it.
 * Where processes never sleep, what they and all others do not get shows the
 * same, sooner.  Readings and probes are spaced so that each stays below its
 * share of one CPU.
 *
 * On a node with a quota there are two things: CPUs, and time.  A process on a
 * node of two CPUs and a quota of 0.4 gets 0.4 of a CPU alone; with one
 * competitor on the other CPU both spend the quota at the same pace, and get
 * 0.2.  The unit is always one CPU of this node: what its clock makes of it is
 * cpu_speed.
 *
 * Ignored: pinning of single processes, real-time classes, weights of control
 * groups (the probe sees these), and that a job's process may have left its
 * slurmstepd.
 *
 * [1] Wolski, Spring, Hayes: Predicting the CPU Availability of Time-shared
 *     Unix Systems on the Computational Grid, HPDC 1999.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "collectors/sensors/competition.h"
#include "collectors/sensors/cpu_correction.h"
#include "collectors/sensors/cpu_group.h"
#include "collectors/sensors/cpu_probe.h"
#include "collectors/sensors/cpu_times.h"
#include "collectors/sensors/host_room.h"
#include "collectors/sensors/processes.h"
#include "collectors/sensors/sensors.h"
#include "predictor/base/clock.h"

#define READINGS      4      /* in an interval */
#define COST_MAX      0.0008 /* CPUs */
#define REFRESH       32     /* readings, until kernel threads are read, too */
#define STEAL_BUSY    0.05   /* CPUs that may have been busy, at least */
#define OURS_ALL      0.93   /* of what could be used; more is all */
#define QUOTA_LEAST   0.5    /* of a fair share */
#define STALLED_LEAST 0.01   /* of the time */

struct cpu {
	struct cpu_group group;
	double interval_s, sample_at_s;
	unsigned seed, readings;
	struct processes now, before;
	struct cpu_times times; /* of the last reading */
	double read_before_s;   /* the last reading; NAN: none */
	struct host_room host;
	struct cpu_correction correction;
	struct cpu_probe *probe;

	/* Since the last measurement, integrals over time: */
	double elapsed_s, load, available, available_now, factor;
	/* As last measured; NAN: never. */
	double last_load, last_available, last_available_now, last_factor;
};

static void cpu_destroy(void *state)
{
	struct cpu *cpu = state;

	cpu_probe_destroy(cpu->probe);
	processes_clear(&cpu->now);
	processes_clear(&cpu->before);
	free(cpu);
}

static void *cpu_create(double interval_s)
{
	struct cpu *cpu = calloc(1, sizeof(*cpu));

	if (!cpu)
		return NULL;
	cpu->probe = cpu_probe_create();
	if (!cpu->probe) {
		cpu_destroy(cpu);
		return NULL;
	}
	cpu_group_find("", &cpu->group);
	host_room_open(&cpu->host, &cpu->group);
	cpu->interval_s = interval_s;
	cpu->seed = (unsigned)getpid();
	cpu->read_before_s = NAN;
	cpu->last_load = cpu->last_available = cpu->last_available_now = NAN;
	cpu_correction_init(&cpu->correction);
	return cpu;
}

static double cpu_sample_at_s(const void *state)
{
	return ((const struct cpu *)state)->sample_at_s;
}

/* Return the part of the time with work in which the hypervisor let this
 * machine run.  A little work, stolen once, proves nothing; and a quota can be
 * used later. */
static double running_part(const struct cpu *cpu,
			   const struct cpu_times *before)
{
	double steal_s = cpu->times.steal_s - before->steal_s;
	double busy_s = cpu->times.machine_busy_s - before->machine_busy_s;

	if (!(steal_s > 0) || !(busy_s >= 0) ||
	    cpu->group.quota < cpu->group.cpus)
		return 1;
	busy_s = fmax(busy_s, STEAL_BUSY * cpu->interval_s);
	return busy_s / (busy_s + steal_s);
}

/* Processes that never sleep are probes for free: together with all others they
 * use all that this node has, unless others that are not visible use it. */
static double used_part(const struct cpu *cpu,
			const struct competition *competition)
{
	double could = fmin(cpu->group.quota,
			    fmin(cpu->group.cpus, competition->stayers));

	if (!(could > 0) || competition->ran > OURS_ALL * could)
		return 1;
	return competition->ran / could;
}

static void probe_use(struct cpu *cpu, double now_s, double running,
		      const struct competition *competition)
{
	struct cpu_room room = { cpu->group.cpus, cpu->group.quota };
	struct cpu_probe_result result;
	struct cpu_share expected;

	if (!cpu_probe_take(cpu->probe, &result))
		return;
	cpu_share_find(&room, competition->demands, competition->count,
		       cpu_share_weight(result.nice), &expected);
	expected.least *= running;
	/* Whose CPU has its turn first may use up all of a quota, for some
	 * periods: then nothing is fair that is short. */
	if (room.quota < room.cpus && expected.mean < fmin(1, room.quota)) {
		expected.least *= QUOTA_LEAST;
		expected.most = fmin(1, room.quota);
	}
	cpu_correction_learn(&cpu->correction, now_s, &result, &expected,
			     cpu->group.period_s);
}

/* The expected share since the last reading, in which a probe may have run. */
static int add_expected(struct cpu *cpu, double now_s,
			const struct competition *competition, double running,
			double busy, struct sp_error *err)
{
	struct cpu_room room = { cpu->group.cpus, cpu->group.quota };
	double elapsed_s = now_s - cpu->read_before_s,
	       alone = fmin(1, room.quota);
	struct cpu_share others, all;

	cpu_share_find(&room, competition->demands, competition->others, 1,
		       &others);
	cpu_share_find(&room, competition->demands, competition->count, 1,
		       &all);

	/* What the machine's other work leaves is less for the process that
	 * measures it, too. */
	double host = cpu->host.id > 0 ? fmin(cpu->host.nodes, 1) : 1;

	probe_use(cpu, now_s, running * host, competition);

	double seen =
		fmin(running, fmin(used_part(cpu, competition) / host, 1));
	double factor = fmin(seen, cpu->correction.factor);
	struct cpu_view view = { all.mean * seen, busy };

	if (cpu->correction.factor > 1 && seen == 1)
		factor = cpu->correction.factor;
	factor *= host;
	cpu->elapsed_s += elapsed_s;
	cpu->load += competition->load * elapsed_s;
	cpu->available += fmin(alone, others.mean * factor) * elapsed_s;
	cpu->available_now += fmin(alone, all.mean * factor) * elapsed_s;
	cpu->factor += factor * elapsed_s;
	if (cpu_probe_is_out(cpu->probe) ||
	    !cpu_correction_is_due(&cpu->correction, now_s, &view))
		return 0;
	return cpu_probe_start(cpu->probe, err);
}

static int add_view(struct cpu *cpu, double now_s, struct sp_error *err)
{
	const struct process *second = processes_find(&cpu->now, 2);
	struct cpu_times before = cpu->times, *now = &cpu->times;
	double elapsed_s = now_s - cpu->read_before_s;
	double cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);
	struct competition competition;

	if (!(elapsed_s > 0))
		return 0;
	cpu_times_read(cpu->group.path, now);
	host_room_read(&cpu->host, &cpu->group, now_s, now->machine_busy_s);

	struct competition_span span = {
		.elapsed_s = elapsed_s,
		.busy = (now->busy_s - before.busy_s) / elapsed_s,
		.no_process_waited = now->waiting_s - before.waiting_s <
				     STALLED_LEAST * elapsed_s,
		.self = getpid(),
	};
	double busy = (now->machine_busy_s - before.machine_busy_s) /
		      elapsed_s / cpus;

	/* In a container the machine's busy time is not that of what we see;
	 * a group's is, and the machine's is where its kernel is seen. */
	if (!*cpu->group.path && !(second && second->kernel))
		span.busy = NAN;
	competition_find(&cpu->before, &cpu->now, &span, &competition);
	return add_expected(cpu, now_s, &competition,
			    running_part(cpu, &before), busy, err);
}

#define JOBS_AT_ONCE 256 /* reported at most */

/* The memory of each job: of its processes, and of its group, which any of them
 * is in. */
static void job_memory_report(const struct processes *processes,
			      sensors_job_fn *report, void *context)
{
	double page_mb = (double)sysconf(_SC_PAGESIZE) / (1 << 20);
	struct {
		uint32_t job_id;
		pid_t pid;
		double mb, most_mb;
	} jobs[JOBS_AT_ONCE];
	size_t count = 0, at;

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->of[i];

		if (!process->job_id)
			continue;
		for (at = 0; at < count; at++)
			if (jobs[at].job_id == process->job_id)
				break;
		if (at == JOBS_AT_ONCE)
			continue;
		if (at == count) {
			jobs[count].job_id = process->job_id;
			jobs[count].pid = process->pid;
			jobs[count].mb = jobs[count].most_mb = 0;
			count++;
		}
		if (process->step_daemon)
			continue;

		double mb = (double)process->resident_pages * page_mb;

		jobs[at].mb += mb;
		jobs[at].most_mb = fmax(jobs[at].most_mb, mb);
	}
	for (at = 0; at < count; at++) {
		struct job_memory sample;
		char pid[16], folder[CONTROL_GROUP_PATH_SIZE + 1];

		snprintf(pid, sizeof(pid), "%d", (int)jobs[at].pid);
		job_memory_folder("", pid, jobs[at].job_id, folder);
		job_memory_read(folder, &sample);
		sample.resident_mb = jobs[at].mb > 0 ? jobs[at].mb : NAN;
		/* A file that another job read first counts there. */
		if (!isnan(sample.own_mb))
			sample.mapped_mb =
				fmax(sample.mapped_mb,
				     jobs[at].most_mb - sample.own_mb);
		report(context, jobs[at].job_id, &sample);
	}
}

static int cpu_sample(void *state, double now_s, sensors_job_fn *report,
		      void *context, struct sp_error *err)
{
	static const struct processes none = { .count = 0 };
	struct cpu *cpu = state;
	double started_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID);
	bool first = isnan(cpu->read_before_s);
	int rc = processes_read_again(cpu->group.path,
				      cpu->readings++ % REFRESH ? &cpu->before
								: &none,
				      &cpu->now, err);
	double read_at_s = clock_monotonic_s(); /* it may have taken long */

	if (rc == 0) {
		competition_read_times(&cpu->now, &cpu->before);
		if (first)
			cpu_times_read(cpu->group.path, &cpu->times);
		else
			rc = add_view(cpu, read_at_s, err);
		job_memory_report(&cpu->now, report, context);

		struct processes swap = cpu->before;

		cpu->before = cpu->now;
		cpu->now = swap;
		cpu->read_before_s = read_at_s;
	}

	double cost_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID) - started_s;
	double step_s = cpu->interval_s / READINGS;
	double dice = (double)rand_r(&cpu->seed) / RAND_MAX;

	if (!first) /* which was in vain without a second */
		step_s = fmax(step_s, cost_s / COST_MAX);
	cpu->sample_at_s = now_s + step_s * (0.6 + 0.8 * dice);
	return rc;
}

static int cpu_measure(void *state, double now_s UNUSED,
		       struct measurement *into, struct sp_error *err)
{
	struct cpu *cpu = state;

	if (cpu->elapsed_s > 0) {
		cpu->last_load = cpu->load / cpu->elapsed_s;
		cpu->last_available = cpu->available / cpu->elapsed_s;
		cpu->last_available_now = cpu->available_now / cpu->elapsed_s;
		cpu->last_factor = cpu->factor / cpu->elapsed_s;
	}
	cpu->elapsed_s = cpu->load = cpu->factor = 0;
	cpu->available = cpu->available_now = 0;
	cpu_group_find("", &cpu->group);
	if (isnan(cpu->last_load))
		return sp_error_set(err, "the processes were not read yet");
	into->cpu_load = cpu->last_load;
	into->cpu_available = cpu->last_available;
	into->cpu_available_now = cpu->last_available_now;
	into->cpu_correction = cpu->last_factor;
	into->host = cpu->host.id;
	into->host_nodes = cpu->host.id > 0 ? cpu->host.nodes : NAN;
	into->cpu_speed = cpu_correction_speed(&cpu->correction);
	return 0;
}

const struct sensor cpu_sensor = {
	.name = "cpu",
	.create = cpu_create,
	.destroy = cpu_destroy,
	.sample = cpu_sample,
	.sample_at_s = cpu_sample_at_s,
	.measure = cpu_measure,
	.help = "runnable competitors, and the share of a CPU that is left",
};
