/* SPDX-License-Identifier: GPL-2.0-or-later */
/* competition.c - CPU demand of the processes on a node
 *
 * competition_find() goes through the processes owner by owner: those that
 * count for nobody (slurmd, ourselves), others, Slurm's jobs.  Each gets a row
 * of demand; small ones share a row.  CPU time that no process explains is
 * added in proportion.  No state of its own, no lock.
 */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "collectors/sensors/competition.h"

#define DEMAND_SINGLE 0.02 /* CPUs; smaller ones share a row */
#define HIDDEN_LEAST  0.05 /* CPUs; below, it is rounding */
#define WAITED_MOST   0.99
#define STAYS_LEAST   0.97 /* of the time */
#define ANCESTORS_MAX 256

enum owner { OTHERS, JOBS, NOBODY, OWNERS };

struct demand_tally {
	const struct competition_span *span;
	const struct processes *before, *now;
	double busy[OWNERS]; /* CPUs */
	double small;        /* CPUs of demand of processes without a row */
};

static const struct process *same_before(const struct processes *before,
					 const struct process *process)
{
	const struct process *old = processes_find(before, process->pid);

	return old && old->born_ticks == process->born_ticks ? old : NULL;
}

void competition_read_times(struct processes *now,
			    const struct processes *before)
{
	for (size_t i = 0; i < now->count; i++) {
		struct process *process = &now->of[i];
		const struct process *old = same_before(before, process);

		if (old) {
			process->times_known = old->times_known;
			process->run_ns = old->run_ns;
			process->wait_ns = old->wait_ns;
		}
		/* In the first reading this would be all of them: too slow. */
		bool active =
			old ? old->ticks != process->ticks : before->count > 0;

		if ((active || process->state == 'R') &&
		    process_times(process, &process->run_ns,
				  &process->wait_ns) == 0)
			process->times_known = true;
	}
}

static enum owner owner_of(const struct demand_tally *tally,
			   const struct process *process)
{
	if (process->in_job)
		return JOBS;
	return process->slurmd || process->pid == tally->span->self ? NOBODY
								    : OTHERS;
}

static double increase(uint64_t now, uint64_t before)
{
	return now > before ? (double)(now - before) : 0;
}

/* What the vanished descendants of a process had used when they were last
 * seen: it has been counted then. */
static double vanished_ticks(const struct demand_tally *tally,
			     const struct process *process)
{
	double ticks = 0;

	for (size_t i = 0; i < tally->before->count; i++) {
		const struct process *gone = &tally->before->of[i];
		const struct process *above = gone;
		int depth = 0;

		if (!(gone->ticks + gone->child_ticks) ||
		    same_before(tally->now, gone))
			continue;
		do
			above = processes_find(tally->before, above->parent);
		while (above && !same_before(tally->now, above) &&
		       ++depth < ANCESTORS_MAX);
		if (above && above->pid == process->pid)
			ticks += (double)(gone->ticks + gone->child_ticks);
	}
	return ticks;
}

/* CPUs that its short-lived children kept busy.  Process 1 inherits what
 * others left behind: its children are not counted. */
static double children_busy(const struct demand_tally *tally,
			    const struct process *process,
			    const struct process *old)
{
	double ticks = 0;

	if (old && process->pid != 1)
		ticks = increase(process->child_ticks, old->child_ticks);
	if (ticks > 0)
		ticks -= vanished_ticks(tally, process);
	return fmax(0, ticks) / (double)sysconf(_SC_CLK_TCK) /
	       tally->span->elapsed_s;
}

/* CPUs that it ran on, and that it waited for. */
static void process_use(const struct demand_tally *tally,
			const struct process *process,
			const struct process *old, double *ret_ran,
			double *ret_waited)
{
	static const struct process newborn = { .pid = 0 };
	double elapsed_ns = tally->span->elapsed_s * 1e9;
	bool timed = process->times_known && (!old || old->times_known);

	if (!old)
		old = &newborn;
	*ret_ran = increase(process->ticks, old->ticks) /
		   (double)sysconf(_SC_CLK_TCK) / tally->span->elapsed_s;
	if (timed) {
		/* Ticks are coarse, but know of threads that have ended. */
		if (process->threads <= 1)
			*ret_ran = increase(process->run_ns, old->run_ns) /
				   elapsed_ns;
		*ret_waited =
			increase(process->wait_ns, old->wait_ns) / elapsed_ns;
		/* The kernel adds a wait when it ends: this one goes on. */
		if (process->state == 'R' && !(*ret_ran + *ret_waited > 0) &&
		    (old->state == 'R' || old == &newborn))
			*ret_waited = 1;
	} else {
		bool waits = process->state == 'R' &&
			     !tally->span->no_process_waited;

		*ret_waited = waits ? fmax(0, 1 - *ret_ran) : 0;
	}
	*ret_ran = fmin(*ret_ran, fmax(1, process->threads));
	*ret_waited = fmin(*ret_waited, fmax(1, process->threads) - *ret_ran);
}

static void add_demand(struct competition *ret, struct demand_tally *tally,
		       double demand, double weight)
{
	if (demand < DEMAND_SINGLE || ret->count == DEMANDS_MAX - 2)
		tally->small += demand;
	else
		ret->demands[ret->count++] =
			(struct cpu_demand){ demand, weight };
}

static void add_process(struct competition *ret, struct demand_tally *tally,
			const struct process *process, enum owner owner)
{
	const struct process *old = same_before(tally->before, process);
	double weight = cpu_share_weight(process->nice);
	double ran, waited, children = children_busy(tally, process, old);

	process_use(tally, process, old, &ran, &waited);
	tally->busy[owner] += ran + children;
	if (owner == NOBODY)
		return;
	if (owner == OTHERS)
		ret->load += ran + waited + children;

	double threads = fmax(1, ceil(ran + waited - 0.01));
	double slept = threads - fmin(waited, WAITED_MOST * threads);

	if (owner == OTHERS && ran + waited >= STAYS_LEAST)
		ret->stayers += floor(ran + waited + 1 - STAYS_LEAST);
	add_demand(ret, tally, fmin(threads, ran * threads / slept), weight);
	add_demand(ret, tally, children, weight);
}

static void add_owner(struct competition *ret, struct demand_tally *tally,
		      enum owner owner)
{
	tally->small = 0;
	for (size_t i = 0; i < tally->now->count; i++)
		if (!tally->now->of[i].kernel &&
		    owner_of(tally, &tally->now->of[i]) == owner)
			add_process(ret, tally, &tally->now->of[i], owner);
}

/* CPU time that no process explains, in proportion to the known demand. */
static double hidden_of(const struct demand_tally *tally, enum owner owner)
{
	double known = tally->busy[OTHERS] + tally->busy[JOBS];
	double hidden = tally->span->busy - known - tally->busy[NOBODY];

	if (!(hidden >= HIDDEN_LEAST))
		return 0;
	if (!(known >= HIDDEN_LEAST))
		return owner == OTHERS ? hidden : 0;
	return hidden * tally->busy[owner] / known;
}

void competition_find(const struct processes *before,
		      const struct processes *now,
		      const struct competition_span *span,
		      struct competition *ret)
{
	struct demand_tally tally = { .span = span,
				      .before = before,
				      .now = now };
	double small;

	ret->count = 0;
	ret->load = ret->stayers = 0;
	add_owner(ret, &tally, NOBODY);
	add_owner(ret, &tally, OTHERS);
	small = tally.small;
	ret->others = ret->count;
	add_owner(ret, &tally, JOBS);

	double hidden = hidden_of(&tally, OTHERS);

	ret->ran = tally.busy[NOBODY] + tally.busy[OTHERS] + tally.busy[JOBS];
	ret->load += hidden;
	/* Two rows were left free for what has none of its own. */
	memmove(&ret->demands[ret->others + 1], &ret->demands[ret->others],
		(ret->count - ret->others) * sizeof(*ret->demands));
	ret->demands[ret->others++] = (struct cpu_demand){ small + hidden, 1 };
	ret->count++;
	ret->demands[ret->count++] =
		(struct cpu_demand){ tally.small + hidden_of(&tally, JOBS), 1 };
}
