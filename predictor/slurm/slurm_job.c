/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_job.c - a job as slurmctld has it, from squeue
 *
 * Reads records until that of the job, by the table of columns and in its
 * order: memory and generic resources need the counts before them.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/gres.h"
#include "predictor/slurm/slurm_job.h"

/* Slurm's NO_VAL: not given. */
#define SLURM_NO_VALUE UINT32_C(0xfffffffe)

static int read_number(const char *value, uint32_t *to)
{
	return slurm_read_number(value, to, sizeof(*to));
}

/* "N/A" of a job that is in no array; "4-9" of tasks that wait. */
static int set_array_task(void *into, const char *value)
{
	struct slurm_job *job = into;

	if (!isdigit((unsigned char)*value))
		job->run.array_job_id = 0; /* squeue printed its own id */
	else if (read_number(value, &job->run.array_task_id))
		job->run.array_task_id = 0;
	return 0;
}

/* After its job; without one NO_VAL or "N/A". */
static int set_het_offset(void *into, const char *value)
{
	struct slurm_job *job = into;

	if (job->run.het_job_id == 0 ||
	    read_number(value, &job->run.het_offset))
		job->run.het_offset = 0;
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

	if (read_number(value, &count) || count > 1000000)
		return -1;
	job->restarts = (int)count;
	return 0;
}

/* "1:0"; up to 25.05 or so the status of waitpid(). */
static int set_exit(void *into, const char *value)
{
	struct slurm_job *job = into;
	uint32_t status;

	if (read_number(value, &status))
		return slurm_exit_parse(value, &job->run.exit_code,
					&job->run.exit_signal);
	if (WIFEXITED((int)status))
		job->run.exit_code = WEXITSTATUS((int)status);
	else if (WIFSIGNALED((int)status))
		job->run.exit_signal = WTERMSIG((int)status);
	return 0;
}

/* "NOT_SET", and "INVALID" beyond a year, are no limit that is known. */
SLURM_READER(static, walltime, slurm_limit_parse)
SLURM_READ_OR(static, walltime_if_known, walltime, double, NAN)

static int set_node_list(void *into, const char *value)
{
	struct slurm_job *job = into;

	/* A list that is cut would name nodes that are not there. */
	if (strlen(value) < sizeof(job->run.node_list))
		slurm_text_copy(value, job->run.node_list,
				sizeof(job->run.node_list));
	return 0;
}

/* NO_VAL where the job does not say. */
static int set_tasks(void *into, const char *value)
{
	struct slurm_job *job = into;

	if (read_number(value, &job->run.tasks) ||
	    job->run.tasks >= SLURM_NO_VALUE)
		job->run.tasks = 0;
	return 0;
}

/* "100M", "1.50G", "0". */
static double memory_mb(const char *value)
{
	struct slurm_memory memory = { .mb = 0 };

	slurm_memory_parse(value, &memory);
	return memory.mb;
}

/* Memory of each CPU or each node: squeue does not say which. */
static int set_memory(void *into, const char *value)
{
	struct slurm_job *job = into;

	job->run.memory_mb = memory_mb(value) * job->run.nodes;
	return 0;
}

/* "cpu=2,mem=200M,node=1,billing=2": memory of the whole job.  A job that
 * requests none gets a whole node's; that is not its request. */
static int set_tres(void *into, const char *value)
{
	struct slurm_job *job = into;
	const char *memory = strstr(value, "mem=");
	char text[32] = "";

	if (!memory || (memory > value && memory[-1] != ',') ||
	    job->run.memory_mb <= 0)
		return 0;
	memory += strlen("mem=");
	memccpy(text, memory, ',', sizeof(text) - 1);
	text[strcspn(text, ",")] = '\0';
	if (memory_mb(text) > 0)
		job->run.memory_mb = memory_mb(text);
	return 0;
}

/* Add to what the job requests over all of its nodes. */
static int add_gres(struct run *run, const char *value, uint32_t times)
{
	struct gres_list list = { .count = 0 };

	if (strcmp(value, "N/A") == 0)
		return 0;
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
	job->missed = slurm_comment_missed(value);
	return 0;
}

#define READ(reader, member) SLURM_MEMBER(reader, struct slurm_job, member)

static const struct squeue_column columns[] = {
	{ "jobid", 10, READ(number, run.job_id) },
	{ "arrayjobid", 10, READ(number, run.array_job_id) },
	{ "arraytaskid", 16, .set = set_array_task },
	/* "0" of a job that is not heterogeneous; of later releases "N/A". */
	{ "hetjobid", 10, READ(count_or_0, run.het_job_id) },
	{ "hetjoboffset", 12, .set = set_het_offset },
	{ "userid", 11, READ(user_id, run.user_id) },
	{ "username", RUN_NAME_SIZE - 1, READ(text, run.user) },
	{ "account", RUN_NAME_SIZE - 1, READ(text, run.account) },
	{ "partition", RUN_NAME_SIZE - 1, READ(text, run.partition) },
	{ "qos", RUN_NAME_SIZE - 1, READ(text, run.qos) },
	{ "state", 24, .set = set_state },
	{ "restartcnt", 10, .set = set_restarts },
	{ "exit_code", 10, .set = set_exit },
	{ "timelimit", 16, READ(walltime_if_known, run.limit_s) },
	{ "submittime", 20, READ(begin, run.submitted_at_s) },
	{ "starttime", 20, READ(begin, run.started_at_s) },
	{ "endtime", 20, READ(begin, run.ended_at_s) },
	{ "timeused", 23, READ(limit, used_s) },
	{ "numnodes", 10, READ(number, run.nodes) },
	{ "numcpus", 10, READ(number, run.cpus) },
	{ "numtasks", 10, .set = set_tasks },
	{ "minmemory", 16, .set = set_memory },
	{ "tres-alloc", 255, .set = set_tres },
	{ "feature", RUN_FEATURES_SIZE - 1, READ(text, run.features) },
	{ "licenses", RUN_LICENSES_SIZE - 1, READ(text, run.licenses) },
	{ "tres-per-job", 255, .set = add_gres_of_job },
	{ "tres-per-node", 255, .set = add_gres_of_nodes },
	{ "tres-per-socket", 255, .set = add_gres_of_nodes },
	{ "tres-per-task", 255, .set = add_gres_of_tasks },
	{ "name", RUN_NAME_SIZE - 1, READ(text, run.job_name) },
	{ "admin_comment", SQUEUE_WIDTH_MAX, .set = set_admin_comment },
	{ "command", SQUEUE_WIDTH_MAX, READ(text, command) },
	{ "nodelist", 0, .set = set_node_list },
	{ .name = NULL },
};

void slurm_job_args(const char *squeue, const char *job_id,
		    struct squeue_args *ret)
{
	squeue_args_make(squeue, job_id, NULL, columns, ret);
}

int slurm_job_parse(const char *text, size_t size, uint32_t job_id,
		    struct slurm_job *ret, struct sp_error *err)
{
	const char *record = text, *end = text + size;

	while (record < end) {
		struct slurm_job job = { .run = { .limit_s = NAN } };
		struct sp_error why;
		int rc = squeue_record_read(columns, &record, end, &job, &why);

		if (rc < 0 || (rc > 0 && job.run.job_id == job_id))
			return sp_error_set(err, "job %u: %.200s", job_id,
					    why.text);
		if (job.run.job_id != job_id)
			continue;
		conditions_init(&job.run.before);
		if (job.phase == SLURM_ENDED)
			job.run.suspended_s = fmax(
				0, job.run.ended_at_s - job.run.started_at_s -
					   job.used_s);
		else
			job.run.ended_at_s = NAN;
		*ret = job;
		return 0;
	}
	return sp_error_set(err, "job %u: squeue printed no record of it",
			    job_id);
}
