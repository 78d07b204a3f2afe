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
#include "predictor/cli/commands/show_started.h"
#include "predictor/cli/commands/show_use.h"
#include "predictor/cli/commands/sooner_rows.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/timestamp.h"
#include "predictor/cli/url_path.h"
#include "predictor/slurm/gpu_use.h"
#include "predictor/slurm/queued_job.h"
#include "predictor/slurm/slurm_command.h"
#include "predictor/wire/json_queue.h"

#define SQUEUE_TIMEOUT_S  10
#define SQUEUE_OUTPUT_MAX (32 << 20) /* an array has many records */

#define LIMIT_KEPT_S 1e9 /* no limit is longer: no change */

/* --- A pending job -------------------------------------------------------- */

/* What predict_plan promises. */
static void show_order(struct table *facts, double overtaken_s)
{
	if (isnan(overtaken_s))
		return;
	table_fact(
		facts, "Order",
		"shorter jobs overtake it if submitted less than %s after it",
		DURATION_BRIEF(overtaken_s));
}

/* "now 2 h 10 min, at submission 40 min" */
static void show_both(struct table *facts, const struct prediction *now,
		      const struct prediction *first)
{
	if (now->basis != BASIS_HISTORY)
		return;
	table_fact(facts, "Predicted", "now %s, at submission %s",
		   DURATION_BRIEF(now->median_s),
		   first->basis == BASIS_HISTORY
			   ? DURATION_BRIEF(first->median_s)
			   : "not known");
}

/* "about 14:10 (80 %: 13:40 to 15:30)", and what is before it. */
static void show_place(struct table *facts, struct json_object *place)
{
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
		   TIMESTAMP_NEAR(start_s, now_s),
		   TIMESTAMP_NEAR(reply_number(place, "start_low_s"), now_s),
		   TIMESTAMP_NEAR(reply_number(place, "start_high_s"), now_s));
	if (isnan(ahead))
		return;
	if (count > 0)
		snprintf(same, sizeof(same),
			 "; %.0f of them wait for the same %s", count,
			 strncmp(gres, "gpu", 3) ? gres : "GPUs");
	if (!isnan(end_s))
		snprintf(end, sizeof(end),
			 "; the first that blocks it ends about %s",
			 TIMESTAMP_NEAR(end_s, now_s));
	if (ahead > 0)
		table_fact(facts, "Waits", "behind %.0f job%s%s%s", ahead,
			   ahead > 1 ? "s" : "", same, end);
	else
		table_fact(facts, "Waits", "as the first of the queue%s", end);
}

/* What was predicted at submission, and what is now. */
static int decode_pending(struct json_object *reply,
			  struct prediction *ret_first,
			  struct prediction *ret_now, struct sp_error *err)
{
	struct json_object *waiting =
		json_object_object_get(reply, "waiting_prediction");

	if (reply_prediction(reply, ret_first, err))
		return -1;
	*ret_now = *ret_first;
	return waiting ? wire_prediction_decode(waiting, ret_now, err) : 0;
}

static int print_pending(const struct cli *cli, const struct queued_job *job,
			 double overtaken_s, struct json_object *reply,
			 struct sp_error *err)
{
	struct prediction first, p;

	if (decode_pending(reply, &first, &p, err))
		return -1;

	struct table *facts = show_facts();

	table_fact(facts, "Job", "%u %s, %s (%s)", job->job_id, job->name,
		   job->state, job->reason);
	show_answer(facts, &p, NULL);
	show_place(facts, json_object_object_get(reply, "queue"));
	show_sooner(facts, reply);
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

/* Simulate the queue with a shorter limit, and with half of its nodes. */
static void add_changes(struct cli *cli, uint32_t job_id,
			const struct prediction *p, struct json_object *reply)
{
	double limit_s = sooner_limit(cli, p, false), wait_s;
	struct json_object *found, *sooner;
	char path[URL_PATH_SIZE];
	struct sp_error err;

	snprintf(path, sizeof(path), "/v1/sooner?job_id=%u&limit_s=%.0f",
		 job_id, isnan(limit_s) ? LIMIT_KEPT_S : limit_s);
	if ((isnan(limit_s) && p->nodes < 2) ||
	    url_path_add(path, "cluster", cli->cluster, &err) ||
	    fetch(cli, path, NULL, &found, NULL, &err))
		return;
	sooner = json_object_object_get(found, "sooner");
	wait_s = reply_number(sooner, "wait_s");
	sooner_add(reply, job_id, limit_s, wait_s,
		   reply_number(sooner, "gain_s"));
	sooner_add_half(reply, job_id, json_object_object_get(found, "half"),
			wait_s);
	json_object_put(found);
}

/* Add the member `sooner`, if a change makes it start or end much sooner.  In
 * another partition it may need whole nodes. */
static void add_sooner(struct cli *cli, uint32_t job_id,
		       struct json_object *reply)
{
	double start_s =
		reply_number(json_object_object_get(reply, "queue"), "start_s");
	struct prediction first, p;
	struct sp_error err;

	if (decode_pending(reply, &first, &p, &err))
		return;
	add_changes(cli, job_id, &p, reply);
	sooner_add_partition(cli, &p, true, reply, job_id,
			     start_s - clock_now_s());
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

	if (!rc)
		add_sooner(cli, job->job_id, reply);
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

/* Return whether the run in the reply has ended, and Slurm has the
 * job pending. */
static bool is_pending_again(struct cli *cli, const char *id,
			     struct json_object *reply, struct queued_job *ret)
{
	struct json_object *run = json_object_object_get(reply, "job");

	return !isnan(reply_number(run, "ended_at_s")) &&
	       queued_job_fetch(cli, id, ret, NULL) == 0 &&
	       strcmp(ret->state, "PENDING") == 0;
}

/* Add what sacct knows of its GPUs to the member `use`. */
static void add_gpus(struct cli *cli, uint32_t job_id,
		     struct json_object *reply)
{
	const char *cluster = cli_cluster(cli);
	struct json_object *run = json_object_object_get(reply, "job");
	struct json_object *use = json_object_object_get(reply, "use");
	struct sp_error err;
	char id[16];
	const char *const argv[] = { "sacct",
				     "-nPj",
				     id,
				     "--noconvert",
				     GPU_USE_FORMAT,
				     *cluster ? "--clusters" : NULL,
				     cluster,
				     NULL };

	/* Else sacct is not asked; whether it had some, its answer says. */
	if (!use || !strstr(reply_text(run, "gres"), "gpu"))
		return;
	snprintf(id, sizeof(id), "%u", job_id);

	char *text = slurm_command_run(argv, SQUEUE_TIMEOUT_S,
				       SQUEUE_OUTPUT_MAX, &err);

	if (text)
		use_add_gpus(use, text);
	else
		cli_note(cli, "%s", err.text);
	free(text);
}

static int find_job(struct cli *cli, void *given UNUSED, struct sp_error *err)
{
	const char *cluster = cli_cluster(cli);
	const char *asked = cli->operand, *id = asked;
	struct json_object *reply, *run;
	struct queued_job job;
	struct sp_error why;
	uint32_t job_id = 0;
	char path[128], own[16];
	int status, rc = 0;

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
	add_gpus(cli, job_id, reply);
	run = json_object_object_get(reply, "job");
	if (check_component(asked, reply_number(run, "het_job_id"),
			    reply_number(run, "het_offset"), err))
		rc = -1;
	else if (is_pending_again(cli, id, reply, &job))
		rc = show_pending(cli, &job, err);
	else if (cli->json)
		reply_print(reply);
	else
		rc = show_started(cli, reply, err);
	json_object_put(reply);
	return rc;
}

static int check_id(struct cli *cli, void *given UNUSED, struct sp_error *err)
{
	if (cli->operand && is_job_id(cli->operand))
		return 0;
	return sp_error_set(err, "job takes one job id, as in 123, 123_4 or "
				 "123+1");
}

const struct subcommand subcommand_job = {
	.name = "job",
	.check = check_id,
	.act = find_job,
	.operands = "ID",
	.operands_max = 1,
	.help = "show a job's prediction, its reasons, and progress or outcome",
};
