/* SPDX-License-Identifier: GPL-2.0-or-later */
/* samples.h - where a thread is, every few milliseconds of its CPU time
 *
 * The kernel writes addresses into a ring that is mapped here: no signal comes,
 * and no call of the program is interrupted.  It must be allowed to
 * (kernel.perf_event_paranoid of at most 2, or CAP_PERFMON).
 *
 * Only samples outside of MPI count.  All calls are of the thread that began.
 */
#pragma once

#include "predictor/trace/procedure_work.h"

/* One after each period of the thread's CPU time.  -1: the kernel refuses, or
 * it is not the first time; the others do nothing then. */
int samples_begin(double period_s);

/* A call of MPI begins; it has ended. */
void samples_enter(void);
void samples_leave(void);

/* The functions with most samples, that with most first; no more are taken.
 * Returns how many. */
int samples_end(struct procedure_work ret[], int most);
