/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phases.h - busy and idle phases of a task, from what the kernel accounts
 *
 * The paper [2] looked every 20 ms whether the application was executing.  We
 * look as often, at how much of the time since the last look (a window) the
 * task ran, and how much of it it wanted to but had no CPU.  A task that waits
 * for a message may spin instead of sleeping: it asks the system over and over,
 * and makes far more system calls per second of CPU time than one that works
 * ever does.  The rate of calls, against that of nothing but asking, tells
 * which part of a window's time went into spinning.
 *
 * [2] Venkataramaiah, Subhlok: Performance Prediction for Simple CPU and
 *     Network Sharing, 2002, section 3.2.
 */
#ifndef COLLECTORS_PROFILERS_PHASES_H
#define COLLECTORS_PROFILERS_PHASES_H

#include <stdbool.h>
#include <stdint.h>

/* Between two looks, in seconds. */
struct window {
	double wall_s;
	double cpu_s;   /* on a CPU */
	double ready_s; /* ready, but without one */
	double calls;   /* system calls made; NAN: not known */
	double system;  /* the share of CPU time in the kernel, over longer
			   than the window; NAN: not known */
	bool guessed;   /* calls are not of this window, but what others had:
			   it counts for the sums, but shows no phases */
};

/* A longer window counts for the sums, but shows no phases. */
#define PHASES_WINDOW_MAX_S 0.05

struct phases {
	double busy_s;                   /* CPU time without spinning */
	double ready_s;                  /* wanted to be busy, and had no CPU */
	double idle_s;                   /* all other time, spinning included */
	double spinning_s;               /* CPU time of spinning */
	double busy_phases, idle_phases; /* how many there were */

	/* By the clock, in windows short enough to show phases. */
	double busy_seen_s, idle_seen_s;

	/* Where the detector stands. */
	enum { PHASE_NONE, PHASE_BUSY, PHASE_IDLE, PHASE_MIXED } now;
};

/* The share of a window's CPU time that was spent on spinning, which alone
 * makes `spin_rate` calls per second of CPU time. */
double phases_spinning(const struct window *window, double spin_rate);

/* All 0 at the beginning. */
void phases_add(struct phases *phases, const struct window *window,
		double spin_rate);

/* How often it was busy and idle in turn; at least 1 after a window. */
double phases_cycles(const struct phases *phases);

#endif
