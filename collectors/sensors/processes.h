/* SPDX-License-Identifier: GPL-2.0-or-later */
/* processes.h - the list of processes, and the Slurm job of each
 *
 * One pass over /proc: what each process is doing, what it has used, and the
 * job it belongs to, if a slurmstepd is among its ancestors.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "predictor/base/error.h"

#define PROCESSES_MAX 65536 /* those beyond are ignored */

struct process {
	pid_t pid, parent;
	char state;       /* of its first thread; 'R': runs or is ready to */
	int8_t nice;      /* of its first thread */
	bool step_daemon; /* a slurmstepd: so called, and of root */
	bool slurmd;
	bool kernel;          /* one of the kernel's own threads */
	bool in_job;          /* a slurmstepd's descendant, or itself one */
	uint32_t job_id;      /* 0: none, or not known */
	uint64_t ticks;       /* of CPU time, used so far by all its threads */
	uint64_t child_ticks; /* used by children that it has waited for */
	uint64_t born_ticks;  /* after boot: differs for a reused pid */
	uint64_t resident_pages;
	uint32_t threads;
	/* Set by competition_read_times(), not here. */
	bool times_known;
	uint64_t run_ns, wait_ns;
};

struct processes {
	uint32_t count, room;
	struct process *of; /* by ascending pid */
};

/* Parse the text of /proc/PID/stat; does not set in_job and job_id. */
int process_parse(const char *text, struct process *ret);

#define PROCESS_THREADS_MAX 64 /* that are read one by one */

/* How long its threads have run so far, and how long they have waited for a
 * CPU.  Fails where the kernel keeps no schedstat, and for a process that is
 * gone. */
int process_times(const struct process *process, uint64_t *ret_run_ns,
		  uint64_t *ret_wait_ns);

/* Read the processes of a control group (a path of its folder), with all groups
 * below it, or of the whole system if it is empty.  The array is used again. */
int processes_read(const char *group, struct processes *processes,
		   struct sp_error *err);

/* The same, but the kernel's threads that were known before, often more than
 * half of all, are copied and not read again. */
int processes_read_again(const char *group, const struct processes *known,
			 struct processes *processes, struct sp_error *err);

void processes_clear(struct processes *processes);

/* Return NULL if there is none of that pid. */
struct process *processes_find(const struct processes *processes, pid_t pid);
