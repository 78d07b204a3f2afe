/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show_started.c - a job that has started: its progress or outcome, in words */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/cli/commands/show_started.h"
#include "predictor/cli/commands/show_use.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/show.h"
#include "predictor/cli/timestamp.h"

#define BAR_WIDTH 30

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
	double share = whole_s > 0 ? job->elapsed_s / whole_s : 1;

	if (isnan(share))
		return;
	memset(bar, '.', BAR_WIDTH);
	memset(bar, '#', (size_t)(share * BAR_WIDTH));
	bar[BAR_WIDTH] = '\0';
	table_fact(facts, "Progress", "[%s] %.0f %%, %s of %s%s", bar,
		   100 * share, DURATION_BRIEF(job->elapsed_s),
		   DURATION_BRIEF(whole_s),
		   job->elapsed_s <= p->quantile_s ? ""
						   : ", longer than predicted");
	if (prediction_is_guess(p->basis, p->evidence_level) || p->unbounded)
		table_fact(facts, "Remaining", "about %s",
			   DURATION_BRIEF(job->remaining_s));
	else
		table_fact(facts, "Remaining", "%s, under %s with 90 %%",
			   DURATION_BRIEF(job->remaining_s),
			   DURATION_BRIEF(job->remaining_high_s));
}

static void show_error(struct table *facts, const char *name, double runtime_s,
		       const struct prediction *p)
{
	char held[40];

	if (p->basis != BASIS_HISTORY)
		return;
	if (prediction_is_guess(p->basis, p->evidence_level))
		snprintf(held, sizeof(held), "a guess");
	else
		snprintf(held, sizeof(held), "%s the %g %% quantile",
			 runtime_s <= p->quantile_s ? "within" : "beyond",
			 100 * p->quantile);
	table_fact(facts, name, "%s, %.1f %% too %s, %s",
		   DURATION_BRIEF(p->median_s),
		   100 * fabs(p->median_s - runtime_s) / runtime_s,
		   p->median_s < runtime_s ? "short" : "long", held);
}

static void show_outcome(struct table *facts, const struct started_job *job)
{
	double runtime_s = run_runtime_s(&job->run);

	table_fact(facts, "Run time", "%s", DURATION_BRIEF(runtime_s));
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
	const struct {
		const char *name, *value;
	} rows[] = {
		{ "QOS", run->qos },
		{ "Licenses", run->licenses },
	};

	table_fact(facts, "Time", "%s to %s", TIMESTAMP(run->started_at_s),
		   isnan(run->ended_at_s) ? "now" : TIMESTAMP(run->ended_at_s));
	if (run->suspended_s > 0)
		table_fact(facts, "Suspended", "%s",
			   DURATION_BRIEF(run->suspended_s));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (*rows[i].value)
			table_fact(facts, rows[i].name, "%s", rows[i].value);
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
	if (!json_object_object_get(reply, "prediction"))
		return 0;
	if (reply_prediction(reply, &ret->latest, err))
		return -1;
	ret->predicted = true;
	object = json_object_object_get(reply, "submission_prediction");
	if (ret->latest.stage == STAGE_SUBMISSION || !object)
		return 0;
	ret->has_both = true;
	return wire_prediction_decode(object, &ret->at_submission, err);
}

/* The expected run time on the best nodes that the job did not get. */
static void show_rejected(struct table *facts, struct json_object *reply)
{
	static const char name[] = "Best other nodes";
	struct json_object *set = json_object_object_get(reply, "rejected_set");

	if (!set)
		return;

	double median_s = reply_number(set, "median_s");
	double percent = 100 * (reply_number(set, "ratio") - 1);

	if (isnan(percent)) {
		table_fact(facts, name, "%s", reply_text(set, "nodes"));
		return;
	}
	table_fact(facts, name, "%s: %s%s%.0f %% %s", reply_text(set, "nodes"),
		   isnan(median_s) ? "" : DURATION_BRIEF(median_s),
		   isnan(median_s) ? "" : ", ", fabs(percent),
		   percent < 0 ? "shorter" : "longer");
}

int show_started(const struct cli *cli, struct json_object *reply,
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
