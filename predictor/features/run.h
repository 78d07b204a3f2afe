/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - one execution of a job, under way or finished
 *
 * The collector on the run's first node gets the record of the whole job from
 * Slurm (struct run); the collector on each node adds what happened there
 * (struct run_share).  A run is identified by cluster, job id and start time
 * as slurmctld gives it, which stays the same however often it is sent and
 * differs between the attempts of a requeued job.
 */
#pragma once

#include <stdint.h>

#include "predictor/base/hostlist.h"
#include "predictor/features/application.h"
#include "predictor/features/enum_words.h"
#include "predictor/features/measurement.h"

#define RUN_NAME_SIZE       64   /* of clusters, users, accounts, partitions */
#define RUN_NODES_SIZE      1024 /* a hostlist */
#define RUN_FEATURES_SIZE   128  /* of nodes: Slurm's --constraint */
#define RUN_GRES_SIZE       128  /* a list of generic resources */
#define RUN_LICENSES_SIZE   128  /* as --licenses has them */
#define RUN_DEPENDENCY_SIZE 256  /* as --dependency has it */
#define PREDICTION_ID_SIZE  17   /* 16 hexadecimal digits */

enum run_state {
	RUN_RUNNING,
	RUN_COMPLETED,
	RUN_FAILED,
	RUN_CANCELLED,
	RUN_TIMEOUT,
	RUN_OUT_OF_MEMORY,
	RUN_NODE_FAIL,
	RUN_PREEMPTED,
	RUN_REQUEUED,
	RUN_LOST, /* ended, but it is not known how */
	RUN_STATES
};

/* The names in Slurm, also BOOT_FAIL and DEADLINE, which count as NODE_FAIL and
 * TIMEOUT; no others (PENDING, COMPLETING, ...) are states of a run. */
extern const struct enum_words run_state_words;

/* Return the name in Slurm: "COMPLETED". */
const char *run_state_name(enum run_state state);

struct run {
	int64_t id;     /* in the store; 0: not stored yet */
	int64_t change; /* grows with each change of any run there; 0: it was
			   imported, or is not stored yet */
	char cluster[RUN_NAME_SIZE];
	uint32_t job_id;
	uint32_t array_job_id;  /* 0: not of an array */
	uint32_t array_task_id; /* counts if array_job_id is not 0 */
	uint32_t het_job_id;    /* of a heterogeneous job; 0: it is none */
	uint32_t het_offset;    /* of the component, if het_job_id is not 0 */
	uint32_t user_id;
	char user[RUN_NAME_SIZE];
	char account[RUN_NAME_SIZE];
	char partition[RUN_NAME_SIZE];
	char qos[RUN_NAME_SIZE];
	char features[RUN_FEATURES_SIZE]; /* requested by --constraint */
	char gres[RUN_GRES_SIZE];         /* requested over all nodes, as
				     gres_list_print() has it */
	char licenses[RUN_LICENSES_SIZE]; /* requested: "matlab:2" */
	char job_name[RUN_NAME_SIZE];
	char prediction_id[PREDICTION_ID_SIZE]; /* empty: none was made */

	uint32_t nodes;
	uint32_t tasks;
	uint32_t cpus;
	double memory_mb; /* requested over all nodes; 0: unknown */
	double limit_s;   /* NAN: none known, HUGE_VAL: unlimited */
	char node_list[RUN_NODES_SIZE];

	double submitted_at_s; /* since the epoch, by slurmctld */
	double started_at_s;
	double ended_at_s;  /* NAN while it runs */
	double suspended_s; /* between start and end */
	enum run_state state;
	int exit_code;   /* of the batch script, 0 to 255 */
	int exit_signal; /* 0: none */

	/* From logs only; what it used is 0 where it is not known: */
	double cpu_s;          /* on all nodes */
	double peak_memory_mb; /* on the fullest node */
	double energy_j;
	double gpus_busy; /* a mean */
	char dependency
		[RUN_DEPENDENCY_SIZE]; /* with ids of the log; empty: none
					is known */
	double think_s; /* it was submitted so long after the end of the job
			   in `dependency`; NAN: not because of it */
	uint32_t array_most; /* tasks of its array at a time; 0: no bound */

	/* Filled in by predictd, not by collectors: */
	struct application application;
	struct conditions before; /* on node_list, before the start */
};

/* Return whether models may learn from the run time: only if the
 * run completed. */
bool run_is_representative(const struct run *run);

/* Return whether the job waits again after this run. */
bool run_is_requeued(const struct run *run);

/* Return the seconds from start to end without suspensions; NAN while it
 * runs. */
double run_runtime_s(const struct run *run);

/* What one node saw of a run. */
struct run_share {
	char cluster[RUN_NAME_SIZE];
	uint32_t job_id;
	char node[HOSTLIST_NAME_SIZE];
	double started_at_s; /* by the node's clock */
	double ended_at_s;
	double cpu_s; /* user and system time of its processes; NAN: unknown */
	double peak_memory_mb;   /* that counts; NAN: unknown, here and below */
	double own_memory_mb;    /* greatest sample of anonymous and shared
				  memory, from its control group */
	double task_memory_mb;   /* resident, of its largest process */
	double cached_memory_mb; /* most of its control group, with all pages
				    of files that it read */
	int exit_code;           /* the highest of its tasks' */
	int exit_signal;         /* the highest of its tasks'; 0: none */
	uint32_t tasks;          /* whose end was seen */
};
