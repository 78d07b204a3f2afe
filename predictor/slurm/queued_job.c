/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queued_job.c - what squeue says of a job that has not ended, for people */
#include "predictor/base/conf.h"
#include "predictor/slurm/queued_job.h"

static int set_job_id(void *into, const char *value)
{
	struct queued_job *job = into;
	long number;

	if (conf_integer(value, 1, UINT32_MAX, &number, NULL))
		return -1;
	job->job_id = (uint32_t)number;
	return 0;
}

/* "0" of a job that is not heterogeneous; of later releases "N/A". */
static uint32_t het_number(const char *value)
{
	long number;

	return conf_integer(value, 0, UINT32_MAX, &number, NULL)
		       ? 0
		       : (uint32_t)number;
}

static int set_het_job(void *into, const char *value)
{
	((struct queued_job *)into)->het_job_id = het_number(value);
	return 0;
}

static int set_het_offset(void *into, const char *value)
{
	((struct queued_job *)into)->het_offset = het_number(value);
	return 0;
}

static int skip(void *into, const char *value)
{
	(void)into;
	(void)value;
	return 0;
}

#define READ(reader, member) SLURM_MEMBER(reader, struct queued_job, member)

static const struct squeue_column columns[] = {
	{ "jobid", 10, .set = set_job_id },
	{ "hetjobid", 10, .set = set_het_job },
	{ "hetjoboffset", 12, .set = set_het_offset },
	{ "state", 24, READ(text, state) },
	{ "reason", 63, READ(text, reason) },
	{ "name", RUN_NAME_SIZE - 1, READ(text, name) },
	{ "admin_comment", SQUEUE_WIDTH_MAX, READ(prediction, prediction_id) },
	{ "nodelist", 0, .set = skip },
	{ .name = NULL },
};

void queued_job_args(const char *job_id, const char *cluster,
		     struct squeue_args *ret)
{
	squeue_args_make("squeue", job_id, cluster, columns, ret);
}

int queued_job_parse(const char *text, size_t size, struct queued_job *ret,
		     struct sp_error *err)
{
	struct queued_job job = { .job_id = 0 };

	if (size == 0)
		return sp_error_set(err, "squeue printed no job");
	if (squeue_record_read(columns, &text, text + size, &job, err))
		return -1;
	*ret = job;
	return 0;
}
