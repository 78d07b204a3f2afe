/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing_cpu.c - how long a node's task is busy, on a CPU that it shares
 *
 * From the profile follows the share a0 of a CPU that the task had while it
 * was busy (NOTE.md, section 1); competitors leave it the share a of now.
 * Its busy time is cut into cycles of b CPU seconds after a sleep of i seconds.
 * Each has a credit for its sleep (section 2); turns are added to that
 * (section 3).
 */
#include <math.h>

#include "predictor/models/known_or.h"
#include "predictor/models/sharing/sharing_cpu.h"

/* --- Share: NOTE.md, section 1 -------------------------------------------- */

/* Find what a process could get according to the sensors, then and now. */
static double sensed_before(const struct profile_node *n)
{
	return fmin(known_or(n->cpu_available, 1), 1);
}

static double sensed_now(const struct sharing_task *t)
{
	double before = sensed_before(t->then);

	return fmin(known_or(t->now->cpu_available, before), 1);
}

/* CPU seconds that the task had beyond its share during `wall_s`, and that the
 * node had not left over at the end of the run: the task missed them later. */
static double missed_later(const struct profile *p,
			   const struct profile_node *n, double wall_s)
{
	double share = sensed_before(n);
	double busy_s = known_or(n->busy_s, 0);
	double beyond_s = fmax(busy_s - share * wall_s, 0);
	double left_s =
		share * p->runtime_s - busy_s - known_or(n->spinning_s, 0);

	return fmin(fmax(beyond_s - left_s, 0), beyond_s);
}

double sharing_busy_before(const struct profile *p,
			   const struct profile_node *n)
{
	double busy_s = known_or(n->busy_s, 0), share = sensed_before(n);

	if (!isfinite(n->ready_s)) /* not measured: it had what was sensed */
		return fmin(busy_s / share, p->runtime_s);

	double wall_s = busy_s + known_or(n->ready_s, 0);

	return fmin(wall_s + missed_later(p, n, wall_s) / share, p->runtime_s);
}

/* a0 */
static double share_before(const struct sharing_task *t)
{
	double s = sharing_busy_before(t->profile, t->then);

	return s > 0 ? fmin(known_or(t->then->busy_s, 0) / s, 1) : 1;
}

/* a: competitors take their part of a0, whatever it was. */
static double share_now(const struct sharing_task *t, double a0)
{
	return fmin(a0 * sensed_now(t) / sensed_before(t->then), 1);
}

/* x: with x more of them, a share is 1 / (1 + x) of what it was. */
static double competitors(const struct sharing_task *t)
{
	return fmax(sensed_before(t->then) / sensed_now(t) - 1, 0);
}

/* --- Credit: NOTE.md, section 2 ------------------------------------------- */

/* Wall time of b CPU seconds after a sleep of i seconds. */
static double busy_phase(const struct sharing_setting *setting, double b,
			 double i, double a, double a0)
{
	if (a >= a0)
		return b / a;

	double earned = a0 * i * a / (a0 - a);
	double credit = fmin(fmin(b, setting->credit_s), earned);

	return credit / a0 + (b - credit) / a;
}

/* --- Turns: NOTE.md, section 3 -------------------------------------------- */

/* A sampled profile misses short idle phases; the number of answers is a lower
 * bound, if waiting costs a turn. */
static double cycles(const struct sharing_task *t)
{
	double phase_s = known_or(t->then->busy_phase_s, HUGE_VAL);
	double seen = sharing_busy_before(t->profile, t->then) / phase_s;

	if (t->setting->turn_s > 0)
		seen = fmax(seen, t->answers);
	return fmax(seen, 1);
}

/* Turns that a task without answers gives away when it polls for its next
 * message.  What it had not used of its turn by then, it gets back. */
static double turns_lost(const struct sharing_task *t, double busy_s, double a0)
{
	double turn_cpu_s = 2 * t->setting->turn_s * a0;
	double phase_cpu_s = busy_s / fmax(t->arrivals, 1);

	return t->arrivals * fmax(1 - turn_cpu_s / phase_cpu_s, 0);
}

static double turns(const struct sharing_task *t, double busy_s, double a0)
{
	double n = cycles(t);

	return t->answers > 0 ? n : fmax(n, turns_lost(t, busy_s, a0));
}

/* --- All of it ------------------------------------------------------------ */

static double speedup(const struct sharing_task *t)
{
	double before = known_or(t->then->cpu_speed, 1);

	return known_or(t->now->cpu_speed, before) / before;
}

struct sharing_busy sharing_busy_now(const struct sharing_task *t)
{
	double busy_s = known_or(t->then->busy_s, 0) * t->profile->node_count /
			t->setting->node_count;

	if (busy_s <= 0)
		return (struct sharing_busy){ 0, 0 };

	double a0 = share_before(t);
	double n = cycles(t);
	double spinning_s = known_or(t->then->spinning_s, 0) / a0;
	double b = busy_s / speedup(t) / n;
	double i = fmax(t->idle_s - spinning_s, 0) / n;
	double phase_s = busy_phase(t->setting, b, i, share_now(t, a0), a0);
	double turns_s =
		turns(t, busy_s, a0) * t->setting->turn_s * competitors(t);

	return (struct sharing_busy){ .s = turns_s + n * phase_s,
				      .turns_s = turns_s };
}
