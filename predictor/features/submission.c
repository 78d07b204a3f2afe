/* submission.c - a job as the user submitted it */
#include <math.h>
#include <string.h>

#include "predictor/features/submission.h"

void submission_init(struct submission *ret)
{
	memset(ret, 0, offsetof(struct submission, arguments));
	ret->limit_s = NAN;
}

void submission_copy(const struct submission *job, struct submission *ret)
{
	memcpy(ret, job, offsetof(struct submission, arguments));
	for (size_t i = 0; i < job->arguments_count; i++)
		ret->arguments[i] = job->arguments[i];
	for (size_t i = 0; i < job->settings_count; i++)
		ret->settings[i] = job->settings[i];
}

uint32_t submission_nodes(const struct submission *job)
{
	if (job->nodes_min)
		return job->nodes_min;
	if (job->tasks && job->tasks_per_node)
		return (job->tasks - 1) / job->tasks_per_node + 1;
	return 1;
}

uint32_t submission_tasks(const struct submission *job)
{
	uint32_t nodes = submission_nodes(job);

	if (job->tasks)
		return job->tasks;
	if (job->tasks_per_node && job->tasks_per_node <= UINT32_MAX / nodes)
		return nodes * job->tasks_per_node;
	return nodes;
}
