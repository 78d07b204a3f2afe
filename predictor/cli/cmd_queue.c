/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_queue.c - spredict queue: as squeue, with when jobs will end
 *
 * squeue lists the jobs that the user may see, in its order, with the ids of
 * their predictions; predictd gives the times of these, for a few hundred jobs in
 * a request.  What is shown are the columns of one table, by name.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/duration.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/table.h"
#include "predictor/slurm/queue_record.h"
#include "predictor/slurm/slurm_command.h"
#include "predictor/wire/json_queue.h"

#define SQUEUE_TIMEOUT_S  30
#define SQUEUE_OUTPUT_MAX (512 << 20) /* 200,000 records */

#define COLUMNS_DEFAULT \
	"id,partition,name,user,state,time,expected,90%,left,end,nodes,where"
#define COLUMNS_ALL                                                       \
	"id, partition, name, user, state, time, limit, expected, 90%%, " \
	"left, left90%%, end, end90%%, nodes, where"

struct queue_options {
	struct queue_filter filter;
	const char *columns;
};

/* A job and what predictd says of it; NAN: not known. */
struct queue_job {
	struct queue_record record;
	double median_s, quantile_s;
	double remaining_s, remaining_high_s;
};

struct queue {
	size_t count, capacity;
	struct queue_job *jobs;
	double now_s;
};

/* --- Columns ---------------------------------------------------------------- */

static void add_span(double seconds, struct table *table)
{
	char text[DURATION_TEXT_SIZE];

	table_cell(table, "%s", duration_format(seconds, text));
}

static void add_end(const struct queue *q, double remaining_s,
		    struct table *table)
{
	char text[SHOW_TEXT_SIZE];

	table_cell(table, "%s", show_time(q->now_s + remaining_s, text));
}

#define TEXT_COLUMN(member)                                   \
	static void add_##member(const struct queue *q,       \
				 const struct queue_job *job, \
				 struct table *table)         \
	{                                                     \
		(void)q;                                      \
		table_cell(table, "%s", job->record.member);  \
	}

#define SPAN_COLUMN(name, value)                            \
	static void add_##name(const struct queue *q,       \
			       const struct queue_job *job, \
			       struct table *table)         \
	{                                                   \
		(void)q;                                    \
		add_span(job->value, table);                \
	}

#define END_COLUMN(name, value)                             \
	static void add_##name(const struct queue *q,       \
			       const struct queue_job *job, \
			       struct table *table)         \
	{                                                   \
		add_end(q, job->value, table);              \
	}

TEXT_COLUMN(id)
TEXT_COLUMN(partition)
TEXT_COLUMN(name)
TEXT_COLUMN(user)
TEXT_COLUMN(state)
TEXT_COLUMN(nodes)
SPAN_COLUMN(time, record.elapsed_s)
SPAN_COLUMN(limit, record.limit_s)
SPAN_COLUMN(expected, median_s)
SPAN_COLUMN(high, quantile_s)
SPAN_COLUMN(left, remaining_s)
SPAN_COLUMN(left_high, remaining_high_s)
END_COLUMN(expected_end, remaining_s)
END_COLUMN(high_end, remaining_high_s)

/* As squeue: the nodes, or why it has none. */
static void add_where(const struct queue *q, const struct queue_job *job,
		      struct table *table)
{
	(void)q;
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
	{ "id", { "JOBID", true }, add_id },
	{ "partition", { "PARTITION", false }, add_partition },
	{ "name", { "NAME", false }, add_name },
	{ "user", { "USER", false }, add_user },
	{ "state", { "ST", false }, add_state },
	{ "time", { "TIME", true }, add_time },
	{ "limit", { "LIMIT", true }, add_limit },
	{ "expected", { "EXPECTED", true }, add_expected },
	{ "90%", { "90%_UNDER", true }, add_high },
	{ "left", { "LEFT", true }, add_left },
	{ "left90%", { "LEFT_90%", true }, add_left_high },
	{ "end", { "END", false }, add_expected_end },
	{ "end90%", { "END_90%", false }, add_high_end },
	{ "nodes", { "NODES", true }, add_nodes },
	{ "where", { "NODELIST(REASON)", false }, add_where },
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

/* The columns of a list of names; at most as many as there are. */
static int columns_parse(const char *list,
			 const struct queue_column *ret[COLUMNS_COUNT + 1],
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
		if (count == COLUMNS_COUNT)
			return sp_error_set(err, "option --columns: more than "
						 "there are");
		ret[count++] = column;
		list += length;
		list += *list == ',';
	}
	ret[count] = NULL;
	return 0;
}

/* --- Jobs of squeue ---------------------------------------------------------- */

static int add_job(struct queue *q, const struct queue_record *record,
		   struct sp_error *err)
{
	if (q->count == q->capacity) {
		size_t capacity = 2 * q->capacity + 64;
		struct queue_job *jobs =
			realloc(q->jobs, capacity * sizeof(*jobs));

		if (!jobs)
			return sp_error_set(err, "out of memory");
		q->jobs = jobs;
		q->capacity = capacity;
	}
	q->jobs[q->count++] = (struct queue_job){ *record, NAN, NAN, NAN, NAN };
	return 0;
}

/* With --clusters, squeue names the cluster in a line before its jobs. */
static const char *skip_cluster(const char *text, const char *end)
{
	static const char head[] = "CLUSTER: ";
	const char *newline;

	if ((size_t)(end - text) < strlen(head) ||
	    strncmp(text, head, strlen(head)) != 0)
		return text;
	newline = memchr(text, '\n', (size_t)(end - text));
	return newline ? newline + 1 : end;
}

/* A record with a value that makes no sense is passed over. */
static int read_jobs(struct cli *cli, const char *text, size_t size,
		     struct queue *q, struct sp_error *err)
{
	const char *end = text + size;
	struct queue_record record;

	text = skip_cluster(text, end);
	while (text < end) {
		int rc = queue_record_read(&text, end, &record, err);

		if (rc < 0 || (rc == 0 && add_job(q, &record, err)))
			return -1;
		if (rc > 0)
			cli_note(cli, "%s", err->text);
	}
	return 0;
}

static int fetch_jobs(struct cli *cli, const struct queue_options *options,
		      struct queue *q, struct sp_error *err)
{
	struct queue_filter filter = options->filter;
	struct queue_args args;

	filter.cluster = cli->cluster;
	queue_args_make(&filter, &args);

	struct slurm_command *squeue = slurm_command_start(
		args.argv, SQUEUE_TIMEOUT_S, SQUEUE_OUTPUT_MAX, err);
	int rc = squeue ? slurm_command_finish(squeue, err) : -1;

	if (rc == 0) {
		size_t size;
		const char *text = slurm_command_output(squeue, &size);

		q->now_s = clock_now_s();
		rc = read_jobs(cli, text, size, q, err);
	}
	slurm_command_destroy(squeue);
	return rc;
}

/* --- Times of predictd -------------------------------------------------------- */

static void take_times(struct queue_job *job, struct json_object *row)
{
	job->median_s = reply_number(row, "median_s");
	job->quantile_s = reply_number(row, "quantile_s");
	job->remaining_s = reply_number(row, "remaining_s");
	job->remaining_high_s = reply_number(row, "remaining_high_s");
}

/* The reply has the jobs of the request, in their order. */
static int ask_times(struct cli *cli, const struct wire_queue *asked,
		     struct queue_job *const of[], struct sp_error *err)
{
	struct json_object *body = wire_queue_encode(asked);
	struct json_object *reply;

	if (!body)
		return sp_error_set(err, "out of memory");

	int rc = fetch(cli, "/v1/queue", body, &reply, NULL, err);

	json_object_put(body);
	if (rc)
		return -1;

	struct json_object *rows = reply_array(reply, "jobs");

	if (!rows || json_object_array_length(rows) != asked->count)
		rc = sp_error_set(err, "predictd's reply has other jobs");
	for (size_t i = 0; rc == 0 && i < asked->count; i++)
		take_times(of[i], json_object_array_get_idx(rows, i));
	json_object_put(reply);
	return rc;
}

static int fetch_times(struct cli *cli, struct queue *q, struct sp_error *err)
{
	struct wire_queue *asked = malloc(sizeof(*asked));
	struct queue_job **of = malloc(WIRE_QUEUE_MAX * sizeof(*of));
	int rc = asked && of ? 0 : sp_error_set(err, "out of memory");

	for (size_t i = 0; rc == 0 && i < q->count;) {
		asked->count = 0;
		for (; i < q->count && asked->count < WIRE_QUEUE_MAX; i++) {
			struct queue_job *job = &q->jobs[i];
			struct wire_queue_job *row = &asked->jobs[asked->count];

			if (!job->record.prediction_id[0])
				continue;
			memcpy(row->prediction_id, job->record.prediction_id,
			       sizeof(row->prediction_id));
			row->elapsed_s = job->record.elapsed_s;
			of[asked->count++] = job;
		}
		if (asked->count)
			rc = ask_times(cli, asked, of, err);
	}
	free(asked);
	free(of);
	return rc;
}

/* --- Output ------------------------------------------------------------------ */

static int print_table(const struct queue *q,
		       const struct queue_column *const shown[],
		       struct sp_error *err)
{
	struct table_column heads[COLUMNS_COUNT + 1] = { { .header = NULL } };

	for (size_t i = 0; shown[i]; i++)
		heads[i] = shown[i]->shown;

	struct table *table = table_create(heads);

	for (size_t i = 0; table && i < q->count; i++)
		for (size_t c = 0; shown[c]; c++)
			shown[c]->add(q, &q->jobs[i], table);

	int rc = table_print(table, stdout, err);

	table_destroy(table);
	return rc;
}

static void add_number(struct json_object *row, const char *name, double value)
{
	json_object_object_add(row, name,
			       isfinite(value) ? json_object_new_double(value)
					       : NULL);
}

static void add_text(struct json_object *row, const char *name,
		     const char *value)
{
	json_object_object_add(row, name,
			       *value ? json_object_new_string(value) : NULL);
}

static struct json_object *job_object(const struct queue *q,
				      const struct queue_job *job)
{
	struct json_object *row = json_object_new_object();
	const struct queue_record *r = &job->record;

	add_text(row, "job_id", r->id);
	add_text(row, "partition", r->partition);
	add_text(row, "name", r->name);
	add_text(row, "user", r->user);
	add_text(row, "state", r->state);
	add_text(row, "nodes", r->nodes);
	add_text(row, "node_list", r->node_list);
	add_text(row, "reason", r->reason);
	add_text(row, "prediction_id", r->prediction_id);
	add_number(row, "elapsed_s", r->elapsed_s);
	add_number(row, "limit_s", r->limit_s);
	add_number(row, "median_s", job->median_s);
	add_number(row, "quantile_s", job->quantile_s);
	add_number(row, "remaining_s", job->remaining_s);
	add_number(row, "remaining_high_s", job->remaining_high_s);
	add_number(row, "end_s", q->now_s + job->remaining_s);
	add_number(row, "end_high_s", q->now_s + job->remaining_high_s);
	return row;
}

static void print_json(const struct queue *q)
{
	struct json_object *reply = json_object_new_object();
	struct json_object *jobs = json_object_new_array();

	json_object_object_add(reply, "jobs", jobs);
	for (size_t i = 0; i < q->count; i++)
		json_object_array_add(jobs, job_object(q, &q->jobs[i]));
	reply_print(reply);
	json_object_put(reply);
}

/* --- The subcommand ----------------------------------------------------------- */

#define OPTION(member) CLI_TEXT(struct queue_options, member)

static const struct cli_option options[] = {
	{ .name = "user",
	  .letter = 'u',
	  .argument = "USERS",
	  OPTION(filter.users),
	  .help = "jobs of these users only" },
	{ .name = "partition",
	  .letter = 'p',
	  .argument = "PARTITIONS",
	  OPTION(filter.partitions),
	  .help = "jobs in these partitions only" },
	{ .name = "jobs",
	  .letter = 'j',
	  .argument = "JOBS",
	  OPTION(filter.jobs),
	  .help = "these jobs only" },
	{ .name = "states",
	  .letter = 't',
	  .argument = "STATES",
	  OPTION(filter.states),
	  .help = "jobs in these states only" },
	{ .name = "columns",
	  .letter = 'o',
	  .argument = "COLUMNS",
	  OPTION(columns),
	  .help = "show these columns, in this order" },
	{ .name = NULL },
};

static int run_queue(struct cli *cli, int argc, char **argv)
{
	const struct queue_column *shown[COLUMNS_COUNT + 1];
	struct queue_options query = { .columns = COLUMNS_DEFAULT };
	struct queue q = { .count = 0 };
	struct sp_error err;
	int first, status = CLI_OK;

	if (cli_arguments(cli, &query, argc, argv, &first, &err) ||
	    columns_parse(query.columns, shown, &err))
		return cli_usage(cli, &err);
	if (cli_only_about(cli))
		return CLI_OK;
	if (fetch_jobs(cli, &query, &q, &err) || fetch_times(cli, &q, &err))
		status = cli_fail(cli, &err);
	else if (cli->json)
		print_json(&q);
	else if (print_table(&q, shown, &err))
		status = cli_fail(cli, &err);
	free(q.jobs);
	return status;
}

const struct subcommand subcommand_queue = {
	.name = "queue",
	.function = run_queue,
	.options = options,
	.operands = "",
	.help = "show the queue, with when jobs will end",
};
