/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprobes.h - calls and returns of a function of this process, by the kernel's uprobes
 *
 * For programs that were not rebuilt.  collectord, which may open uprobes, does so on
 * request, and gives them to us: nothing of the program is changed on the disk, and
 * they vanish with the process.  A call of the function takes a microsecond longer,
 * several where the kernel must step over its first instruction.
 *
 * A thread of our own, which sleeps, reads the ring when it is a quarter full, and takes
 * the probe away where the measure ends early.
 */
#ifndef COLLECTORS_PROFILERS_MPI_UPROBES_H
#define COLLECTORS_PROFILERS_MPI_UPROBES_H

#include <stdint.h>

#include "collectors/profilers/mpi/symbols.h"
#include "predictor/base/error.h"

/* For the thread that calls it, once.  Waits for collectord no longer than
 * UPROBES_WAIT_MS, and only where one listens.  -1 with *err: not here. */
#define UPROBES_WAIT_MS 5000
int uprobes_begin(const struct symbol_place *place, struct sp_error *err);

/* By that thread: a call of MPI begins, when its CPU clock shows cpu_s.  The work of
 * the function since the last one, or since the beginning. */
double uprobes_enter(double cpu_s);

/* It has ended. */
void uprobes_leave(double cpu_s);

/* Why there is no measure any more, as a sentence; NULL: there is. */
const char *uprobes_why(void);

uint64_t uprobes_calls(void);

/* The probe is taken away, a moment later. */
void uprobes_end(void);

#endif
