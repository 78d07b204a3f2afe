/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_probe.h - a short thread that measures what a new process gets
 *
 * A thread of ours that computes for some 20 ms of CPU time: it starts as a new
 * process would, with its nice level if the system allows it, on the CPU that
 * the scheduler finds for it, and compares CPU time with real time.  What it
 * computes is always the same, so its rate is the speed of the CPU.
 */
#pragma once

#include "predictor/base/error.h"

struct cpu_probe;

struct cpu_probe_result {
	double share;  /* of a CPU, that it got */
	double cost_s; /* of CPU time */
	double took_s; /* of real time */
	int nice;      /* that it had */
	double speed;  /* relative to the reference, see cpu_probe.c */
};

/* Make a probe that does not run yet; NULL: out of memory. */
struct cpu_probe *cpu_probe_create(void);

/* Waits for one that runs; NULL is allowed. */
void cpu_probe_destroy(struct cpu_probe *probe);

/* Fails if there can be no thread. There must be none running. */
int cpu_probe_start(struct cpu_probe *probe, struct sp_error *err);

/* Whether one runs, or has ended and was not taken yet. */
int cpu_probe_is_out(const struct cpu_probe *probe);

/* 1: it has ended, *ret is its result.  0: none was started, or it runs. */
int cpu_probe_take(struct cpu_probe *probe, struct cpu_probe_result *ret);
