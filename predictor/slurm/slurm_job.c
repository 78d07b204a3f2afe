/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_job.c - a job as `scontrol --oneliner show job ID` prints it
 *
 * Finds the one line of the job, then reads it by the table of keys, in the
 * order of the table: memory per CPU and per node needs the counts before it.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/gres.h"
#include "predictor/slurm/scontrol_record.h"
#include "predictor/slurm/slurm_job.h"

static int read_count(const char *value, uint32_t *to)
{
	char *end;
	unsigned long number = strtoul(value, &end, 10);

	/* "2-4": of a job that waits. */
	if (!isdigit((unsigned char)*value) || (*end && *end != '-') ||
	    number > UINT32_MAX)
		return -1;
	*to = (uint32_t)number;
	return 0;
}

/* Anything else than a time is none: "Unknown". */
static int read_time(const char *value, double *to)
{
	if (slurm_time_parse(value, to))
		*to = NAN;
	return 0;
}

static int set_job(void *into, const char *value)
{
	struct slurm_job *job = into;

	return read_count(value, &job->run.job_id);
}

static int set_array_job(void *into, const char *value)
{
	struct slurm_job *job = into;

	return read_count(value, &job->run.array_job_id);
}

static int set_array_task(void *into, const char *value)
{
	struct slurm_job *job = into;

	/* "4-9" or "N/A" of those that wait. */
	if (read_count(value, &job->run.array_task_id))
		job->run.array_task_id = 0;
	return 0;
}

static int set_job_name(void *into, const char *value)
{
	struct slurm_job *job = into;

	scontrol_text_copy(value, job->run.job_name, sizeof(job->run.job_name));
	return 0;
}

/* "name(1000)"; an unknown user is "1000(1000)" or so. */
static int set_user(void *into, const char *value)
{
	struct slurm_job *job = into;

	const char *paren = strrchr(value, '(');
	char name[SCONTROL_VALUE_SIZE];
	uint32_t user_id;
	char rest;

	if (!paren || sscanf(paren, "(%" SCNu32 ")%c", &user_id, &rest) != 1)
		return -1;
	memcpy(name, value, (size_t)(paren - value));
	name[paren - value] = '\0';
	scontrol_text_copy(name, job->run.user, sizeof(job->run.user));
	job->run.user_id = user_id;
	return 0;
}

static int set_account(void *into, const char *value)
{
	struct slurm_job *job = into;

	scontrol_text_copy(value, job->run.account, sizeof(job->run.account));
	return 0;
}

static int set_partition(void *into, const char *value)
{
	struct slurm_job *job = into;

	scontrol_text_copy(value, job->run.partition,
			   sizeof(job->run.partition));
	return 0;
}

static int set_qos(void *into, const char *value)
{
	struct slurm_job *job = into;

	scontrol_text_copy(value, job->run.qos, sizeof(job->run.qos));
	return 0;
}

static int set_features(void *into, const char *value)
{
	struct slurm_job *job = into;

	scontrol_text_copy(value, job->run.features, sizeof(job->run.features));
	return 0;
}

static int set_state(void *into, const char *value)
{
	struct slurm_job *job = into;

	return slurm_state_parse(value, &job->phase, &job->run.state);
}

static int set_restarts(void *into, const char *value)
{
	struct slurm_job *job = into;

	uint32_t count;

	if (read_count(value, &count) || count > 1000000)
		return -1;
	job->restarts = (int)count;
	return 0;
}

static int set_exit(void *into, const char *value)
{
	struct slurm_job *job = into;

	return slurm_exit_parse(value, &job->run.exit_code,
				&job->run.exit_signal);
}

static int set_limit(void *into, const char *value)
{
	struct slurm_job *job = into;

	/* "Partition_Limit" of a job that waits. */
	if (slurm_limit_parse(value, &job->run.limit_s))
		job->run.limit_s = NAN;
	return 0;
}

static int set_submitted(void *into, const char *value)
{
	struct slurm_job *job = into;

	return read_time(value, &job->run.submitted_at_s);
}

static int set_started(void *into, const char *value)
{
	struct slurm_job *job = into;

	return read_time(value, &job->run.started_at_s);
}

static int set_ended(void *into, const char *value)
{
	struct slurm_job *job = into;

	return read_time(value, &job->run.ended_at_s);
}

static int set_node_list(void *into, const char *value)
{
	struct slurm_job *job = into;

	/* A list that is cut would name nodes that are not there. */
	if (strlen(value) < sizeof(job->run.node_list))
		scontrol_text_copy(value, job->run.node_list,
				   sizeof(job->run.node_list));
	return 0;
}

static int set_nodes(void *into, const char *value)
{
	struct slurm_job *job = into;

	return read_count(value, &job->run.nodes);
}

static int set_cpus(void *into, const char *value)
{
	struct slurm_job *job = into;

	return read_count(value, &job->run.cpus);
}

static int set_tasks(void *into, const char *value)
{
	struct slurm_job *job = into;

	return read_count(value, &job->run.tasks);
}

/* "100M", "1.50G", "0". */
static double memory_mb(const char *value)
{
	struct slurm_memory memory = { .mb = 0 };

	slurm_memory_parse(value, &memory);
	return memory.mb;
}

/* The counts stand before these in the table. */
static int set_memory_cpu(void *into, const char *value)
{
	struct slurm_job *job = into;

	job->run.memory_mb = memory_mb(value) * job->run.cpus;
	return 0;
}

static int set_memory_node(void *into, const char *value)
{
	struct slurm_job *job = into;

	job->run.memory_mb = memory_mb(value) * job->run.nodes;
	return 0;
}

/* Add to what the job asks for over all of its nodes.  The counts of nodes and
 * tasks come before these in scontrol's order. */
static int add_gres(struct run *run, const char *value, uint32_t times)
{
	struct gres_list list = { .count = 0 };

	gres_list_add(&list, run->gres, 1);
	gres_list_add(&list, value, times);
	gres_list_print(&list, run->gres, sizeof(run->gres));
	return 0;
}

static int add_gres_of_job(void *into, const char *value)
{
	struct slurm_job *job = into;

	return add_gres(&job->run, value, 1);
}

static int add_gres_of_nodes(void *into, const char *value)
{
	struct slurm_job *job = into;

	return add_gres(&job->run, value, job->run.nodes);
}

static int add_gres_of_tasks(void *into, const char *value)
{
	struct slurm_job *job = into;

	return add_gres(&job->run, value, job->run.tasks);
}

static int set_admin_comment(void *into, const char *value)
{
	struct slurm_job *job = into;

	slurm_comment_prediction(value, job->run.prediction_id);
	return 0;
}

static const struct scontrol_key keys[] = {
	{ "JobId", set_job, SCONTROL_REQUIRED, NULL },
	{ "ArrayJobId", set_array_job, SCONTROL_OPTIONAL, NULL },
	{ "ArrayTaskId", set_array_task, SCONTROL_OPTIONAL, NULL },
	{ "JobName", set_job_name, SCONTROL_REQUIRED, " UserId=" },
	{ "UserId", set_user, SCONTROL_REQUIRED, NULL },
	{ "Account", set_account, SCONTROL_OPTIONAL, NULL },
	{ "QOS", set_qos, SCONTROL_UNAMBIGUOUS, NULL },
	{ "JobState", set_state, SCONTROL_REQUIRED, NULL },
	{ "Restarts", set_restarts, SCONTROL_OPTIONAL, NULL },
	{ "ExitCode", set_exit, SCONTROL_REQUIRED, NULL },
	{ "TimeLimit", set_limit, SCONTROL_REQUIRED, NULL },
	{ "SubmitTime", set_submitted, SCONTROL_REQUIRED, NULL },
	{ "StartTime", set_started, SCONTROL_REQUIRED, NULL },
	{ "EndTime", set_ended, SCONTROL_REQUIRED, NULL },
	{ "Partition", set_partition, SCONTROL_REQUIRED, NULL },
	{ "NodeList", set_node_list, SCONTROL_OPTIONAL, NULL },
	{ "NumNodes", set_nodes, SCONTROL_REQUIRED, NULL },
	{ "NumCPUs", set_cpus, SCONTROL_REQUIRED, NULL },
	{ "NumTasks", set_tasks, SCONTROL_OPTIONAL, NULL },
	{ "MinMemoryCPU", set_memory_cpu, SCONTROL_OPTIONAL, NULL },
	{ "MinMemoryNode", set_memory_node, SCONTROL_OPTIONAL, NULL },
	{ "Features", set_features, SCONTROL_UNAMBIGUOUS, NULL },
	{ "TresPerJob", add_gres_of_job, SCONTROL_UNAMBIGUOUS, NULL },
	{ "TresPerNode", add_gres_of_nodes, SCONTROL_UNAMBIGUOUS, NULL },
	{ "TresPerSocket", add_gres_of_nodes, SCONTROL_UNAMBIGUOUS, NULL },
	{ "TresPerTask", add_gres_of_tasks, SCONTROL_UNAMBIGUOUS, NULL },
	{ "AdminComment", set_admin_comment, SCONTROL_UNAMBIGUOUS, "\n" },
	{ .name = NULL },
};

/* The one line of the job; NULL: there is none, or more than one. */
static const char *line_find(const char *text, uint32_t job_id,
			     size_t *ret_length, struct sp_error *err)
{
	char start[32];
	size_t start_length =
		(size_t)snprintf(start, sizeof(start), "JobId=%u ", job_id);
	const char *found = NULL;

	for (const char *line = text; *line;) {
		size_t length = strcspn(line, "\n");

		if (strncmp(line, start, start_length) == 0) {
			if (found) {
				sp_error_set(err, "job %u: several lines",
					     job_id);
				return NULL;
			}
			found = line;
			*ret_length = length;
		}
		line += length + (line[length] == '\n');
	}
	if (!found)
		sp_error_set(err, "job %u: scontrol printed no line of it",
			     job_id);
	return found;
}

int slurm_job_parse(const char *text, uint32_t job_id, struct slurm_job *ret,
		    struct sp_error *err)
{
	struct slurm_job job = { .run = { .limit_s = NAN } };
	struct sp_error why;
	size_t length;
	const char *line = line_find(text, job_id, &length, err);

	if (!line)
		return -1;
	conditions_init(&job.run.before);
	if (scontrol_record_read(line, length, keys, &job, &why))
		return sp_error_set(err, "job %u: %.200s", job_id, why.text);
	if (job.phase != SLURM_ENDED)
		job.run.ended_at_s = NAN;
	*ret = job;
	return 0;
}
