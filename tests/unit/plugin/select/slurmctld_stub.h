/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmctld_stub.h - slurmctld's nodes and jobs, in a unit test
 *
 * A little cluster: nodes n0, n1, ... of 8 CPUs and 16 GB, and jobs on them.
 * With the types of Slurm's source; where that is not at hand, a test says
 * SLURM_SOURCE_MISSING and makes nothing.
 */
#pragma once

#if __has_include(<src/slurmctld/slurmctld.h>)
#define SLURM_SOURCE_MISSING 0

#include "plugin/site/releases.h"

#define STUB_NODES_MAX 16
#define STUB_JOBS_MAX  8

/* A job on the nodes of `text`. */
struct stub_job {
	job_record_t job;
	job_resources_t resources;
	__typeof__(*((job_record_t *)NULL)->details) details;
	uint16_t cpus[STUB_NODES_MAX];
	uint64_t memory_mb[STUB_NODES_MAX];
};

struct slurmctld_stub {
	node_record_t *nodes[STUB_NODES_MAX];
	node_record_t records[STUB_NODES_MAX];
	config_record_t configs[STUB_NODES_MAX];
	char names[STUB_NODES_MAX][16];
	struct stub_job jobs[STUB_JOBS_MAX];
	int jobs_count;
	int counted;    /* how often the jobs were counted */
	bool is_client; /* the process is not slurmctld */
};

extern struct slurmctld_stub slurmctld_stub;

/* Members of slurm_stub.h, whose declarations of slurmctld's functions are
 * not Slurm's. */
extern char stub_log[65536];
void stub_reset(void);

/* Begin anew, with that many nodes and no jobs. */
void slurmctld_stub_begin(int nodes);

/* Free what belongs to it. */
void slurmctld_stub_end(void);

/* Add a running job that has that many CPUs and megabytes on each of the nodes
 * of `nodes`, which becomes the job's. */
struct stub_job *slurmctld_stub_job(bitstr_t *nodes, uint16_t cpus,
				    uint64_t memory_mb);

/* The nodes whose digit is in `text`, of a cluster of `size` nodes. */
bitstr_t *slurmctld_stub_bits(int size, const char *text);

/* The digits of the nodes in a bitmap, in static memory. */
const char *slurmctld_stub_text(bitstr_t *nodes);

#else
#define SLURM_SOURCE_MISSING 1
#endif
