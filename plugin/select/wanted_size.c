/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wanted_size.c - the size that a job wants, from slurmctld's record of it */
#include "plugin/select/wanted_size.h"

/* Numbers that were not given are 0, or one of Slurm's large ones. */
static uint32_t count16_given(uint16_t value)
{
	return value >= NO_VAL16 ? 0 : value;
}

static uint32_t count32_given(uint32_t value)
{
	return value >= NO_VAL ? 0 : value;
}

static void memory_of_job(const job_record_t *job, struct job_size *ret)
{
	uint64_t memory = job->details->pn_min_memory;

	if (!(slurm_conf.select_type_param & RELEASE_MEMORY) ||
	    memory == NO_VAL64)
		return;
	if (memory & MEM_PER_CPU)
		ret->memory_per_cpu_mb = (double)(memory & ~MEM_PER_CPU);
	else
		ret->memory_per_node_mb = (double)memory;
}

void wanted_size(const job_record_t *job, struct job_size *ret)
{
	*ret = (struct job_size){
		.tasks = count32_given(job->details->num_tasks),
		.tasks_per_node = count16_given(job->details->ntasks_per_node),
		.cpus_per_task = count16_given(job->details->cpus_per_task),
		.cpus_min = count32_given(job->details->min_cpus),
		.cpus_per_node_min = count32_given(job->details->pn_min_cpus),
		.exclusive = job->details->whole_node & WHOLE_NODE_REQUIRED ||
			     (job->part_ptr && !job->part_ptr->max_share),
		.overcommit = job->details->overcommit != 0,
	};
	memory_of_job(job, ret);
}

uint32_t wanted_leaves(const job_record_t *job)
{
	return count32_given(job->req_switch);
}

bool wanted_in_blocks(const job_record_t *job, const struct job_size *size,
		      uint32_t nodes)
{
	uint32_t given = job->details->task_dist;
	uint32_t by_node = given == NO_VAL ? SLURM_DIST_UNKNOWN
					   : given & SLURM_DIST_NODEMASK;

	if (by_node && by_node != SLURM_DIST_NODEBLOCK &&
	    by_node != SLURM_DIST_UNKNOWN)
		return false;
	return size->tasks_per_node || size->tasks == nodes || !size->exclusive;
}
