/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_job.c - spredict job: a prediction, its reasons, and progress or outcome
 *
 * predictd knows jobs that have started.  For a pending job, squeue gives the
 * id of its prediction, which the plugin put into AdminComment.  A pending job
 * is preferred to an old run with the same id: the job was requeued, or job ids
 * have wrapped around.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/duration.h"
#include "predictor/cli/commands/show_use.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/timestamp.h"
#include "predictor/slurm/queued_job.h"
#include "predictor/slurm/slurm_command.h"
#include "predictor/wire/json_queue.h"

#define BAR_WIDTH 30

#define SQUEUE_TIMEOUT_S  10
#define SQUEUE_OUTPUT_MAX (32 << 20) /* an array has many records */

/* --- A job that has started ----------------------------------------------- */

struct started_job {
	struct run run;
	bool predicted;
	struct prediction latest;
	bool has_both; /* also made at submission */
	struct prediction at_submission;
	double elapsed_s;
	double remaining_s, remaining_high_s; /* NAN: not known */
};

/* Elapsed time as a share of the expected run time. */
static void show_progress(struct table *facts, const struct started_job *job)
{
	const struct prediction *p = &job->latest;
	double whole_s = job->elapsed_s + job->remaining_s;
	char bar[BAR_WIDTH + 1];
	char passed[DURATION_TEXT_SIZE], whole[DURATION_TEXT_SIZE];
	double share = whole_s > 0 ? job->elapsed_s / whole_s : 1;

	if (isnan(share))
		return;
	memset(bar, '.', BAR_WIDTH);
	memset(bar, '#', (size_t)(share * BAR_WIDTH));
	bar[BAR_WIDTH] = '\0';
	table_fact(facts, "Progress", "[%s] %.0f %%, %s of %s%s", bar,
		   100 * share, duration_format_brief(job->elapsed_s, passed),
		   duration_format_brief(whole_s, whole),
		   job->elapsed_s <= p->quantile_s ? ""
						   : ", longer than predicted");
	if (prediction_is_guess(p->basis, p->evidence_level) || p->unbounded)
		table_fact(facts, "Remaining", "about %s",
			   duration_format_brief(job->remaining_s, passed));
	else
		table_fact(facts, "Remaining", "%s, under %s with 90 %%",
			   duration_format_brief(job->remaining_s, passed),
			   duration_format_brief(job->remaining_high_s, whole));
}

static void show_error(struct table *facts, const char *name, double runtime_s,
		       const struct prediction *p)
{
	char text[DURATION_TEXT_SIZE], held[40];

	if (p->basis != BASIS_HISTORY)
		return;
	if (prediction_is_guess(p->basis, p->evidence_level))
		snprintf(held, sizeof(held), "a guess");
	else
		snprintf(held, sizeof(held), "%s the %g %% quantile",
			 runtime_s <= p->quantile_s ? "within" : "beyond",
			 100 * p->quantile);
	table_fact(facts, name, "%s, %.1f %% too %s, %s",
		   duration_format_brief(p->median_s, text),
		   100 * fabs(p->median_s - runtime_s) / runtime_s,
		   p->median_s < runtime_s ? "short" : "long", held);
}

static void show_outcome(struct table *facts, const struct started_job *job)
{
	char text[DURATION_TEXT_SIZE];
	double runtime_s = run_runtime_s(&job->run);

	table_fact(facts, "Run time", "%s",
		   duration_format_brief(runtime_s, text));
	if (!job->predicted || !(runtime_s > 0))
		return;
	if (!run_is_representative(&job->run)) {
		table_fact(facts, "Error",
			   "not computed: the job did not complete");
		return;
	}
	if (job->has_both)
		show_error(facts, "At submission", runtime_s,
			   &job->at_submission);
	show_error(facts,
		   job->latest.stage == STAGE_START ? "At the start"
						    : "At submission",
		   runtime_s, &job->latest);
}

/* "123 name, RUNNING", and what squeue calls the task of an array or the
 * component of a heterogeneous job: "125 (123_2) name, RUNNING". */
static void show_job(struct table *facts, const struct run *run)
{
	char of[32] = "", code[32] = "";

	if (run->array_job_id)
		snprintf(of, sizeof(of), " (%u_%u)", run->array_job_id,
			 run->array_task_id);
	else if (run->het_job_id)
		snprintf(of, sizeof(of), " (%u+%u)", run->het_job_id,
			 run->het_offset);
	if (run->exit_code || run->exit_signal)
		snprintf(code, sizeof(code), ", exit code %d:%d",
			 run->exit_code, run->exit_signal);
	table_fact(facts, "Job", "%u%s %s, %s%s", run->job_id, of,
		   run->job_name, run_state_name(run->state), code);
}

static void show_request(struct table *facts, const struct run *run)
{
	char start[TIMESTAMP_TEXT_SIZE], end[TIMESTAMP_TEXT_SIZE];
	const struct {
		const char *name, *value;
	} rows[] = {
		{ "QOS", run->qos },
		{ "Licenses", run->licenses },
	};

	table_fact(facts, "Time", "%s to %s",
		   timestamp_format(run->started_at_s, start),
		   isnan(run->ended_at_s)
			   ? "now"
			   : timestamp_format(run->ended_at_s, end));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!*rows[i].value)
			continue;
		table_fact(facts, rows[i].name, "%s", rows[i].value);
	}
}

static int decode_started(struct json_object *reply, struct started_job *ret,
			  struct sp_error *err)
{
	struct json_object *object = NULL;

	if (!json_object_object_get_ex(reply, "job", &object))
		return sp_error_set(err, "predictd's reply has no job");
	if (wire_run_decode(object, &ret->run, err))
		return -1;
	ret->elapsed_s = reply_number(object, "elapsed_s");
	ret->remaining_s = reply_number(object, "remaining_s");
	ret->remaining_high_s = reply_number(object, "remaining_high_s");
	if (!json_object_object_get_ex(reply, "prediction", &object) || !object)
		return 0;
	if (wire_prediction_decode(object, &ret->latest, err))
		return -1;
	ret->predicted = true;
	if (ret->latest.stage == STAGE_SUBMISSION ||
	    !json_object_object_get_ex(reply, "submission_prediction",
				       &object) ||
	    !object)
		return 0;
	ret->has_both = true;
	return wire_prediction_decode(object, &ret->at_submission, err);
}

/* The expected run time on the best nodes that the job did not get. */
static void show_rejected(struct table *facts, struct json_object *reply)
{
	static const char name[] = "Best other nodes";
	struct json_object *set = NULL;
	char text[DURATION_TEXT_SIZE];

	if (!json_object_object_get_ex(reply, "rejected_set", &set) || !set)
		return;

	double median_s = reply_number(set, "median_s");
	double percent = 100 * (reply_number(set, "ratio") - 1);

	if (isnan(percent)) {
		table_fact(facts, name, "%s", reply_text(set, "nodes"));
		return;
	}
	table_fact(facts, name, "%s: %s%s%.0f %% %s", reply_text(set, "nodes"),
		   isnan(median_s) ? "" : duration_format_brief(median_s, text),
		   isnan(median_s) ? "" : ", ", fabs(percent),
		   percent < 0 ? "shorter" : "longer");
}

static int print_started(const struct cli *cli, struct json_object *reply,
			 struct sp_error *err)
{
	struct started_job job = { .predicted = false };

	if (decode_started(reply, &job, err))
		return -1;

	struct table *facts = show_facts();

	show_job(facts, &job.run);
	if (job.predicted) {
		show_answer(facts, &job.latest, job.run.node_list);
	} else {
		table_fact(facts, "Expected",
			   "no prediction was made for this job");
		table_fact(facts, "On nodes", "%s", job.run.node_list);
	}
	if (!isnan(job.run.ended_at_s))
		show_outcome(facts, &job);
	else if (job.predicted && job.latest.basis == BASIS_HISTORY)
		show_progress(facts, &job);
	show_use(facts, reply);
	show_request(facts, &job.run);
	if (job.predicted) {
		show_reasons(facts, &job.latest, cli->verbose);
		show_rejected(facts, reply);
	}
	return table_finish(facts, err);
}

/* --- A pending job -------------------------------------------------------- */

/* What predict_plan promises. */
static void show_order(struct table *facts, double overtaken_s)
{
	char text[DURATION_TEXT_SIZE];

	if (isnan(overtaken_s))
		return;
	table_fact(
		facts, "Order",
		"shorter jobs overtake it if submitted less than %s after it",
		duration_format_brief(overtaken_s, text));
}

/* "now 2 h 10 min, at submission 40 min" */
static void show_both(struct table *facts, const struct prediction *now,
		      const struct prediction *first)
{
	char text[DURATION_TEXT_SIZE], before[DURATION_TEXT_SIZE];

	if (now->basis != BASIS_HISTORY)
		return;
	table_fact(facts, "Predicted", "now %s, at submission %s",
		   duration_format_brief(now->median_s, text),
		   first->basis == BASIS_HISTORY
			   ? duration_format_brief(first->median_s, before)
			   : "not known");
}

/* "about 14:10 (80 %: 13:40 to 15:30)", and what is before it. */
static void show_place(struct table *facts, struct json_object *place)
{
	char low[TIMESTAMP_TEXT_SIZE], median[TIMESTAMP_TEXT_SIZE],
		high[TIMESTAMP_TEXT_SIZE];
	char same[128] = "", end[96] = "";
	const char *gres = reply_text(place, "gres");
	double start_s = reply_number(place, "start_s");
	double ahead = reply_number(place, "jobs_ahead");
	double count = reply_number(place, "jobs_ahead_same_gres");
	double end_s = reply_number(place, "first_end_s");
	double now_s = clock_now_s();

	if (isnan(start_s))
		return;
	table_fact(facts, "Starts", "about %s (80 %%: %s to %s)",
		   timestamp_format_near(start_s, now_s, median),
		   timestamp_format_near(reply_number(place, "start_low_s"),
					 now_s, low),
		   timestamp_format_near(reply_number(place, "start_high_s"),
					 now_s, high));
	if (isnan(ahead))
		return;
	if (count > 0)
		snprintf(same, sizeof(same),
			 "; %.0f of them wait for the same %s", count,
			 strncmp(gres, "gpu", 3) ? gres : "GPUs");
	if (!isnan(end_s))
		snprintf(end, sizeof(end),
			 "; the first that blocks it ends about %s",
			 timestamp_format_near(end_s, now_s, low));
	if (ahead > 0)
		table_fact(facts, "Waits", "behind %.0f job%s%s%s", ahead,
			   ahead > 1 ? "s" : "", same, end);
	else
		table_fact(facts, "Waits", "as the first of the queue%s", end);
}

static int print_pending(const struct cli *cli, const struct queued_job *job,
			 double overtaken_s, struct json_object *reply,
			 struct sp_error *err)
{
	struct json_object *object = NULL;
	struct prediction first, p;

	if (!json_object_object_get_ex(reply, "prediction", &object))
		return sp_error_set(err, "predictd's reply has no prediction");
	if (wire_prediction_decode(object, &first, err))
		return -1;
	p = first;
	if (json_object_object_get_ex(reply, "waiting_prediction", &object) &&
	    object && wire_prediction_decode(object, &p, err))
		return -1;

	struct table *facts = show_facts();

	table_fact(facts, "Job", "%u %s, %s (%s)", job->job_id, job->name,
		   job->state, job->reason);
	show_answer(facts, &p, NULL);
	if (json_object_object_get_ex(reply, "queue", &object))
		show_place(facts, object);
	if (p.stage == STAGE_WAITING)
		show_both(facts, &p, &first);
	show_order(facts, overtaken_s);
	show_reasons(facts, &p, cli->verbose);
	return table_finish(facts, err);
}

/* Add the member `queue` to the reply: when it starts, and why not now; it is
 * left out where predictd has no answer. */
static int add_place(struct cli *cli, const struct queued_job *job,
		     struct json_object *reply, struct sp_error *err)
{
	struct wire_queue asked = {
		.count = 1,
		.jobs = { { .job_id = job->job_id, .elapsed_s = NAN } },
	};
	struct json_object *body, *rows, *place;

	memccpy(asked.cluster, cli_cluster(cli), '\0',
		sizeof(asked.cluster) - 1);
	strcpy(asked.jobs[0].prediction_id, job->prediction_id);
	body = wire_queue_encode(&asked);
	if (!body)
		return sp_error_set(err, "out of memory");

	int rc = fetch(cli, "/v1/queue", body, &place, NULL, err);

	json_object_put(body);
	if (rc) {
		cli_note(cli, "%s", err->text);
		return 0;
	}
	rows = reply_array(place, "jobs");
	if (rows && json_object_array_length(rows))
		json_object_object_add(
			reply, "queue",
			json_object_get(json_object_array_get_idx(rows, 0)));
	json_object_put(place);
	return 0;
}

static int queued_job_fetch(struct cli *cli, const char *id,
			    struct queued_job *ret, struct sp_error *err)
{
	struct squeue_args args;

	queued_job_args(id, cli->cluster, &args);

	char *text = slurm_command_run(args.argv, SQUEUE_TIMEOUT_S,
				       SQUEUE_OUTPUT_MAX, err);
	int rc = text ? queued_job_parse(text, strlen(text), ret, err) : -1;

	free(text);
	return rc;
}

static int show_pending(struct cli *cli, const struct queued_job *job,
			struct sp_error *err)
{
	struct json_object *reply;
	char path[64];

	if (!job->prediction_id[0])
		return sp_error_set(err,
				    "job %u is %s, and no prediction was "
				    "made for it",
				    job->job_id, job->state);
	snprintf(path, sizeof(path), "/v1/predictions/%s", job->prediction_id);
	if (fetch(cli, path, NULL, &reply, NULL, err))
		return -1;

	int rc = add_place(cli, job, reply, err);

	if (!rc && cli->json)
		reply_print(reply);
	else if (!rc)
		rc = print_pending(cli, job, cli_site(cli)->overtaken_s, reply,
				   err);
	json_object_put(reply);
	return rc;
}

/* --- The request ---------------------------------------------------------- */

/* Return whether it is "123", "123_4" of an array, or "123+1" of a
 * heterogeneous job. */
static bool is_job_id(const char *text)
{
	size_t first = strspn(text, "0123456789");
	size_t second = text[first] == '_' || text[first] == '+'
				? strspn(text + first + 1, "0123456789")
				: 0;
	size_t length = second ? first + 1 + second : first;

	return first > 0 && text[length] == '\0' && length < 24;
}

/* Find the job's own id, by which predictd knows tasks and components.  Slurm
 * numbers the components of a job one after the other. */
static int resolve_id(struct cli *cli, const char *id, uint32_t *ret,
		      struct sp_error *err)
{
	struct queued_job job;
	char *end;

	if (!strchr(id, '_')) {
		unsigned long value = strtoul(id, &end, 10);
		unsigned long offset = *end ? strtoul(end + 1, NULL, 10) : 0;

		if (value == 0 || value >= UINT32_MAX ||
		    offset >= UINT32_MAX - value)
			return sp_error_set(err, "%s is no job id", id);
		*ret = (uint32_t)(value + offset);
		return 0;
	}
	if (queued_job_fetch(cli, id, &job, err))
		return -1;
	*ret = job.job_id;
	return 0;
}

/* Fail if the id names a component, and the job is none or another. */
static int check_component(const char *id, double het_job_id, double het_offset,
			   struct sp_error *err)
{
	char *end;
	unsigned long leader = strtoul(id, &end, 10);
	unsigned long offset = *end == '+' ? strtoul(end + 1, NULL, 10) : 0;

	if (*end != '+' ||
	    (het_job_id == (double)leader &&
	     (isnan(het_offset) ? 0 : het_offset) == (double)offset))
		return 0;
	return sp_error_set(err, "job %lu has no component %lu", leader,
			    offset);
}

static int check_reply(const char *id, struct json_object *reply,
		       struct sp_error *err)
{
	struct json_object *run = NULL;

	json_object_object_get_ex(reply, "job", &run);
	return check_component(id, reply_number(run, "het_job_id"),
			       reply_number(run, "het_offset"), err);
}

/* Return whether the run in the reply has ended, and Slurm has the
 * job pending. */
static bool is_pending_again(struct cli *cli, const char *id,
			     struct json_object *reply, struct queued_job *ret)
{
	struct json_object *run = NULL;

	return json_object_object_get_ex(reply, "job", &run) &&
	       !isnan(reply_number(run, "ended_at_s")) &&
	       queued_job_fetch(cli, id, ret, NULL) == 0 &&
	       strcmp(ret->state, "PENDING") == 0;
}

static int find_job(struct cli *cli, const char *id, struct sp_error *err)
{
	const char *cluster = cli_cluster(cli);
	const char *asked = id;
	struct json_object *reply;
	struct queued_job job;
	struct sp_error why;
	uint32_t job_id = 0;
	char path[128], own[16];
	int status;
	int rc = 0;

	if (resolve_id(cli, id, &job_id, err))
		return -1;
	/* squeue would list all components. */
	snprintf(own, sizeof(own), "%u", job_id);
	if (strchr(id, '+'))
		id = own;
	snprintf(path, sizeof(path), "/v1/jobs/%u%s%s", job_id,
		 *cluster ? "?cluster=" : "", cluster);
	if (fetch(cli, path, NULL, &reply, &status, err)) {
		if (status != 404)
			return -1;
		if (queued_job_fetch(cli, id, &job, &why))
			return sp_error_set(err,
					    "no run of job %s is known; %s",
					    asked, why.text);
		if (check_component(asked, job.het_job_id, job.het_offset, err))
			return -1;
		return show_pending(cli, &job, err);
	}
	if (check_reply(asked, reply, err))
		rc = -1;
	else if (is_pending_again(cli, id, reply, &job))
		rc = show_pending(cli, &job, err);
	else if (cli->json)
		reply_print(reply);
	else
		rc = print_started(cli, reply, err);
	json_object_put(reply);
	return rc;
}

static int run_job(struct cli *cli, int argc, char **argv)
{
	struct sp_error err;
	int first;

	if (cli_arguments(cli, NULL, argc, argv, &first, &err))
		return cli_usage(cli, &err);
	if (cli_only_about(cli))
		return CLI_OK;
	if (first == argc || !is_job_id(argv[first])) {
		sp_error_set(&err,
			     "job takes one job id, as in 123, 123_4 or 123+1");
		return cli_usage(cli, &err);
	}
	return find_job(cli, argv[first], &err) ? cli_fail(cli, &err) : CLI_OK;
}

const struct subcommand subcommand_job = {
	.name = "job",
	.function = run_job,
	.operands = "ID",
	.operands_max = 1,
	.help = "show a job's prediction, its reasons, and progress or outcome",
};
