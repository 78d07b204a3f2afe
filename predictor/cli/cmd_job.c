/* cmd_job.c - spredict job: prediction against progress or outcome, and why
 *
 * predictd knows jobs that have started.  Of a job that waits, Slurm knows the
 * id of its prediction: the plugin put it into AdminComment.  An old run that
 * predictd knows does not hide a job that waits: one that was requeued, or
 * another that got the same number, for these begin anew some day.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"
#include "predictor/slurm/queued_job.h"
#include "predictor/slurm/slurm_command.h"

#define BAR_WIDTH 30

/* --- A job that has started ------------------------------------------------- */

/* A prediction may have been made twice; what counts is the later one. */
struct started {
	struct run run;
	bool predicted;
	struct prediction of_job;
	bool twice;
	struct prediction at_submission;
	double elapsed_s;
	double remaining_s, remaining_high_s; /* NAN: not known */
};

/* As much of the bar as has passed of what is expected in all. */
static void show_progress(struct table *facts, const struct started *job)
{
	const struct prediction *p = &job->of_job;
	double whole_s = job->elapsed_s + job->remaining_s;
	char bar[BAR_WIDTH + 1];
	char passed[DURATION_TEXT_SIZE], whole[DURATION_TEXT_SIZE];
	double share = whole_s > 0 ? job->elapsed_s / whole_s : 1;

	if (isnan(share))
		return;
	memset(bar, '.', BAR_WIDTH);
	memset(bar, '#', (size_t)(share * BAR_WIDTH));
	bar[BAR_WIDTH] = '\0';
	table_cell(facts, "Progress");
	table_cell(facts, "[%s] %.0f %%, %s of %s%s", bar, 100 * share,
		   duration_format(job->elapsed_s, passed),
		   duration_format(whole_s, whole),
		   job->elapsed_s <= p->quantile_s ? ""
						   : ", longer than foreseen");
	table_cell(facts, "Remaining");
	table_cell(facts, "%s, under %s with 90 %%",
		   duration_format(job->remaining_s, passed),
		   duration_format(job->remaining_high_s, whole));
}

static void show_error(struct table *facts, const char *name, double runtime_s,
		       const struct prediction *p)
{
	char text[SHOW_TEXT_SIZE];

	if (p->basis != BASIS_HISTORY)
		return;
	table_cell(facts, "%s", name);
	table_cell(facts, "%s, %.1f %% too %s, %s what was told for %g %%",
		   show_span(p->median_s, text),
		   100 * fabs(p->median_s - runtime_s) / runtime_s,
		   p->median_s < runtime_s ? "short" : "long",
		   runtime_s <= p->quantile_s ? "within" : "beyond",
		   100 * p->quantile);
}

static void show_outcome(struct table *facts, const struct started *job)
{
	char text[SHOW_TEXT_SIZE];
	double runtime_s = run_runtime_s(&job->run);

	table_cell(facts, "Run time");
	table_cell(facts, "%s", show_span(runtime_s, text));
	if (!job->predicted || !(runtime_s > 0))
		return;
	if (!run_is_representative(&job->run)) {
		table_cell(facts, "Error");
		table_cell(facts, "does not count: the job did not complete");
		return;
	}
	if (job->twice)
		show_error(facts, "At submission", runtime_s,
			   &job->at_submission);
	show_error(facts,
		   job->of_job.stage == STAGE_START ? "At the start"
						    : "At submission",
		   runtime_s, &job->of_job);
}

static void show_state(struct table *facts, const struct run *run)
{
	char start[SHOW_TEXT_SIZE], end[SHOW_TEXT_SIZE];

	table_cell(facts, "Job");
	table_cell(facts, "%u %s", run->job_id, run->job_name);
	table_cell(facts, "State");
	if (run->exit_code || run->exit_signal)
		table_cell(facts, "%s, exit code %d:%d",
			   run_state_name(run->state), run->exit_code,
			   run->exit_signal);
	else
		table_cell(facts, "%s", run_state_name(run->state));
	table_cell(facts, "Nodes");
	table_cell(facts, "%s", run->node_list);
	table_cell(facts, "Time");
	table_cell(facts, "%s to %s", show_time(run->started_at_s, start),
		   isnan(run->ended_at_s) ? "now"
					  : show_time(run->ended_at_s, end));
}

static int decode_started(struct json_object *reply, struct started *ret,
			  struct sp_error *err)
{
	struct json_object *object = NULL;

	if (!json_object_object_get_ex(reply, "job", &object))
		return sp_error_set(err, "predictd's reply has no job");
	if (wire_run_decode(object, &ret->run, err))
		return -1;
	ret->elapsed_s = ask_number(object, "elapsed_s");
	ret->remaining_s = ask_number(object, "remaining_s");
	ret->remaining_high_s = ask_number(object, "remaining_high_s");
	if (!json_object_object_get_ex(reply, "prediction", &object) || !object)
		return 0;
	if (wire_prediction_decode(object, &ret->of_job, err))
		return -1;
	ret->predicted = true;
	if (ret->of_job.stage == STAGE_SUBMISSION ||
	    !json_object_object_get_ex(reply, "submission_prediction",
				       &object) ||
	    !object)
		return 0;
	ret->twice = true;
	return wire_prediction_decode(object, &ret->at_submission, err);
}

/* What the job would have taken on the best nodes that it did not get. */
static void show_rejected(struct table *facts, struct json_object *reply)
{
	struct json_object *set = NULL;
	char text[SHOW_TEXT_SIZE];

	if (!json_object_object_get_ex(reply, "rejected_set", &set) || !set)
		return;

	double median_s = ask_number(set, "median_s");
	double percent = 100 * (ask_number(set, "ratio") - 1);

	table_cell(facts, "Best other nodes");
	if (isnan(percent)) {
		table_cell(facts, "%s", ask_text(set, "nodes"));
		return;
	}
	table_cell(facts, "%s: %s%s%.0f %% %s", ask_text(set, "nodes"),
		   isnan(median_s) ? "" : show_span(median_s, text),
		   isnan(median_s) ? "" : ", ", fabs(percent),
		   percent < 0 ? "shorter" : "longer");
}

static int print_started(struct json_object *reply, struct sp_error *err)
{
	struct started job = { .predicted = false };

	if (decode_started(reply, &job, err))
		return -1;

	struct table *facts = show_facts();

	show_state(facts, &job.run);
	if (!isnan(job.run.ended_at_s))
		show_outcome(facts, &job);
	else if (job.predicted && job.of_job.basis == BASIS_HISTORY)
		show_progress(facts, &job);
	if (job.predicted) {
		show_answer(facts, &job.of_job);
		show_reasons(facts, &job.of_job);
		show_rejected(facts, reply);
	} else {
		table_cell(facts, "Expected");
		table_cell(facts, "no prediction was made for this job");
	}

	int rc = table_print(facts, stdout, err);

	table_destroy(facts);
	return rc;
}

/* --- A job that waits ------------------------------------------------------- */

static int print_waiting(const struct queued_job *job,
			 struct json_object *reply, struct sp_error *err)
{
	struct json_object *object = NULL;
	struct prediction p;

	if (!json_object_object_get_ex(reply, "prediction", &object))
		return sp_error_set(err, "predictd's reply has no prediction");
	if (wire_prediction_decode(object, &p, err))
		return -1;

	struct table *facts = show_facts();

	table_cell(facts, "Job");
	table_cell(facts, "%u %s", job->job_id, job->name);
	table_cell(facts, "State");
	table_cell(facts, "%s (%s)", job->state, job->reason);
	show_answer(facts, &p);
	show_reasons(facts, &p);

	int rc = table_print(facts, stdout, err);

	table_destroy(facts);
	return rc;
}

static int ask_slurm(struct cli *cli, const char *id, struct queued_job *ret,
		     struct sp_error *err)
{
	const char *argv[] = { "scontrol", "--oneliner", "show", "job",
			       id,         NULL,         NULL,   NULL };

	if (cli->cluster) {
		argv[5] = "-M";
		argv[6] = cli->cluster;
	}

	char *text = slurm_command_run(argv, SCONTROL_TIMEOUT_S,
				       SCONTROL_OUTPUT_MAX, err);

	if (!text)
		return -1;

	int rc = queued_job_parse(text, ret, err);

	free(text);
	return rc;
}

static int show_waiting(struct cli *cli, const struct queued_job *job,
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
	if (ask(cli, path, NULL, &reply, NULL, err))
		return -1;

	int rc = 0;

	if (cli->json)
		ask_print(reply);
	else
		rc = print_waiting(job, reply, err);
	json_object_put(reply);
	return rc;
}

/* --- Which of both ----------------------------------------------------------- */

/* "123", or "123_4" of an array. */
static bool is_job_id(const char *text)
{
	size_t first = strspn(text, "0123456789");
	size_t second =
		text[first] == '_' ? strspn(text + first + 1, "0123456789") : 0;
	size_t length = second ? first + 1 + second : first;

	return first > 0 && text[length] == '\0' && length < 24;
}

/* predictd knows tasks of an array by the job ids that Slurm gave to them. */
static int plain_id(struct cli *cli, const char *id, uint32_t *ret,
		    struct sp_error *err)
{
	struct queued_job job;
	char *end;

	if (!strchr(id, '_')) {
		unsigned long value = strtoul(id, &end, 10);

		if (value == 0 || value >= UINT32_MAX)
			return sp_error_set(err, "%s is no job id", id);
		*ret = (uint32_t)value;
		return 0;
	}
	if (ask_slurm(cli, id, &job, err))
		return -1;
	*ret = job.job_id;
	return 0;
}

/* Whether the run in predictd's reply is over, and Slurm has the job waiting. */
static bool waits_again(struct cli *cli, const char *id,
			struct json_object *reply, struct queued_job *ret)
{
	struct json_object *run = NULL;

	return json_object_object_get_ex(reply, "job", &run) &&
	       !isnan(ask_number(run, "ended_at_s")) &&
	       ask_slurm(cli, id, ret, NULL) == 0 &&
	       strcmp(ret->state, "PENDING") == 0;
}

static int show(struct cli *cli, const char *id, struct sp_error *err)
{
	const char *cluster = cli_cluster(cli);
	struct json_object *reply;
	struct queued_job job;
	struct sp_error why;
	uint32_t job_id = 0;
	char path[128];
	int status;
	int rc = 0;

	if (plain_id(cli, id, &job_id, err))
		return -1;
	snprintf(path, sizeof(path), "/v1/jobs/%u%s%s", job_id,
		 *cluster ? "?cluster=" : "", cluster);
	if (ask(cli, path, NULL, &reply, &status, err)) {
		if (status != 404)
			return -1;
		if (ask_slurm(cli, id, &job, &why))
			return sp_error_set(err,
					    "job %s has not been seen to "
					    "run; %s",
					    id, why.text);
		return show_waiting(cli, &job, err);
	}
	if (waits_again(cli, id, reply, &job))
		rc = show_waiting(cli, &job, err);
	else if (cli->json)
		ask_print(reply);
	else
		rc = print_started(reply, err);
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
		sp_error_set(&err, "job takes one job id, as in 123 or 123_4");
		return cli_usage(cli, &err);
	}
	return show(cli, argv[first], &err) ? cli_fail(cli, &err) : CLI_OK;
}

const struct subcommand subcommand_job = {
	.name = "job",
	.function = run_job,
	.operands = "ID",
	.operands_max = 1,
	.help = "show a job's prediction, its reasons, and progress or outcome",
};
