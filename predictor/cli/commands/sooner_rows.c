/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sooner_rows.c - what to change of a job so that it starts sooner, in words */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/duration.h"
#include "predictor/cli/commands/sooner_rows.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/show.h"
#include "predictor/cli/url_path.h"
#include "predictor/slurm/slurm_command.h"

/* The runs that advice rests on, and that tell a user's partitions. */
#define RECENT_S (90 * 86400.0)

#define PARTITIONS_MAX 16 /* that are compared */
#define WORDS_MAX      32 /* of the command that asks Slurm */

/* For its answer. */
#define SBATCH_TIMEOUT_S  3.0
#define SBATCH_OUTPUT_MAX 4096

#define CHANGE_SIZE 128

static bool has_quantiles(const struct prediction *p)
{
	return p->basis == BASIS_HISTORY && !p->unbounded &&
	       !prediction_is_guess(p->basis, p->evidence_level);
}

/* Without those that do not fit in, advice is for any. */
static void add_parameters(char path[URL_PATH_SIZE],
			   const struct parameters *set)
{
	char text[URL_PATH_SIZE] = "";
	size_t used = 0;

	for (int i = 0; i < set->count && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s=%.15g ", set->of[i].name,
					 set->of[i].value);
	if (set->count)
		url_path_add(path, "parameters", text, NULL);
}

/* Make the request for advice to a job like this one. */
static int advice_path(struct cli *cli, const struct prediction *p,
		       double quantile_s, bool memory_per_cpu,
		       char path[URL_PATH_SIZE], struct sp_error *err)
{
	snprintf(path, URL_PATH_SIZE,
		 "/v1/report?nodes=%u&tasks=%u&memory_mb=%.0f&node_cpus=%u"
		 "&since=%.0f",
		 p->nodes, p->tasks, fmax(p->memory_mb, 0),
		 memory_per_cpu && p->nodes ? p->cpus / p->nodes : 0,
		 clock_now_s() - RECENT_S);
	if (url_path_add_number(path, "quantile_s",
				has_quantiles(p) ? quantile_s : NAN, err) ||
	    url_path_add_number(path, "limit_s", p->limit_s, err) ||
	    url_path_add(path, "cluster", cli->cluster, err) ||
	    url_path_add(path, "application", p->application.name, err) ||
	    url_path_add_number(path, "user",
				p->user_id == geteuid() ? NAN : p->user_id,
				err))
		return -1;
	add_parameters(path, &p->application.parameters);
	return 0;
}

int advice_fetch(struct cli *cli, const struct prediction *p, double quantile_s,
		 bool memory_per_cpu, struct json_object **ret,
		 struct sp_error *err)
{
	struct json_object *report, *rows, *advice = NULL;
	char path[URL_PATH_SIZE];

	if (advice_path(cli, p, quantile_s, memory_per_cpu, path, err) ||
	    fetch(cli, path, NULL, &report, NULL, err))
		return -1;
	rows = reply_array(report, "report");
	if (rows)
		json_object_object_get_ex(json_object_array_get_idx(rows, 0),
					  "advice", &advice);
	*ret = json_object_get(advice);
	json_object_put(report);
	return 0;
}

double sooner_limit(struct cli *cli, const struct prediction *p,
		    bool memory_per_cpu)
{
	struct json_object *advice;
	struct sp_error err;
	double limit_s;

	if (!has_quantiles(p) ||
	    advice_fetch(cli, p, knot_s(p, SOONER_QUANTILE), memory_per_cpu,
			 &advice, &err))
		return NAN;
	limit_s = advice && reply_number(advice, "matching") >= SOONER_MATCHING
			  ? reply_number(advice, "limit_s")
			  : NAN;
	json_object_put(advice);
	return limit_s < p->limit_s ? limit_s : NAN;
}

/* Add a row for what is given to sbatch, or to scontrol where the job has been
 * submitted. */
static struct json_object *row_add(struct json_object *reply, uint32_t job_id,
				   const char *change, double gain_s)
{
	struct json_object *rows = reply_array(reply, "sooner");
	struct json_object *row =
		reply_add_row(rows ? rows : reply_add_array(reply, "sooner"));
	char command[CHANGE_SIZE + 32];

	snprintf(command, sizeof(command), "scontrol update job=%u %s", job_id,
		 change);
	reply_add_text(row, "options", job_id ? command : change);
	reply_add_number(row, "gain_s", gain_s);
	return row;
}

void sooner_add(struct json_object *reply, uint32_t job_id, double limit_s,
		double wait_s, double gain_s)
{
	char time[DURATION_TEXT_SIZE], change[CHANGE_SIZE];
	struct json_object *row;

	if (!sooner_is_worth(wait_s, gain_s))
		return;
	snprintf(change, sizeof(change), job_id ? "TimeLimit=%s" : "-t %s",
		 duration_format(limit_s, time));
	row = row_add(reply, job_id, change, gain_s);
	reply_add_number(row, "limit_s", limit_s);
	reply_add_number(row, "risk", SOONER_RISK);
}

void sooner_add_half(struct json_object *reply, uint32_t job_id,
		     struct json_object *half, double wait_s)
{
	double nodes = reply_number(half, "nodes");
	double tasks = reply_number(half, "tasks");
	double gain_s = reply_number(half, "gain_s");
	char change[CHANGE_SIZE];

	if (!sooner_is_worth(wait_s, gain_s))
		return;
	if (job_id)
		snprintf(change, sizeof(change),
			 "NumNodes=%.0f-%.0f NumTasks=%.0f NumCPUs=%.0f", nodes,
			 nodes, tasks, reply_number(half, "cpus"));
	else
		snprintf(change, sizeof(change), "-N %.0f -n %.0f", nodes,
			 tasks);
	reply_add_number(row_add(reply, job_id, change, gain_s), "longer_s",
			 reply_number(half, "longer_s"));
}

/* --- Other partitions ----------------------------------------------------- */

double sooner_start(struct cli *cli, const struct prediction *p, bool exclusive)
{
	const struct wire_request request = {
		.job = { .user_id = p->user_id,
			 .cluster = p->cluster,
			 .partition = p->partition,
			 .limit_s = p->limit_s,
			 .size = { .nodes_min = p->nodes,
				   .nodes_max = p->nodes,
				   .tasks = p->cpus,
				   .exclusive = exclusive } },
		.quantile = p->quantile,
		.dry_run = true,
		.sets = 1,
	};
	struct json_object *body = wire_request_encode(&request), *reply = NULL;
	struct sp_error err;

	if (body)
		fetch(cli, "/v1/predictions", body, &reply, NULL, &err);

	double start_s = reply_number(json_object_object_get(reply, "start"),
				      "median_s");

	json_object_put(body);
	json_object_put(reply);
	return start_s;
}

/* Return whether Slurm would take such a job there from the user, whom sbatch
 * runs as.  For predictd, the line of the script says that none follows. */
static bool is_taken(const struct cli *cli, const struct prediction *p)
{
	char line[2048], time[DURATION_TEXT_SIZE], memory[32] = "";
	const char *argv[WORDS_MAX] = { "sbatch",
					"--wrap=#SBATCH --test-only" };
	char *rest = line;
	struct sp_error err;

	if (p->memory_mb > 0)
		snprintf(memory, sizeof(memory), " --mem=%.0f",
			 p->memory_mb / p->nodes);
	snprintf(line, sizeof(line),
		 "--test-only -p %s -N %u -n %u -c %u -t %s%s%s%s%s%s%s%s%s%s",
		 p->partition, p->nodes, p->tasks, p->cpus / p->tasks,
		 duration_format(p->limit_s, time), memory,
		 *p->account ? " -A " : "", p->account, *p->qos ? " -q " : "",
		 p->qos, *p->features ? " -C " : "", p->features,
		 cli->cluster ? " -M " : "", cli->cluster ? cli->cluster : "");
	for (int i = 2; i < WORDS_MAX - 1 && rest; i++)
		argv[i] = strsep(&rest, " ");

	char *text = slurm_command_run(argv, SBATCH_TIMEOUT_S,
				       SBATCH_OUTPUT_MAX, &err);

	free(text);
	return text != NULL;
}

void sooner_add_partition(struct cli *cli, const struct prediction *p,
			  bool exclusive, struct json_object *reply,
			  uint32_t job_id, double wait_s)
{
	struct prediction best = *p, other = *p;
	char path[URL_PATH_SIZE], change[CHANGE_SIZE];
	struct json_object *found, *rows;
	double most_s = 0;
	struct sp_error err;

	snprintf(path, sizeof(path),
		 "/v1/accuracy?by=partition&limit=%d&user=%u&since=%.0f",
		 PARTITIONS_MAX, p->user_id, clock_now_s() - RECENT_S);
	if (!sooner_is_worth(0, wait_s) || p->user_id != geteuid() ||
	    *p->gres || !p->tasks || !(p->limit_s > 0) ||
	    url_path_add(path, "cluster", cli->cluster, &err) ||
	    fetch(cli, path, NULL, &found, NULL, &err))
		return;
	rows = reply_array(found, "accuracy");
	for (size_t i = 0; rows && i < json_object_array_length(rows); i++) {
		snprintf(other.partition, sizeof(other.partition), "%s",
			 reply_text(json_object_array_get_idx(rows, i),
				    "group"));

		double gain_s = wait_s - sooner_start(cli, &other, exclusive);

		if (gain_s > most_s && strcmp(other.partition, p->partition)) {
			most_s = gain_s;
			best = other;
		}
	}
	json_object_put(found);
	if (!sooner_is_worth(wait_s, most_s) || !is_taken(cli, &best))
		return;
	snprintf(change, sizeof(change), job_id ? "Partition=%s" : "-p %s",
		 best.partition);
	row_add(reply, job_id, change, most_s);
}

/* --- In words ------------------------------------------------------------- */

void show_sooner(struct table *facts, struct json_object *reply)
{
	struct json_object *rows = reply_array(reply, "sooner");

	for (size_t i = 0; rows && i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		double risk = reply_number(row, "risk");
		double longer_s = reply_number(row, "longer_s");
		char more[64] = "";

		if (risk > 0)
			snprintf(more, sizeof(more),
				 "; about 1 of %.0f such runs takes longer",
				 1 / risk);
		else if (longer_s >= 1)
			snprintf(more, sizeof(more),
				 ", though it runs %s longer",
				 DURATION_BRIEF(longer_s));
		table_fact(facts, "Sooner", "by %s with %s%s",
			   DURATION_BRIEF(reply_number(row, "gain_s")),
			   reply_text(row, "options"), more);
	}
}
