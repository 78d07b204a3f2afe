/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queued_job.c - what scontrol says of a job that has not ended, for people */
#include "predictor/base/conf.h"
#include "predictor/slurm/queued_job.h"
#include "predictor/slurm/scontrol_record.h"
#include "predictor/slurm/slurm_values.h"

#include <string.h>

static int set_job_id(void *into, const char *value)
{
	struct queued_job *job = into;
	long number;

	if (conf_integer(value, 1, UINT32_MAX, &number, NULL))
		return -1;
	job->job_id = (uint32_t)number;
	return 0;
}

#define SET_TEXT(member)                                                     \
	static int set_##member(void *into, const char *value)               \
	{                                                                    \
		struct queued_job *job = into;                               \
                                                                             \
		scontrol_text_copy(value, job->member, sizeof(job->member)); \
		return 0;                                                    \
	}

SET_TEXT(name)
SET_TEXT(state)
SET_TEXT(reason)

static int set_admin_comment(void *into, const char *value)
{
	struct queued_job *job = into;

	slurm_comment_prediction(value, job->prediction_id);
	return 0;
}

static const struct scontrol_key keys[] = {
	{ "JobId", set_job_id, SCONTROL_FIRST, NULL },
	{ "JobName", set_name, SCONTROL_FIRST, " UserId=" },
	{ "JobState", set_state, SCONTROL_FIRST, NULL },
	{ "Reason", set_reason, SCONTROL_FIRST, NULL },
	{ "AdminComment", set_admin_comment, SCONTROL_FIRST, "\n" },
	{ .name = NULL },
};

int queued_job_parse(const char *text, struct queued_job *ret,
		     struct sp_error *err)
{
	struct queued_job job = { .job_id = 0 };

	/* Over all lines: a name with a newline in it may divide the first. */
	if (scontrol_record_read(text, strlen(text), keys, &job, NULL) ||
	    !job.job_id || !*job.state)
		return sp_error_set(err, "scontrol printed no job");
	*ret = job;
	return 0;
}
