/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sooner_rows.c - what to change of a job so that it starts sooner, in words */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/duration.h"
#include "predictor/cli/commands/sooner_rows.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/show.h"
#include "predictor/cli/url_path.h"

#define RECENT_S (90 * 86400.0) /* the runs that advice rests on */

#define UPDATE       "scontrol update job=%u "
#define OPTIONS_SIZE 128

static bool has_quantiles(const struct prediction *p)
{
	return p->basis == BASIS_HISTORY && !p->unbounded &&
	       !prediction_is_guess(p->basis, p->evidence_level);
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
	    url_path_add(path, "application", p->application.name, err))
		return -1;
	return url_path_add_number(
		path, "user", p->user_id == geteuid() ? NAN : p->user_id, err);
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

static struct json_object *row_add(struct json_object *reply,
				   const char *options, double gain_s)
{
	struct json_object *rows = reply_array(reply, "sooner");
	struct json_object *row =
		reply_add_row(rows ? rows : reply_add_array(reply, "sooner"));

	reply_add_text(row, "options", options);
	reply_add_number(row, "gain_s", gain_s);
	return row;
}

void sooner_add(struct json_object *reply, uint32_t job_id, double limit_s,
		double wait_s, double gain_s)
{
	char time[DURATION_TEXT_SIZE], options[OPTIONS_SIZE];
	struct json_object *row;

	if (!sooner_is_worth(wait_s, gain_s))
		return;
	duration_format(limit_s, time);
	if (job_id)
		snprintf(options, sizeof(options), UPDATE "TimeLimit=%s",
			 job_id, time);
	else
		snprintf(options, sizeof(options), "-t %s", time);
	row = row_add(reply, options, gain_s);
	reply_add_number(row, "limit_s", limit_s);
	reply_add_number(row, "risk", SOONER_RISK);
}

void sooner_add_half(struct json_object *reply, uint32_t job_id,
		     struct json_object *half, double wait_s)
{
	double nodes = reply_number(half, "nodes");
	double tasks = reply_number(half, "tasks");
	double gain_s = reply_number(half, "gain_s");
	char options[OPTIONS_SIZE];

	if (!sooner_is_worth(wait_s, gain_s))
		return;
	if (job_id)
		snprintf(options, sizeof(options),
			 UPDATE "NumNodes=%.0f-%.0f NumTasks=%.0f NumCPUs=%.0f",
			 job_id, nodes, nodes, tasks,
			 reply_number(half, "cpus"));
	else
		snprintf(options, sizeof(options), "-N %.0f -n %.0f", nodes,
			 tasks);
	reply_add_number(row_add(reply, options, gain_s), "longer_s",
			 reply_number(half, "longer_s"));
}

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
		else if (longer_s >= 0)
			snprintf(more, sizeof(more),
				 ", though it runs %s longer",
				 DURATION_BRIEF(longer_s));
		table_fact(facts, "Sooner", "by %s with %s%s",
			   DURATION_BRIEF(reply_number(row, "gain_s")),
			   reply_text(row, "options"), more);
	}
}
