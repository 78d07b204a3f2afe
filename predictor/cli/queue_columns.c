/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_columns.c - jobs of the queue as a table or as JSON
 *
 * A table has each column's name, head and function that adds a cell.  The end
 * of a job that runs is now and what remains; of one that waits, the start that
 * predictd expects, else the one of the backfill scheduler, and the run time.
 */
#include <math.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/fold.h"
#include "predictor/cli/queue_columns.h"
#include "predictor/cli/table.h"
#include "predictor/cli/timestamp.h"

#define COLUMNS_ALL                                                           \
	"id, partition, name, user, state, time, limit, expected, 90%%, "     \
	"left, left90%%, overrun, start, start10%%, start90%%, slurm_start, " \
	"end, "                                                               \
	"end90%%, basis, account, qos, licenses, "                            \
	"cluster, nodes, where"

/* --- Columns -------------------------------------------------------------- */

/* Return NAN if it is not known. */
static double end_of(const struct queue *q, const struct queue_job *job,
		     double runtime_s, double remaining_s)
{
	if (!isnan(job->record.elapsed_s))
		return q->now_s + remaining_s;

	double start_s =
		isnan(job->start_s) ? job->record.start_s : job->start_s;

	/* fmax() would pass over a NAN. */
	return isnan(start_s) ? NAN : fmax(start_s, q->now_s) + runtime_s;
}

#define START_OF(name, member)                               \
	static double name##_of(const struct queue *q,       \
				const struct queue_job *job) \
	{                                                    \
		(void)q;                                     \
		return job->member;                          \
	}

START_OF(start, start_s)
START_OF(start_low, start_low_s)
START_OF(start_high, start_high_s)
START_OF(slurm_start, record.start_s)

static double expected_end_of(const struct queue *q,
			      const struct queue_job *job)
{
	return end_of(q, job, job->median_s, job->remaining_s);
}

static double high_end_of(const struct queue *q, const struct queue_job *job)
{
	return end_of(q, job, job->quantile_s, job->remaining_high_s);
}

/* A guess has no quantiles, and its times begin with "~". */
#define ESTIMATE_COLUMN(name, value)                                     \
	static void add_##name(const struct queue *q,                    \
			       const struct queue_job *job,              \
			       struct table *table)                      \
	{                                                                \
		char text[DURATION_TEXT_SIZE];                           \
                                                                         \
		(void)q;                                                 \
		table_cell(table, "%s%s",                                \
			   job->guess &&isfinite(job->value) ? "~" : "", \
			   duration_format_brief(job->value, text));     \
	}

#define TEXT_COLUMN(name, value)                            \
	static void add_##name(const struct queue *q,       \
			       const struct queue_job *job, \
			       struct table *table)         \
	{                                                   \
		(void)q;                                    \
		table_cell(table, "%s", job->value);        \
	}

#define SPAN_COLUMN(name, value)                            \
	static void add_##name(const struct queue *q,       \
			       const struct queue_job *job, \
			       struct table *table)         \
	{                                                   \
		(void)q;                                    \
		table_span(table, job->value);              \
	}

static void add_time_of(const struct queue *q, double time_s,
			struct table *table)
{
	char text[TIMESTAMP_TEXT_SIZE];

	table_cell(table, "%s",
		   q->brief ? timestamp_format_near(time_s, q->now_s, text)
			    : timestamp_format(time_s, text));
}

#define TIME_COLUMN(name)                                   \
	static void add_##name(const struct queue *q,       \
			       const struct queue_job *job, \
			       struct table *table)         \
	{                                                   \
		add_time_of(q, name##_of(q, job), table);   \
	}

TEXT_COLUMN(id, record.id)
TEXT_COLUMN(partition, record.partition)
TEXT_COLUMN(name, record.name)
TEXT_COLUMN(user, record.user)
TEXT_COLUMN(state, record.state)
TEXT_COLUMN(nodes, record.nodes)
TEXT_COLUMN(account, record.account)
TEXT_COLUMN(qos, record.qos)
TEXT_COLUMN(licenses, record.licenses)
TEXT_COLUMN(cluster, cluster)
SPAN_COLUMN(time, record.elapsed_s)
SPAN_COLUMN(limit, record.limit_s)
ESTIMATE_COLUMN(expected, median_s)
SPAN_COLUMN(high, quantile_s)
ESTIMATE_COLUMN(left, remaining_s)
SPAN_COLUMN(left_high, remaining_high_s)
TIME_COLUMN(expected_end)
TIME_COLUMN(high_end)
TIME_COLUMN(start)
TIME_COLUMN(start_low)
TIME_COLUMN(start_high)
TIME_COLUMN(slurm_start)

static void add_overrun(const struct queue *q UNUSED,
			const struct queue_job *job, struct table *table)
{
	table_number(table, "%.0f %%", 100 * job->overrun);
}

static void add_basis(const struct queue *q UNUSED, const struct queue_job *job,
		      struct table *table)
{
	table_cell(table, "%s",
		   job->guess    ? "guess"
		   : *job->basis ? job->basis
				 : "no prediction");
}

/* As squeue: the nodes, or why it has none. */
static void add_where(const struct queue *q UNUSED, const struct queue_job *job,
		      struct table *table)
{
	if (job->record.node_list[0])
		table_cell(table, "%s", job->record.node_list);
	else
		table_cell(table, "(%s)", job->record.reason);
}

struct queue_column {
	const char *name; /* for --columns */
	struct table_column shown;
	void (*add)(const struct queue *q, const struct queue_job *job,
		    struct table *table);
};

static const struct queue_column columns[] = {
	{ "id", { .header = "JOBID", .right = true, .min = 12 }, add_id },
	{ "partition", { .header = "PARTITION", .min = 6 }, add_partition },
	{ "name", { .header = "NAME", .min = 8 }, add_name },
	{ "user", { .header = "USER", .min = 6 }, add_user },
	{ "state", { .header = "ST" }, add_state },
	{ "time", { .header = "TIME", .right = true }, add_time },
	{ "limit", { .header = "LIMIT", .right = true }, add_limit },
	{ "expected", { .header = "EXPECTED", .right = true }, add_expected },
	{ "90%", { .header = "90%_UNDER", .right = true }, add_high },
	{ "left", { .header = "LEFT", .right = true }, add_left },
	{ "left90%", { .header = "LEFT_90%", .right = true }, add_left_high },
	{ "overrun", { .header = "OVERRUN", .right = true }, add_overrun },
	{ "start", { .header = "START" }, add_start },
	{ "start10%", { .header = "START_10%" }, add_start_low },
	{ "start90%", { .header = "START_90%" }, add_start_high },
	{ "slurm_start", { .header = "SLURM_START" }, add_slurm_start },
	{ "end", { .header = "END" }, add_expected_end },
	{ "end90%", { .header = "END_90%" }, add_high_end },
	{ "basis", { .header = "BASIS" }, add_basis },
	{ "account", { .header = "ACCOUNT", .min = 6 }, add_account },
	{ "qos", { .header = "QOS" }, add_qos },
	{ "licenses", { .header = "LICENSES", .min = 8 }, add_licenses },
	{ "cluster", { .header = "CLUSTER", .min = 6 }, add_cluster },
	{ "nodes", { .header = "NODES", .right = true }, add_nodes },
	{ "where", { .header = "NODELIST(REASON)", .min = 16 }, add_where },
	{ .name = NULL },
};

#define COLUMNS_COUNT (sizeof(columns) / sizeof(columns[0]) - 1)

static const struct queue_column *column_find(const char *name, size_t length)
{
	for (size_t i = 0; i < COLUMNS_COUNT; i++)
		if (strlen(columns[i].name) == length &&
		    !strncmp(columns[i].name, name, length))
			return &columns[i];
	return NULL;
}

int queue_columns_parse(const char *list,
			const struct queue_column *ret[QUEUE_COLUMNS_MAX + 1],
			struct sp_error *err)
{
	size_t count = 0;

	while (*list) {
		size_t length = strcspn(list, ",");
		const struct queue_column *column = column_find(list, length);

		if (!column)
			return sp_error_set(
				err,
				"option --columns: %.*s is no column; there "
				"are " COLUMNS_ALL,
				(int)length, list);
		if (count == QUEUE_COLUMNS_MAX)
			return sp_error_set(err,
					    "option --columns: more than %d",
					    QUEUE_COLUMNS_MAX);
		ret[count++] = column;
		list += length;
		list += *list == ',';
	}
	ret[count] = NULL;
	return 0;
}

/* --- Output --------------------------------------------------------------- */

int queue_print_table(const struct queue *q,
		      const struct queue_column *const shown[],
		      struct sp_error *err)
{
	struct table_column heads[QUEUE_COLUMNS_MAX + 1] = { { .header =
								       NULL } };

	for (size_t i = 0; shown[i]; i++)
		heads[i] = shown[i]->shown;

	struct table *table = table_create(heads);

	if (q->brief)
		table_fit(table, fold_width());
	for (size_t i = 0; table && i < q->count; i++)
		for (size_t c = 0; shown[c]; c++)
			shown[c]->add(q, &q->jobs[i], table);
	return table_finish(table, err);
}

static void add_text(struct json_object *row, const char *name,
		     const char *value)
{
	json_object_object_add(row, name,
			       *value ? json_object_new_string(value) : NULL);
}

static void add_job(const struct queue *q, const struct queue_job *job,
		    struct json_object *row)
{
	const struct queue_record *r = &job->record;

	add_text(row, "cluster", job->cluster);
	add_text(row, "job_id", r->id);
	add_text(row, "partition", r->partition);
	add_text(row, "name", r->name);
	add_text(row, "user", r->user);
	add_text(row, "account", r->account);
	add_text(row, "qos", r->qos);
	add_text(row, "licenses", r->licenses);
	add_text(row, "state", r->state);
	add_text(row, "nodes", r->nodes);
	add_text(row, "node_list", r->node_list);
	add_text(row, "reason", r->reason);
	add_text(row, "prediction_id", r->prediction_id);
	add_text(row, "basis", job->basis);
	reply_add_flag(row, "guess", job->guess);
	reply_add_flag(row, "unbounded", job->unbounded);
	reply_add_number(row, "elapsed_s", r->elapsed_s);
	reply_add_number(row, "limit_s", r->limit_s);
	reply_add_number(row, "median_s", job->median_s);
	reply_add_number(row, "quantile_s", job->quantile_s);
	reply_add_number(row, "remaining_s", job->remaining_s);
	reply_add_number(row, "remaining_high_s", job->remaining_high_s);
	reply_add_number(row, "overrun", job->overrun);
	reply_add_number(row, "start_s", job->start_s);
	reply_add_number(row, "start_low_s", job->start_low_s);
	reply_add_number(row, "start_high_s", job->start_high_s);
	reply_add_number(row, "slurm_start_s", job->record.start_s);
	reply_add_number(row, "end_s", expected_end_of(q, job));
	reply_add_number(row, "end_high_s", high_end_of(q, job));
}

void queue_print_json(const struct queue *q, struct json_object *reply)
{
	struct json_object *jobs = reply_add_array(reply, "jobs");

	for (size_t i = 0; i < q->count; i++)
		add_job(q, &q->jobs[i], reply_add_row(jobs));
	reply_print(reply);
}
