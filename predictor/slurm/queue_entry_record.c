/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_entry_record.c - the queue as squeue prints it, for simulating it */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/base/index.h"
#include "predictor/slurm/queue_entry_record.h"
#include "predictor/slurm/slurm_values.h"

static int set_partition(void *into, const char *value)
{
	struct queue_entry *job = into;

	slurm_text_copy(value, job->partitions, sizeof(job->partitions));
	memcpy(job->partition, job->partitions, sizeof(job->partition));
	job->partition[strcspn(job->partition, ",")] = '\0';
	return 0;
}

static int set_state(void *into, const char *value)
{
	struct queue_entry *job = into;

	job->running = strcmp(value, "PD") != 0;
	return slurm_read_text(value, job->state, sizeof(job->state));
}

/* Later releases also print "2-4": take the fewest. */
SLURM_READ_AS(least, uint32_t, (uint32_t)strtoul(value, NULL, 10))
SLURM_READ_AS(whole_nodes, bool, strcmp(value, "NO") == 0)
SLURM_READ_AS(nice, int64_t, strtoll(value, NULL, 10))
SLURM_READ_AS(priority, uint64_t, strtoull(value, NULL, 10))

/* The prediction, and the limit that was set by it. */
static int set_comment(void *into, const char *value)
{
	struct queue_entry *job = into;
	const char *limit = strstr(value, QUEUE_LIMIT_NOTE);

	job->limit_set_min =
		limit ? (uint32_t)strtoul(limit + strlen(QUEUE_LIMIT_NOTE),
					  NULL, 10)
		      : 0;
	return slurm_read_prediction(value, job->prediction_id,
				     sizeof(job->prediction_id));
}

/* While it waits, squeue says why. */
static int set_reason(void *into, const char *value)
{
	static const char *const turns[] = { "None", "Priority", "Resources",
					     "BeginTime" };
	struct queue_entry *job = into;

	slurm_text_copy(value, job->reason, sizeof(job->reason));
	job->blocked = !job->running;
	for (size_t i = 0; i < sizeof(turns) / sizeof(*turns); i++)
		if (strcmp(value, turns[i]) == 0)
			job->blocked = false;
	return 0;
}

#define READ(reader, member) SLURM_MEMBER(reader, struct queue_entry, member)

/* The reason needs the state before it. */
static const struct squeue_column columns[] = {
	{ "jobid", 10, READ(count, job_id) },
	{ "jobarrayid", 31, READ(text, id) },
	{ "userid", 10, READ(user_id, user_id) },
	{ "username", 31, READ(text, user) },
	{ "name", RUN_NAME_SIZE - 1, READ(text, name) },
	{ "partition", RUN_NAME_SIZE - 1, .set = set_partition },
	{ "statecompact", 7, .set = set_state },
	{ "timeused", 23, READ(span_or_0, elapsed_s) },
	{ "timelimit", 23, READ(limit, limit_s) },
	{ "numnodes", 15, READ(least, nodes) },
	{ "numcpus", 15, READ(amount, cpus) },
	{ "mincpus", 10, READ(amount, node_cpus) },
	{ "oversubscribe", 10, READ(whole_nodes, whole_nodes) },
	{ "prioritylong", 20, READ(priority, priority) },
	{ "nice", 15, READ(nice, nice) },
	{ "eligibletime", 20, READ(begin, begin_s) },
	{ "accruetime", 20, READ(begin, accrued_s) },
	{ "admin_comment", SQUEUE_WIDTH_MAX, .set = set_comment },
	{ "reason", 0, .set = set_reason },
	{ .name = NULL },
};

void queue_entries_args(const char *squeue, struct squeue_args *ret)
{
	const char *const argv[] = { squeue,
				     "--noheader",
				     "--all",
				     "--array",
				     "--states=PENDING,RUNNING,SUSPENDED",
				     "--Format",
				     ret->format };
	size_t count = sizeof(argv) / sizeof(*argv);

	squeue_format_make(columns, ret->format);
	memcpy(ret->argv, argv, sizeof(argv));
	ret->argv[count] = NULL;
}

static int compare_turns(const void *a, const void *b)
{
	const struct queue_entry *x = a, *y = b;

	return COMPARE(y->priority, x->priority)
		       ?: COMPARE(x->job_id, y->job_id);
}

static int entry_add(struct queue_state *queue, uint32_t *capacity,
		     const struct queue_entry *entry, struct sp_error *err)
{
	if (index_grow(&queue->of, capacity, (uint32_t)queue->count,
		       sizeof(*queue->of)))
		return sp_error_set(err, "out of memory");
	queue->of[queue->count++] = *entry;
	return 0;
}

int queue_entries_read(const char *text, size_t size, struct queue_state *ret,
		       struct sp_error *err)
{
	const char *end = text + size;
	uint32_t capacity = 0;

	ret->count = 0;
	ret->of = NULL;
	while (text < end) {
		struct queue_entry entry;
		int rc = squeue_record_read(columns, &text, end, &entry, err);

		if (rc < 0 ||
		    (rc == 0 && entry_add(ret, &capacity, &entry, err))) {
			free(ret->of);
			ret->of = NULL;
			return -1;
		}
	}
	if (ret->count)
		qsort(ret->of, ret->count, sizeof(*ret->of), compare_turns);
	return 0;
}
