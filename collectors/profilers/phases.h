/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phases.h - busy and idle phases of a task, by the kernel's accounting
 *
 * The paper [2] sampled every 20 ms whether the application was executing.  We
 * sample as often for how long the task ran since the last sample (a window),
 * and for how long it was runnable without a CPU.  A task that waits for a
 * message may poll instead of sleeping (spinning): then it makes far more
 * system calls per second of CPU time than one that computes.  Their rate,
 * relative to that of a loop of nothing but polling, is the share of spinning
 * in a window.
 *
 * [2] Venkataramaiah, Subhlok: Performance Prediction for Simple CPU and
 *     Network Sharing, 2002, section 3.2.
 */
#pragma once

#include <stdbool.h>

/* Between two samples, in seconds. */
struct window {
	double wall_s;
	double cpu_s;   /* on a CPU */
	double ready_s; /* runnable, but not on a CPU */
	double calls;   /* system calls made; NAN: not known */
	double system;  /* the share of CPU time in the kernel, over longer
			   than the window; NAN: not known */
	bool estimated; /* calls are estimated from other windows: counts for
			   the sums only */
};

/* A longer window counts for the sums only. */
#define PHASES_WINDOW_MAX_S 0.05

struct phases {
	double busy_s;                   /* CPU time without spinning */
	double ready_s;                  /* runnable for work, without a CPU */
	double idle_s;                   /* all other time, spinning included */
	double spinning_s;               /* CPU time of spinning */
	double busy_phases, idle_phases; /* how many there were */

	/* Wall time, in windows short enough to show phases. */
	double busy_seen_s, idle_seen_s;

	/* State of the detector. */
	enum { PHASE_NONE, PHASE_BUSY, PHASE_IDLE, PHASE_MIXED } now;
};

/* Return the share of a window's CPU time that was spinning; a loop of nothing
 * else makes `spin_rate` calls per second of CPU time. */
double phases_spinning(const struct window *window, double spin_rate);

/* All 0 at the beginning. */
void phases_add(struct phases *phases, const struct window *window,
		double spin_rate);

/* Return the number of cycles of a busy and an idle phase; at least 1 after
 * a window. */
double phases_cycles(const struct phases *phases);
