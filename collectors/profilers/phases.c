/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phases.c - busy and idle phases of a task, by the kernel's accounting
 *
 * Sources compared on Linux 6.18, with Open MPI 4.1 over TCP, to the CPU time
 * in calls of MPI as measured in the program:
 *
 * - On-CPU time alone: a rank that waits looks as busy as one that computes.
 * - User and system time: waiting is mostly system time, computing none; but
 *   handling messages is, too, and the kernel splits by ticks, so that it takes
 *   many seconds to be known.  Used where system calls can't be counted.
 * - Context switches: sched_yield() switches only if another task is runnable.
 * - /proc/PID/syscall, wchan and stack: a task that runs shows nothing.
 * - The rate of system calls, by a counter of the kernel on
 *   raw_syscalls:sys_enter: some 10^6 per second of CPU time while spinning
 *   (poll() of no time, sched_yield()), below 10^3 while computing, below 10^5
 *   while handling messages of any size, as bytes are copied then.
 *
 * A window in which the task was neither busy nor idle throughout contains a
 * change from one to the other; several such windows in a row contain at least
 * one cycle each.  Faster changes appear as cycles of a window's length, with
 * the right shares.
 */
#include <math.h>

#include "collectors/profilers/phases.h"

/* Shares of system time: up to LOW nothing is spinning, from HIGH on all. */
#define SYSTEM_LOW  0.10
#define SYSTEM_HIGH 0.50

/* Busy share of a window: below it is idle, above it is busy throughout. */
#define SHARE_IDLE 0.15
#define SHARE_BUSY 0.85

static double scale_clamp(double value, double low, double high)
{
	return fmin(fmax((value - low) / (high - low), 0), 1);
}

double phases_spinning(const struct window *w, double spin_rate)
{
	if (w->cpu_s <= 0)
		return 0;
	if (!isnan(w->calls))
		return scale_clamp(w->calls / w->cpu_s, 0, spin_rate);
	if (!isnan(w->system))
		return scale_clamp(w->system, SYSTEM_LOW, SYSTEM_HIGH);
	return 0;
}

static void phases_count(struct phases *phases, double share)
{
	int now = share >= SHARE_BUSY   ? PHASE_BUSY
		  : share <= SHARE_IDLE ? PHASE_IDLE
					: PHASE_MIXED;

	if (now == PHASE_MIXED) {
		/* One change after a busy or an idle window, a whole cycle
		 * after another mixed one. */
		if (phases->now != PHASE_BUSY)
			phases->busy_phases++;
		if (phases->now != PHASE_IDLE)
			phases->idle_phases++;
	} else if (now == PHASE_BUSY && phases->now != PHASE_MIXED) {
		phases->busy_phases += phases->now != PHASE_BUSY;
	} else if (now == PHASE_IDLE && phases->now != PHASE_MIXED) {
		phases->idle_phases += phases->now != PHASE_IDLE;
	}
	phases->now = now;
}

void phases_add(struct phases *phases, const struct window *w, double spin_rate)
{
	if (!(w->wall_s > 0))
		return;

	/* CPU time is accounted at ticks, and may exceed the window. */
	double cpu_s = fmax(w->cpu_s, 0);
	double wanted_s = fmin(cpu_s + fmax(w->ready_s, 0), w->wall_s);
	double spinning = phases_spinning(w, spin_rate);
	double busy_s = wanted_s * (1 - spinning); /* by the clock */

	phases->busy_s += cpu_s * (1 - spinning);
	phases->spinning_s += cpu_s * spinning;
	phases->ready_s += fmax(busy_s - cpu_s * (1 - spinning), 0);
	phases->idle_s += w->wall_s - busy_s;
	if (w->wall_s > PHASES_WINDOW_MAX_S || w->estimated) {
		phases->now = PHASE_NONE;
		return;
	}
	phases->busy_seen_s += busy_s;
	phases->idle_seen_s += w->wall_s - busy_s;
	phases_count(phases, busy_s / w->wall_s);
}

/* Phases alternate: of the two counts the larger one missed fewer. */
double phases_cycles(const struct phases *phases)
{
	return fmax(fmax(phases->busy_phases, phases->idle_phases), 1);
}
