/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queued_job.c - what squeue says of a job that has not ended, for people */
#include "predictor/slurm/queued_job.h"

#define READ(reader, member) SLURM_MEMBER(reader, struct queued_job, member)

static const struct squeue_column columns[] = {
	{ "jobid", 10, READ(number, job_id) },
	/* "0" of a job that is not heterogeneous; of later releases "N/A". */
	{ "hetjobid", 10, READ(count_or_0, het_job_id) },
	{ "hetjoboffset", 12, READ(count_or_0, het_offset) },
	{ "state", 24, READ(text, state) },
	{ "reason", 63, READ(text, reason) },
	{ "name", RUN_NAME_SIZE - 1, READ(text, name) },
	{ "admin_comment", SQUEUE_WIDTH_MAX, READ(prediction, prediction_id) },
	{ "nodelist", 0, .set = NULL },
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
	if (!job.job_id)
		return sp_error_set(err, "squeue: jobid makes no sense");
	*ret = job;
	return 0;
}
