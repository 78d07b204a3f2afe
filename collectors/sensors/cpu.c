/* cpu.c - who else wants the CPUs, and what they would leave to a new process
 *
 * Competitors are the processes of this node that belong to no job of Slurm:
 * not below a slurmstepd, not slurmd, not we.  Several looks in an interval, at
 * random distances so as not to fall in step with anything, tell how many
 * are runnable; what they used between looks tells how much of the CPUs they
 * really keep busy.  From both, with C the CPUs that there are, n runnable
 * competitors and b busy CPUs:
 *
 *	load = mean of n
 *	available = min(1, max(C - b, C / (n + 1)))
 *
 * A new process gets what lies idle, and at least its fair share; never more
 * than one CPU.
 *
 * Ignored: threads (a process counts as its first thread), priorities, who is
 * pinned where, time that a hypervisor takes, processes that live shorter than
 * the distance of two looks, and that a job's process may have left its
 * slurmstepd.  Under Slurm's own CPU binding, jobs and competitors may never
 * meet.
 *
 * Looking costs time as processes are many: the distance is stretched so that
 * it stays below COST_MAX of one CPU.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "collectors/sensors/cpu_group.h"
#include "collectors/sensors/processes.h"
#include "collectors/sensors/sensors.h"
#include "predictor/base/clock.h"

#define LOOKS        4      /* in an interval */
#define COST_MAX     0.0008 /* CPUs */
#define JOBS_AT_ONCE 256    /* told of in a look */

struct cpu {
	struct cpu_group group;
	double interval_s;
	double look_at_s;
	unsigned seed;
	struct processes now, before;
	double seen_at_s; /* the look before; NAN: none */

	/* Since the last measurement: */
	int looks;
	double runnable;         /* sum over looks */
	double ticks, elapsed_s; /* used by competitors, in that time */
	double load, busy;       /* as last measured; NAN: never */
};

static void *cpu_create(double interval_s)
{
	struct cpu *cpu = calloc(1, sizeof(*cpu));

	if (!cpu)
		return NULL;
	cpu_group_find(&cpu->group);
	cpu->interval_s = interval_s;
	cpu->seed = (unsigned)getpid();
	cpu->load = cpu->busy = cpu->seen_at_s = NAN;
	return cpu;
}

static void cpu_destroy(void *state)
{
	struct cpu *cpu = state;

	processes_clear(&cpu->now);
	processes_clear(&cpu->before);
	free(cpu);
}

static double cpu_look_at_s(const void *state)
{
	return ((const struct cpu *)state)->look_at_s;
}

static bool competes(const struct process *process)
{
	return !process->in_job && !process->slurmd && process->pid != getpid();
}

/* What a process has used since the look before. */
static uint64_t used_ticks(const struct cpu *cpu, const struct process *process)
{
	const struct process *old = processes_find(&cpu->before, process->pid);

	if (!old || old->born_ticks != process->born_ticks ||
	    old->ticks > process->ticks)
		return 0;
	return process->ticks - old->ticks;
}

static void add_competitors(struct cpu *cpu, double now_s)
{
	for (size_t i = 0; i < cpu->now.count; i++) {
		const struct process *process = &cpu->now.of[i];

		if (!competes(process))
			continue;
		cpu->runnable += process->state == 'R';
		cpu->ticks += (double)used_ticks(cpu, process);
	}
	if (!isnan(cpu->seen_at_s))
		cpu->elapsed_s += now_s - cpu->seen_at_s;
	cpu->looks++;
}

static void tell_memory(const struct cpu *cpu, sensors_job_fn *tell,
			void *context)
{
	double page_mb = (double)sysconf(_SC_PAGESIZE) / (1 << 20);
	struct {
		uint32_t job_id;
		double mb;
	} jobs[JOBS_AT_ONCE];
	size_t count = 0, at;

	for (size_t i = 0; i < cpu->now.count; i++) {
		const struct process *process = &cpu->now.of[i];

		if (!process->job_id || process->step_daemon)
			continue;
		for (at = 0; at < count; at++)
			if (jobs[at].job_id == process->job_id)
				break;
		if (at == JOBS_AT_ONCE)
			continue;
		if (at == count) {
			jobs[count].job_id = process->job_id;
			jobs[count++].mb = 0;
		}
		jobs[at].mb += (double)process->resident_pages * page_mb;
	}
	for (at = 0; at < count; at++)
		tell(context, jobs[at].job_id, jobs[at].mb);
}

static double thread_cpu_s(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

static int cpu_look(void *state, double now_s, sensors_job_fn *tell,
		    void *context, struct sp_error *err)
{
	struct cpu *cpu = state;
	double started_s = thread_cpu_s();
	int rc = processes_read(cpu->group.path, &cpu->now, err);

	if (rc == 0) {
		add_competitors(cpu, now_s);
		tell_memory(cpu, tell, context);

		struct processes swap = cpu->before;

		cpu->before = cpu->now;
		cpu->now = swap;
		cpu->seen_at_s = now_s;
	}

	double cost_s = thread_cpu_s() - started_s;
	double step_s = fmax(cpu->interval_s / LOOKS, cost_s / COST_MAX);
	double dice = (double)rand_r(&cpu->seed) / RAND_MAX;

	cpu->look_at_s = now_s + step_s * (0.6 + 0.8 * dice);
	return rc;
}

static int cpu_measure(void *state, double now_s, struct measurement *into,
		       struct sp_error *err)
{
	struct cpu *cpu = state;
	double C = cpu->group.capacity;

	(void)now_s;
	if (cpu->looks)
		cpu->load = cpu->runnable / cpu->looks;
	if (cpu->elapsed_s > 0)
		cpu->busy = fmin(C, cpu->ticks / (double)sysconf(_SC_CLK_TCK) /
					    cpu->elapsed_s);
	cpu->looks = 0;
	cpu->runnable = cpu->ticks = cpu->elapsed_s = 0;
	if (isnan(cpu->load))
		return sp_error_set(err, "no look at the processes yet");
	into->cpu_load = cpu->load;
	into->cpu_available =
		fmin(1, fmax(C - (isnan(cpu->busy) ? C : cpu->busy),
			     C / (cpu->load + 1)));
	return 0;
}

const struct sensor cpu_sensor = {
	.name = "cpu",
	.create = cpu_create,
	.destroy = cpu_destroy,
	.look = cpu_look,
	.look_at_s = cpu_look_at_s,
	.measure = cpu_measure,
	.help = "runnable competitors, and the share of a CPU that is left",
};
