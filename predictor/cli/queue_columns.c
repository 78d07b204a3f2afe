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

const struct field queue_times_fields[] = {
	FIELD_SENT(queue_job, basis, TEXT),
	FIELD_SENT(queue_job, guess, BOOL),
	FIELD_SENT(queue_job, unbounded, BOOL),
	FIELD_SENT(queue_job, median_s, NUMBER),
	FIELD_SENT(queue_job, quantile_s, NUMBER),
	FIELD_SENT(queue_job, remaining_s, NUMBER),
	FIELD_SENT(queue_job, remaining_high_s, NUMBER),
	FIELD_SENT(queue_job, overrun, NUMBER),
	FIELD_SENT(queue_job, start_s, NUMBER),
	FIELD_SENT(queue_job, start_low_s, NUMBER),
	FIELD_SENT(queue_job, start_high_s, NUMBER),
	FIELD_END,
};

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

static double expected_end_of(const struct queue *q,
			      const struct queue_job *job)
{
	return end_of(q, job, job->median_s, job->remaining_s);
}

static double high_end_of(const struct queue *q, const struct queue_job *job)
{
	return end_of(q, job, job->quantile_s, job->remaining_high_s);
}

/* --- Cells ---------------------------------------------------------------- */

struct cell {
	const struct queue *q;
	const struct queue_job *job;
	const void *member; /* of the job, for the functions that need one */
	struct table *table;
};

static double number_of(const struct cell *c)
{
	return *(const double *)c->member;
}

static void add_word(const struct cell *c)
{
	table_cell(c->table, "%s", (const char *)c->member);
}

static void add_span(const struct cell *c)
{
	table_span(c->table, number_of(c));
}

/* A guess has no quantiles, and its times begin with "~". */
static void add_estimate(const struct cell *c)
{
	double span_s = number_of(c);

	table_cell(c->table, "%s%s",
		   c->job->guess && isfinite(span_s) ? "~" : "",
		   DURATION_BRIEF(span_s));
}

static void add_percent(const struct cell *c)
{
	table_number(c->table, "%.0f %%", 100 * number_of(c));
}

static void add_moment(const struct cell *c, double time_s)
{
	table_cell(c->table, "%s",
		   c->q->brief ? TIMESTAMP_NEAR(time_s, c->q->now_s)
			       : TIMESTAMP(time_s));
}

static void add_time(const struct cell *c)
{
	add_moment(c, number_of(c));
}

static void add_end(const struct cell *c)
{
	add_moment(c, expected_end_of(c->q, c->job));
}

static void add_high_end(const struct cell *c)
{
	add_moment(c, high_end_of(c->q, c->job));
}

static void add_basis(const struct cell *c)
{
	table_cell(c->table, "%s",
		   c->job->guess    ? "guess"
		   : *c->job->basis ? c->job->basis
				    : "no prediction");
}

/* As squeue: the nodes, or why it has none. */
static void add_where(const struct cell *c)
{
	if (c->job->record.node_list[0])
		table_cell(c->table, "%s", c->job->record.node_list);
	else
		table_cell(c->table, "(%s)", c->job->record.reason);
}

/* --- The columns ---------------------------------------------------------- */

struct queue_column {
	const char *name; /* for --columns */
	const char *head; /* as for table_create_heads() */
	unsigned min;     /* of struct table_column */
	void (*add)(const struct cell *c);
	size_t offset;
};

#define OF(member) offsetof(struct queue_job, member)

static const struct queue_column columns[] = {
	{ "id", ">JOBID", 12, add_word, OF(record.id) },
	{ "partition", "PARTITION", 6, add_word, OF(record.partition) },
	{ "name", "NAME", 8, add_word, OF(record.name) },
	{ "user", "USER", 6, add_word, OF(record.user) },
	{ "state", "ST", 0, add_word, OF(record.state) },
	{ "time", ">TIME", 0, add_span, OF(record.elapsed_s) },
	{ "limit", ">LIMIT", 0, add_span, OF(record.limit_s) },
	{ "expected", ">EXPECTED", 0, add_estimate, OF(median_s) },
	{ "90%", ">90%_UNDER", 0, add_span, OF(quantile_s) },
	{ "left", ">LEFT", 0, add_estimate, OF(remaining_s) },
	{ "left90%", ">LEFT_90%", 0, add_span, OF(remaining_high_s) },
	{ "overrun", ">OVERRUN", 0, add_percent, OF(overrun) },
	{ "start", "START", 0, add_time, OF(start_s) },
	{ "start10%", "START_10%", 0, add_time, OF(start_low_s) },
	{ "start90%", "START_90%", 0, add_time, OF(start_high_s) },
	{ "slurm_start", "SLURM_START", 0, add_time, OF(record.start_s) },
	{ "end", "END", 0, add_end, 0 },
	{ "end90%", "END_90%", 0, add_high_end, 0 },
	{ "basis", "BASIS", 0, add_basis, 0 },
	{ "account", "ACCOUNT", 6, add_word, OF(record.account) },
	{ "qos", "QOS", 0, add_word, OF(record.qos) },
	{ "licenses", "LICENSES", 8, add_word, OF(record.licenses) },
	{ "cluster", "CLUSTER", 6, add_word, OF(cluster) },
	{ "nodes", ">NODES", 0, add_word, OF(record.nodes) },
	{ "where", "NODELIST(REASON)", 16, add_where, 0 },
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

	for (size_t i = 0; shown[i]; i++) {
		bool right = shown[i]->head[0] == '>';

		heads[i] = (struct table_column){ shown[i]->head + right, right,
						  .min = shown[i]->min };
	}

	struct table *table = table_create(heads);

	if (q->brief)
		table_fit(table, fold_width());
	for (size_t i = 0; table && i < q->count; i++)
		for (size_t c = 0; shown[c]; c++) {
			const struct queue_job *job = &q->jobs[i];
			const void *member =
				(const char *)job + shown[c]->offset;

			shown[c]->add(&(struct cell){ q, job, member, table });
		}
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
	reply_add_fields(row, queue_times_fields, job);
	add_text(row, "basis", job->basis); /* null where it is empty */
	reply_add_number(row, "elapsed_s", r->elapsed_s);
	reply_add_number(row, "limit_s", r->limit_s);
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
