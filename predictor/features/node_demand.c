/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_demand.c - what a job requires of each of its nodes */
#include "predictor/features/node_demand.h"

/* Tasks need not be spread evenly: of several only one is sure to be there. */
static uint32_t tasks_on_each(const struct job_size *s)
{
	return s->tasks_per_node && !s->tasks ? s->tasks_per_node : 1;
}

static uint32_t cpus_on_each(const struct job_size *s)
{
	struct job_size one = *s;

	one.tasks = tasks_on_each(s);
	one.cpus_min = 0;
	return job_size_cpus(&one, 1);
}

void node_demand_of(const struct submission *job, struct node_demand *ret)
{
	const struct job_size *size = &job->size;

	constraint_parse(job->features, &ret->constraint);
	gres_request_on_node(&job->gres, tasks_on_each(size), &ret->gres);
	ret->cpus = cpus_on_each(size);
	ret->memory_mb = size->memory_per_node_mb > 0
				 ? size->memory_per_node_mb
				 : size->memory_per_cpu_mb * ret->cpus;
	ret->exclusive = size->exclusive;
}
