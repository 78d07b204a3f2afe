/* SPDX-License-Identifier: GPL-2.0-or-later */
/* next_request.h - what to request next time, from what the last runs used
 *
 * Advice alone: nothing is lowered for anybody.  A run that was ended by its
 * limit or for want of memory is a lower bound, not a sample.
 */
#pragma once

#include "predictor/features/run.h"

#define NEXT_REQUEST_RUNS     20 /* of the application, the newest, count */
#define NEXT_REQUEST_LEAST    3  /* or there is no advice */
#define NEXT_REQUEST_WHY_SIZE 256
#define NEXT_REQUEST_TEXT     96

/* A run that has ended.  NAN: not known. */
struct used_run {
	uint32_t job_id;
	uint32_t nodes, tasks, cpus;
	double memory_mb; /* requested over all nodes; 0: not known, too */
	double limit_s;   /* HUGE_VAL: unlimited */
	double runtime_s;
	double cpu_s;            /* on all nodes */
	double peak_memory_mb;   /* on the fullest node */
	double cached_memory_mb; /* with all pages of files; not advised on */
	double quantile_s;       /* of its prediction */
	enum run_state state;
	bool imported;
	struct parameters parameters;
	/* Of `like` below: its CPUs on a node, if it requests memory for each
	 * CPU; 0: it requests memory for each node. */
	uint32_t node_cpus;
	bool memory_unadvised; /* of `like`, too: it gets no advice on it */
};

/* The shares of what was requested that it used; NAN: not known. */
double used_run_time(const struct used_run *run);
double used_run_cpu(const struct used_run *run);
double used_run_memory(const struct used_run *run);
/* Return what it requested of each node in MiB. */
double used_run_node_mb(const struct used_run *run);

struct next_request {
	uint32_t runs;     /* that it rests on */
	uint32_t matching; /* of these, of the size and with the time limit of
			     `like`: another limit may announce another run */
	double limit_s;    /* a whole number of minutes; NAN: not advised */
	double memory_mb;  /* of each node, as of --mem; NAN: not advised */
	uint32_t cpus;     /* of the one task; 0: not advised */
	char options[NEXT_REQUEST_TEXT]; /* "-t 50:00 --mem=2G"; empty: none */
	char why[NEXT_REQUEST_WHY_SIZE]; /* what is advised more, or not, with
					    its reason; empty: nothing is */
};

/* Find what a job like `like` (its size, request, parameters and quantile)
 * should request, after these runs of its user and application, the newest
 * first; others beyond NEXT_REQUEST_RUNS do not count.  Runs like it are
 * preferred. */
void next_request_find(const struct used_run *like,
		       const struct used_run runs[], size_t count,
		       struct next_request *ret);
