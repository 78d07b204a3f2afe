/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_correction.h - when to probe the CPUs, and how the result corrects
 *
 * The probe sees what no process list shows: other control groups, containers
 * or virtual machines that take more, or less, of the CPUs than their
 * processes' share.  But it is short, some 20 ms of CPU time, so it also sees
 * competitors come and go, and CPUs on which the load is not balanced yet.  The
 * passive view gives bounds for that; only a result beyond the nearer bound
 * is a reason to correct, and only if the next one confirms it.  Measurements
 * are then multiplied by their ratio, the nearer to 1 of the two, followed
 * with a gain.
 *
 * Probes become rare while they confirm the factor, and come sooner when they
 * do not, or when the passive view has changed much; but never so often that
 * they cost more than PROBE_COST_MAX of a CPU.
 */
#pragma once

#include <stdbool.h>

#include "collectors/sensors/cpu_probe.h"
#include "collectors/sensors/cpu_share.h"

#define PROBE_COST_MAX     0.0008 /* CPUs */
#define PROBE_SPEEDS       3      /* of which the best is reported */
#define PROBE_AGAIN_MAX_S  600.0
#define PROBE_AGAIN_SOON_S 30.0

/* What a probe would be done for again when it changes. */
struct cpu_view {
	double share; /* expected for a new process */
	double busy;  /* part of the machine's CPUs, used by any process */
};

struct cpu_correction {
	double factor; /* of measurements */
	/* The rest is its own. */
	double again_s, at_s, soonest_s; /* next, if nothing changes, or does */
	struct cpu_view view;            /* at the last one */
	double ratio;                    /* that the last one found */
	double speeds[PROBE_SPEEDS];     /* NAN: none */
	int speed;                       /* the next one's place */
};

void cpu_correction_init(struct cpu_correction *ret);

/* Return whether to start a probe now; counts as started. */
bool cpu_correction_is_due(struct cpu_correction *correction, double now_s,
			   const struct cpu_view *view);

/* What the probe got, against what was expected of the time in which it ran.
 * `period_s`: of a quota that holds for us; 0: none does. */
void cpu_correction_learn(struct cpu_correction *correction, double now_s,
			  const struct cpu_probe_result *result,
			  const struct cpu_share *expected, double period_s);

/* The best of the last probes, for interference only makes slower; NAN: none
 * yet. */
double cpu_correction_speed(const struct cpu_correction *correction);
