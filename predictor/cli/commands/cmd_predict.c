/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_predict.c - spredict predict: predict the run time of a job
 *
 * The request is that of the plugin in slurmctld, as a dry run: nothing is
 * stored, and the prediction has no id.  The reply also has the best node sets;
 * predictd may need a moment to compute them, so the request is repeated.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predictor/base/duration.h"
#include "predictor/cli/cli.h"
#include "predictor/cli/commands/show_use.h"
#include "predictor/cli/commands/sooner_rows.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/sbatch.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"
#include "predictor/features/submission.h"
#include "predictor/slurm/partition_record.h"
#include "predictor/slurm/slurm_command.h"
#include "predictor/wire/wire.h"

#define SETS 3

#define SOON_S 3

#define SETS_TRIES    6
#define SETS_RETRY_NS 300000000

static const char set_columns[] =
	"NODES, >EXPECTED, >RATIO, >CPU, >BIT/S, >LATENCY_S";

static int print_sets(struct json_object *sets, struct sp_error *err)
{
	struct table *table = table_create_heads(set_columns);

	for (size_t i = 0; i < json_object_array_length(sets); i++) {
		struct json_object *set = json_object_array_get_idx(sets, i);

		table_cell(table, "%s", reply_text(set, "nodes"));
		table_span(table, reply_number(set, "median_s"));
		table_number(table, "%.2f", reply_number(set, "ratio"));
		table_number(table, "%.0f %%",
			     100 * reply_number(set, "cpu_available"));
		table_quantity(table, reply_number(set, "bandwidth_bps"), "");
		table_quantity(table, reply_number(set, "latency_s"), "");
	}
	return table_finish(table, err);
}

/* When it would start behind the present queue. */
static void show_start(struct table *facts, struct json_object *reply)
{
	struct json_object *start = json_object_object_get(reply, "start");
	double median_s = reply_number(start, "median_s");
	double high_s = reply_number(start, "high_s");

	if (high_s < SOON_S)
		table_fact(facts, "Starts", "at once");
	else if (!isnan(median_s))
		table_fact(facts, "Starts", "in %s (80 %%: %s to %s)",
			   DURATION_BRIEF(median_s),
			   DURATION_BRIEF(reply_number(start, "low_s")),
			   DURATION_BRIEF(high_s));
}

/* --- Would Slurm take this job? ------------------------------------------- */

#define NEVER "this job could never start: "

/* Before predictd is asked: by the partitions of Slurm, as they are now.  -1:
 * Slurm would refuse the job, or there are too few nodes.  Where it would
 * let it wait, a warning is printed.  Where Slurm does not reply nothing
 * is said.  A job that names none gets the default one, as by sbatch, with its
 * name in `default_name`. */
static int submission_check_partitions(struct cli *cli, struct submission *job,
				       char default_name[RUN_NAME_SIZE],
				       struct sp_error *err)
{
	const char *const argv[] = { "scontrol",   "--all",
				     "--oneliner", "show",
				     "partition",  cli->cluster ? "-M" : NULL,
				     cli->cluster, NULL };
	struct sp_error why;
	char *text = slurm_command_run(argv, SCONTROL_TIMEOUT_S,
				       SCONTROL_OUTPUT_MAX, &why);
	int rc = 0;

	if (!text) {
		cli_note(cli, "Slurm's partitions are not known: %s", why.text);
		return 0;
	}
	if ((!job->partition || !*job->partition) &&
	    !partition_records_default(text, default_name))
		job->partition = default_name;
	switch (partition_records_judge(text, cli_site(cli)->limits_enforced,
					job, &why)) {
	case SUBMISSION_TAKEN:
		break;
	case SUBMISSION_WAITS:
		fprintf(stderr,
			"spredict: warning: the job would not start: "
			"%s\n",
			why.text);
		break;
	case SUBMISSION_NEVER:
		rc = sp_error_set(err, NEVER "%s", why.text);
		break;
	case SUBMISSION_REFUSED:
		rc = sp_error_set(err, "Slurm would refuse this job: %s",
				  why.text);
		break;
	}
	free(text);
	return rc;
}

static int print_prediction(const struct cli *cli, struct json_object *reply,
			    struct sp_error *err)
{
	struct json_object *sets = reply_array(reply, "sets");
	struct prediction p;

	if (reply_prediction(reply, &p, err))
		return -1;

	struct table *facts = show_facts();

	show_answer(facts, &p, NULL);
	show_start(facts, reply);
	show_sooner(facts, reply);
	show_reasons(facts, &p, cli->verbose);

	int rc = table_finish(facts, err);

	if (!rc && sets && json_object_array_length(sets)) {
		printf("\nBest node sets:\n");
		rc = print_sets(sets, err);
	}
	return rc;
}

/* --- What to request ------------------------------------------------------ */

/* Add the member `advice` to a reply with a prediction, if there is any. */
static int add_advice(struct cli *cli, const struct sbatch *job,
		      struct json_object *reply,
		      char ret_application[APPLICATION_NAME_SIZE],
		      struct sp_error *err)
{
	struct json_object *advice;
	struct prediction p;

	if (reply_prediction(reply, &p, err) ||
	    advice_fetch(cli, &p, p.quantile_s,
			 job->job.size.memory_per_cpu_mb > 0, &advice, err))
		return -1;
	strcpy(ret_application, p.application.name);
	if (advice)
		json_object_object_add(reply, "advice", advice);
	return 0;
}

/* Repeat the request until the reply has sets, but not for long. */
static int fetch_with_sets(struct cli *cli, struct json_object *body,
			   struct json_object **ret_reply, struct sp_error *err)
{
	for (int i = 0;; i++) {
		if (fetch(cli, "/v1/predictions", body, ret_reply, NULL, err))
			return -1;
		if (reply_array(*ret_reply, "sets") || i == SETS_TRIES)
			return 0;
		json_object_put(*ret_reply);
		nanosleep(&(struct timespec){ .tv_nsec = SETS_RETRY_NS }, NULL);
	}
}

static int fetch_component(struct cli *cli, const struct sbatch *sbatch,
			   struct json_object **ret_reply, struct sp_error *err)
{
	struct wire_request request = {
		.job = sbatch->job,
		.mode = sbatch->mode,
		.quantile = cli_site(cli)->quantile,
		.dry_run = true,
		.sets = SETS,
	};
	const char *goal = cli_site(cli)->nodes_goal;
	char default_name[RUN_NAME_SIZE];

	if (submission_check_partitions(cli, &request.job, default_name, err))
		return -1;
	if (*goal && !sbatch->nodes_kept)
		request.job.nodes_goal = goal;

	struct json_object *body = wire_request_encode(&request);

	if (!body)
		return sp_error_set(err, "out of memory");

	int rc = fetch_with_sets(cli, body, ret_reply, err);

	json_object_put(body);
	/* predictd knows the nodes. */
	if (!rc && reply_flag(json_object_object_get(*ret_reply, "prediction"),
			      "unfit")) {
		json_object_put(*ret_reply);
		rc = sp_error_set(err, NEVER "too few nodes have what it "
					     "needs, busy or not");
	}
	return rc;
}

/* Add the member `sooner`, if a shorter limit or another partition makes the
 * job start much sooner, or half of its nodes makes it end so. */
static void add_sooner(struct cli *cli, const struct sbatch *job,
		       struct json_object *reply)
{
	bool exclusive = job->job.size.exclusive;
	double wait_s = reply_number(json_object_object_get(reply, "start"),
				     "median_s");
	struct prediction p, cut;
	struct sp_error err;

	if (!sooner_is_worth(0, wait_s) || reply_prediction(reply, &p, &err))
		return;
	cut = p;
	cut.limit_s =
		sooner_limit(cli, &p, job->job.size.memory_per_cpu_mb > 0);
	if (!isnan(cut.limit_s))
		sooner_add(reply, 0, cut.limit_s, wait_s,
			   wait_s - sooner_start(cli, &cut, exclusive));
	sooner_add_half(reply, 0, json_object_object_get(reply, "half"),
			wait_s);
	sooner_add_partition(cli, &p, exclusive, reply, 0, wait_s);
}

/* --- Heterogeneous jobs ------------------------------------------------ */

/* A reply for each component, which run at the same time. */
struct components {
	struct json_object *array;
	int count;
	int longest; /* from 0; -1: none has a prediction */
	double median_s;
};

static void add_component(struct components *c, struct json_object *reply)
{
	double median_s = reply_number(
		json_object_object_get(reply, "prediction"), "median_s");

	if (median_s > c->median_s || (c->longest < 0 && !isnan(median_s))) {
		c->longest = c->count;
		c->median_s = median_s;
	}
	json_object_array_add(c->array, reply);
	c->count++;
}

static int print_components(const struct cli *cli, const struct components *c,
			    struct sp_error *err)
{
	for (int i = 0; i < c->count; i++) {
		printf("%sComponent %d of %d:\n", i ? "\n" : "", i + 1,
		       c->count);
		if (print_prediction(
			    cli, json_object_array_get_idx(c->array, (size_t)i),
			    err))
			return -1;
	}
	if (c->longest >= 0)
		printf("\nThe job runs as long as its longest component, %d.\n",
		       c->longest + 1);
	return 0;
}

static int show_components(const struct cli *cli, struct components *c,
			   struct sp_error *err)
{
	struct json_object *reply;

	if (!cli->json)
		return print_components(cli, c, err);
	reply = wire_reply_create();
	if (!reply)
		return sp_error_set(err, "out of memory");
	reply_add_count(reply, "longest", (size_t)c->longest + 1);
	json_object_object_add(reply, "components", json_object_get(c->array));
	reply_print(reply);
	json_object_put(reply);
	return 0;
}

/* --- The subcommand ------------------------------------------------------ */

static int show_job(struct cli *cli, const struct sbatch *job,
		    struct json_object *reply, struct sp_error *err)
{
	char application[APPLICATION_NAME_SIZE];

	if (!job->suggest)
		add_sooner(cli, job, reply);
	else if (add_advice(cli, job, reply, application, err))
		return -1;
	if (!cli->json)
		return job->suggest
			       ? print_suggestion(cli, application, reply, err)
			       : print_prediction(cli, reply, err);
	reply_print(reply);
	return 0;
}

/* `first` is the first component, which is all of an ordinary job. */
static int predict_job(struct cli *cli, int argc, char **argv,
		       const struct sbatch *first, struct sp_error *err)
{
	struct components c = { .array = json_object_new_array(),
				.longest = -1,
				.median_s = NAN };
	struct json_object *reply;
	struct sbatch next;
	int rc = c.array ? fetch_component(cli, first, &reply, err)
			 : sp_error_set(err, "out of memory");

	if (!rc)
		add_component(&c, reply);
	while (!rc && c.count < first->components) {
		rc = sbatch_read(cli, argc, argv, first, c.count, &next, err);
		if (!rc)
			rc = fetch_component(cli, &next, &reply, err);
		sbatch_clear(&next);
		if (!rc)
			add_component(&c, reply);
	}
	if (!rc)
		rc = c.count > 1 ? show_components(cli, &c, err)
				 : show_job(cli, first, reply, err);
	json_object_put(c.array);
	return rc;
}

static int run_predict(struct cli *cli, int argc, char **argv)
{
	struct sbatch sbatch;
	struct sp_error err;
	int status = CLI_OK;

	if (sbatch_read(cli, argc, argv, NULL, 0, &sbatch, &err))
		status = cli_usage(cli, &err);
	else if (!cli_only_about(cli) &&
		 predict_job(cli, argc, argv, &sbatch, &err))
		status = cli_fail(cli, &err);
	sbatch_clear(&sbatch);
	return status;
}

const struct subcommand subcommand_predict = {
	.name = "predict",
	.function = run_predict,
	.options = sbatch_options,
	.options_usage = "[SBATCH OPTION...]",
	.operands = "SCRIPT [ARGUMENT...]",
	.help = "predict the run time of a job, were it submitted now",
};
