/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_record.c - the queue as squeue prints it, for people */
#include <math.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/slurm/queue_record.h"

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

#define READ(reader, member) SLURM_MEMBER(reader, struct queue_record, member)

static const struct squeue_column columns[] = {
	{ "jobid", 10, READ(count, job_id) },
	{ "jobarrayid", 63, READ(text, id) },
	{ "partition", RUN_NAME_SIZE - 1, READ(text, partition) },
	{ "name", RUN_NAME_SIZE - 1, READ(text, name) },
	{ "username", 63, READ(text, user) },
	{ "account", RUN_NAME_SIZE - 1, READ(text, account) },
	{ "qos", RUN_NAME_SIZE - 1, READ(text, qos) },
	{ "licenses", RUN_LICENSES_SIZE - 1, READ(text, licenses) },
	{ "statecompact", 15, READ(text, state) },
	{ "timeused", 23, .set = set_elapsed },
	{ "timelimit", 23, READ(span, limit_s) },
	{ "starttime", 20, READ(begin, start_s) },
	{ "numnodes", 15, READ(text, nodes) },
	{ "reason", 63, READ(text, reason) },
	{ "admin_comment", SQUEUE_WIDTH_MAX, READ(prediction, prediction_id) },
	{ "nodelist", 0, READ(text, node_list) },
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
		{ "--name", filter->names },
		{ "--account", filter->accounts },
		{ "--qos", filter->qos },
		{ "--nodelist", filter->nodes },
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
	if (filter->me)
		ret->argv[n++] = "--me";
	ret->argv[n] = NULL;
}

int queue_record_read(const char **record, const char *end,
		      struct queue_record *ret, struct sp_error *err)
{
	return squeue_record_read(columns, record, end, ret, err);
}
