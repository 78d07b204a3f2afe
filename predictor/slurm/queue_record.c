/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_record.c - the queue as squeue prints it, for people */
#include <math.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/slurm/queue_record.h"
#include "predictor/slurm/slurm_values.h"

#define SET_TEXT(member)                                                  \
	static int set_##member(void *into, const char *value)            \
	{                                                                 \
		struct queue_record *job = into;                          \
                                                                          \
		slurm_text_copy(value, job->member, sizeof(job->member)); \
		return 0;                                                 \
	}

SET_TEXT(id)
SET_TEXT(partition)
SET_TEXT(name)
SET_TEXT(user)
SET_TEXT(account)
SET_TEXT(qos)
SET_TEXT(licenses)
SET_TEXT(state)
SET_TEXT(nodes)
SET_TEXT(reason)
SET_TEXT(node_list)

static int set_job_id(void *into, const char *value)
{
	struct queue_record *job = into;

	return slurm_count_parse(value, &job->job_id);
}

static int set_start(void *into, const char *value)
{
	struct queue_record *job = into;

	if (slurm_time_parse(value, &job->start_s))
		job->start_s = NAN;
	return 0;
}

/*
 * squeue prints "0:00" for a job that waits and for one in its first second, so
 * that the state, which comes before, decides; "INVALID" when clocks differ.
 */
static int set_elapsed(void *into, const char *value)
{
	struct queue_record *job = into;
	bool runs = strcmp(job->state, "R") == 0;
	double elapsed_s;

	job->elapsed_s = NAN;
	if (duration_parse(value, &elapsed_s, NULL) == 0 &&
	    (elapsed_s > 0 || runs))
		job->elapsed_s = elapsed_s;
	return 0;
}

static int set_limit(void *into, const char *value)
{
	struct queue_record *job = into;

	if (duration_parse(value, &job->limit_s, NULL))
		job->limit_s = NAN;
	return 0;
}

static int set_comment(void *into, const char *value)
{
	struct queue_record *job = into;

	job->prediction_id[0] = '\0';
	slurm_comment_prediction(value, job->prediction_id);
	return 0;
}

static const struct squeue_column columns[] = {
	{ "jobid", 10, set_job_id },
	{ "jobarrayid", 63, set_id },
	{ "partition", RUN_NAME_SIZE - 1, set_partition },
	{ "name", RUN_NAME_SIZE - 1, set_name },
	{ "username", 63, set_user },
	{ "account", RUN_NAME_SIZE - 1, set_account },
	{ "qos", RUN_NAME_SIZE - 1, set_qos },
	{ "licenses", RUN_LICENSES_SIZE - 1, set_licenses },
	{ "statecompact", 15, set_state },
	{ "timeused", 23, set_elapsed },
	{ "timelimit", 23, set_limit },
	{ "starttime", 20, set_start },
	{ "numnodes", 15, set_nodes },
	{ "reason", 63, set_reason },
	{ "admin_comment", SQUEUE_WIDTH_MAX, set_comment },
	{ "nodelist", 0, set_node_list },
	{ .name = NULL },
};

void queue_args_make(const struct queue_filter *filter, struct queue_args *ret)
{
	const struct {
		const char *option, *value;
	} filters[] = {
		{ "--user", filter->users },
		{ "--partition", filter->partitions },
		{ "--jobs", filter->jobs },
		{ "--states", filter->states },
		{ "--clusters", filter->cluster },
	};
	int n = 0;

	squeue_format_make(columns, ret->format);
	ret->argv[n++] = "squeue";
	ret->argv[n++] = "--noheader";
	ret->argv[n++] = "--Format";
	ret->argv[n++] = ret->format;
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
		if (filters[i].value) {
			ret->argv[n++] = filters[i].option;
			ret->argv[n++] = filters[i].value;
		}
	ret->argv[n] = NULL;
}

int queue_record_read(const char **record, const char *end,
		      struct queue_record *ret, struct sp_error *err)
{
	return squeue_record_read(columns, record, end, ret, err);
}
