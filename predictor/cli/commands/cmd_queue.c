/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_queue.c - spredict queue: as squeue, with when jobs start and end
 *
 * squeue lists the jobs that the user may see, in its order, with the ids of
 * their predictions; predictd gives the times of these, for a few hundred jobs
 * in a request.  With several clusters, each has a squeue of its own, and its
 * predictd is asked.  queue_columns.c prints the result.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/index.h"
#include "predictor/cli/cluster_list.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/queue_columns.h"
#include "predictor/cli/subcommands.h"
#include "predictor/slurm/queue_record.h"
#include "predictor/slurm/slurm_command.h"
#include "predictor/wire/json_queue.h"

#define WAITS_MAX 30

#define SQUEUE_TIMEOUT_S  30
#define SQUEUE_OUTPUT_MAX (512 << 20) /* 200,000 records */

struct queue_options {
	struct queue_filter filter;
	const char *columns;
};

/* --- Jobs of squeue ------------------------------------------------------- */

static int add_job(struct queue *q, const struct queue_record *record,
		   const char *cluster, struct sp_error *err)
{
	struct queue_job job = { .record = *record };

	fields_unknown(queue_times_fields, &job);
	if (index_grow(&q->jobs, &q->capacity, q->count, sizeof(*q->jobs)))
		return sp_error_set(err, "out of memory");
	memccpy(job.cluster, cluster, '\0', sizeof(job.cluster) - 1);
	q->jobs[q->count++] = job;
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
static int read_jobs(struct cli *cli, const char *text, struct queue *q,
		     struct sp_error *err)
{
	const char *end = text + strlen(text);
	struct queue_record record;

	text = skip_cluster(text, end);
	while (text < end) {
		int rc = queue_record_read(&text, end, &record, err);

		if (rc < 0 ||
		    (rc == 0 && add_job(q, &record, cli_cluster(cli), err)))
			return -1;
		if (rc > 0)
			cli_note(cli, "%s", err->text);
	}
	return 0;
}

/* Return whether it is the cluster of slurm.conf, whose squeue needs
 * no slurmdbd. */
static bool is_here(const struct cli *cli)
{
	struct cli here = { .verbose = cli->verbose };

	return !cli->cluster || !strcmp(cli->cluster, cli_cluster(&here));
}

static int fetch_jobs(struct cli *cli, const struct queue_options *options,
		      struct queue *q, struct sp_error *err)
{
	struct queue_filter filter = options->filter;
	struct queue_args args;

	if (!is_here(cli))
		filter.cluster = cli->cluster;
	queue_args_make(&filter, &args);

	char *text = slurm_command_run(args.argv, SQUEUE_TIMEOUT_S,
				       SQUEUE_OUTPUT_MAX, err);
	int rc = -1;

	if (text) {
		q->now_s = clock_now_s();
		rc = read_jobs(cli, text, q, err);
	}
	free(text);
	return rc;
}

/* --- Times of predictd ---------------------------------------------------- */

/* The requests of a user are limited: after one too many, wait. */
static int fetch_patiently(struct cli *cli, struct json_object *body,
			   struct json_object **ret_reply, struct sp_error *err)
{
	for (int waits = 0;; waits++) {
		int status;

		if (fetch(cli, "/v1/queue", body, ret_reply, &status, err) == 0)
			return 0;
		if (status != 429 || waits == WAITS_MAX)
			return -1;
		sleep(1);
	}
}

/* The reply has the jobs of the request, in their order. */
static int ask_times(struct cli *cli, const struct wire_queue *asked,
		     struct queue_job *const of[], struct sp_error *err)
{
	struct json_object *body = wire_queue_encode(asked);
	struct json_object *reply;

	if (!body)
		return sp_error_set(err, "out of memory");

	int rc = fetch_patiently(cli, body, &reply, err);

	json_object_put(body);
	if (rc)
		return -1;

	struct json_object *rows = reply_array(reply, "jobs");

	if (!rows || json_object_array_length(rows) != asked->count)
		rc = sp_error_set(err, "predictd's reply has other jobs");
	for (size_t i = 0; rc == 0 && i < asked->count; i++)
		rc = fields_decode(queue_times_fields,
				   json_object_array_get_idx(rows, i), of[i],
				   err);
	json_object_put(reply);
	return rc;
}

/* False: predictd cannot know of it. */
static bool ask_for(const struct queue_job *job, struct wire_queue_job *ret)
{
	const struct queue_record *record = &job->record;

	*ret = (struct wire_queue_job){ .job_id = record->job_id,
					.elapsed_s = record->elapsed_s };
	memcpy(ret->prediction_id, record->prediction_id,
	       sizeof(ret->prediction_id));
	return ret->prediction_id[0] || ret->job_id;
}

/* Fetch the times of the jobs from `first` on. */
static int fetch_times(struct cli *cli, struct queue *q, size_t first,
		       struct sp_error *err)
{
	struct wire_queue *asked = calloc(1, sizeof(*asked));
	struct queue_job **of = malloc(WIRE_QUEUE_MAX * sizeof(*of));
	int rc = asked && of ? 0 : sp_error_set(err, "out of memory");

	if (rc == 0)
		memccpy(asked->cluster, cli_cluster(cli), '\0',
			sizeof(asked->cluster) - 1);
	for (size_t i = first; rc == 0 && i < q->count;) {
		asked->count = 0;
		for (; i < q->count && asked->count < WIRE_QUEUE_MAX; i++)
			if (ask_for(&q->jobs[i], &asked->jobs[asked->count]))
				of[asked->count++] = &q->jobs[i];
		if (asked->count)
			rc = ask_times(cli, asked, of, err);
	}
	free(asked);
	free(of);
	return rc;
}

/* --- Clusters ------------------------------------------------------------- */

static int fetch_cluster(struct cli *cli, const struct queue_options *options,
			 struct queue *q, struct sp_error *err)
{
	size_t first = q->count;

	if (fetch_jobs(cli, options, q, err))
		return -1;
	return fetch_times(cli, q, first, err);
}

/* A cluster that cannot be reached is an error of the reply, and the others are
 * shown. */
static int fetch_clusters(const struct cli *cli,
			  const struct queue_options *options, struct queue *q,
			  struct json_object *reply, struct sp_error *err)
{
	struct cluster_list list;
	size_t failures = 0;

	if (cluster_list_read(cli, &list, err))
		return -1;
	for (size_t i = 0; i < list.count; i++) {
		struct cli each = *cli;
		struct sp_error why;

		each.clusters = NULL;
		each.cluster = list.names[i];
		each.site_read = false;
		if (fetch_cluster(&each, options, q, &why) == 0)
			continue;
		sp_error_set(err, "cluster %s: %s", list.names[i], why.text);
		fprintf(stderr, "spredict: error: %s\n", err->text);
		wire_reply_add_error(reply, err->text, NULL);
		failures++;
	}
	return failures < list.count
		       ? 0
		       : sp_error_set(err, "no cluster could be reached");
}

/* --- The subcommand ------------------------------------------------------- */

#define OPTION(member) CLI_TEXT(struct queue_options, member)

static const struct cli_option options[] = {
	{ "me", CLI_FLAG(struct queue_options, filter.me), .help = "own jobs" },
	{ "user", .letter = 'u', .argument = "USERS", OPTION(filter.users),
	  .help = "jobs of these users only" },
	{ "partition", .letter = 'p', .argument = "PARTITIONS",
	  OPTION(filter.partitions), .help = "jobs in these partitions only" },
	{ "jobs", .letter = 'j', .argument = "JOBS", OPTION(filter.jobs),
	  .help = "these jobs only" },
	{ "states", .letter = 't', .argument = "STATES", OPTION(filter.states),
	  .help = "jobs in these states only" },
	{ "name", .letter = 'n', .argument = "NAMES", OPTION(filter.names),
	  .help = "jobs with these names only" },
	{ "account", .letter = 'A', .argument = "ACCOUNTS",
	  OPTION(filter.accounts), .help = "jobs of these accounts only" },
	{ "qos", .letter = 'q', .argument = "QOS", OPTION(filter.qos),
	  .help = "jobs with these QOS only" },
	{ "nodelist", .letter = 'w', .argument = "NODES", OPTION(filter.nodes),
	  .help = "jobs on these nodes only" },
	{ "columns", .letter = 'o', .argument = "COLUMNS", OPTION(columns),
	  .help = "show these columns, in this order" },
	{ .name = NULL },
};

/* Gives the exit status. */
static int show_queue(struct cli *cli, const struct queue_options *query,
		      const struct queue_column *const shown[], struct queue *q,
		      struct json_object *reply)
{
	struct sp_error err;

	if (cli->clusters ? fetch_clusters(cli, query, q, reply, &err)
			  : fetch_cluster(cli, query, q, &err))
		return cli_fail(cli, &err);
	if (cli->json)
		queue_print_json(q, reply);
	else if (queue_print_table(q, shown, &err))
		return cli_fail(cli, &err);
	return json_object_array_length(reply_array(reply, "errors"))
		       ? CLI_FAILED
		       : CLI_OK;
}

static int run_queue(struct cli *cli, int argc, char **argv)
{
	const struct queue_column *shown[QUEUE_COLUMNS_MAX + 1];
	struct queue_options query = { .columns = NULL };
	struct queue q = { .count = 0 };
	struct sp_error err;
	int first, status;

	if (cli_arguments(cli, &query, argc, argv, &first, &err))
		return cli_usage(cli, &err);
	q.brief = !query.columns;
	if (!query.columns)
		query.columns = cli->clusters ? "cluster," QUEUE_COLUMNS_DEFAULT
					      : QUEUE_COLUMNS_DEFAULT;
	if (queue_columns_parse(query.columns, shown, &err))
		return cli_usage(cli, &err);
	if (cli_only_about(cli))
		return CLI_OK;

	struct json_object *reply = wire_reply_create();

	if (!reply) {
		sp_error_set(&err, "out of memory");
		return cli_fail(cli, &err);
	}
	status = show_queue(cli, &query, shown, &q, reply);
	json_object_put(reply);
	free(q.jobs);
	return status;
}

const struct subcommand subcommand_queue = {
	.name = "queue",
	.function = run_queue,
	.options = options,
	.clusters = CLI_CLUSTERS_ANY,
	.help = "show the queue, with when jobs will start and end",
};
