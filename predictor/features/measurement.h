/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measurement.h - a measurement of a node, and the conditions for a job
 *
 * NAN stands for "not measured" throughout.
 */
#pragma once

#include "predictor/base/hostlist.h"

/* With less room than this the spool's disk is full: a file in it has a few kB,
 * and is written beside the old one. */
#define SPOOL_FULL_MB 0.125

struct measurement {
	char node[HOSTLIST_NAME_SIZE];
	double time_s;            /* since the epoch */
	double cpu_load;          /* processes that run or want to, other than
				 those of Slurm's jobs, a mean over the sampling
				 interval */
	double cpu_available;     /* 0 to 1: share of a CPU that a newly started
				 process would get, were there no jobs of Slurm
				 on the node */
	double cpu_available_now; /* the same beside the jobs that are there */
	double cpu_correction;    /* by which both were multiplied, because a
				 probe got so much less, or more, than expected
				 from what is seen; 1: as expected */
	double host;       /* a number of the machine that it shares with other
			nodes; 0 or NAN: it shares none that is known */
	double host_nodes; /* like this one, that the machine can serve with all
			      their CPU time, beside its other work */
	double cpu_speed;  /* of a CPU, relative to a fixed reference */
	double cpu_turn_s; /* how long a process that wakes up waits for
				     its CPU, for each competitor on it */
	double cpu_credit_s; /* CPU seconds that the kernel's scheduler
				     gives back for a sleep, at most */
	double memory_available_mb;
	double spool_free_mb; /* on the disk of collectord's spool */
	double spool_failed;  /* files that collectord could not write there
				 since it started */
};

/* Conditions over a node set just before a run starts ([1] section 2, items
 * 3 to 5), and what a query point assumes of them.
 *
 * [1] Lee, Schopf: Run-Time Prediction of Parallel Applications on Shared
 *     Environments, 2003. */
struct conditions {
	int nodes_known;          /* nodes with a fresh measurement */
	double cpu_load;          /* mean over the nodes */
	double cpu_load_max;      /* of the most loaded node */
	double cpu_available;     /* mean over the nodes */
	double cpu_available_min; /* of the least available node, each for the
				     share of the work that it has to do */
	double bandwidth_bps;     /* mean over the links */
	double latency_s;         /* mean over the links */
};

void conditions_init(struct conditions *ret); /* nothing known */
