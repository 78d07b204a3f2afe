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
	char number[32], limit[32], user[16];

	snprintf(path, URL_PATH_SIZE,
		 "/v1/report?nodes=%u&tasks=%u&memory_mb=%.0f&node_cpus=%u"
		 "&since=%.0f",
		 p->nodes, p->tasks, fmax(p->memory_mb, 0),
		 memory_per_cpu && p->nodes ? p->cpus / p->nodes : 0,
		 clock_now_s() - RECENT_S);
	snprintf(number, sizeof(number), "%.0f", quantile_s);
	snprintf(limit, sizeof(limit), "%.0f", p->limit_s);
	snprintf(user, sizeof(user), "%u", p->user_id);
	return url_path_add(path, "quantile_s",
			    has_quantiles(p) ? number : NULL, err) ||
			       url_path_add(path, "limit_s",
					    isfinite(p->limit_s) ? limit : NULL,
					    err) ||
			       url_path_add(path, "cluster", cli->cluster,
					    err) ||
			       url_path_add(path, "application",
					    p->application.name, err) ||
			       url_path_add(path, "user",
					    p->user_id == geteuid() ? NULL
								    : user,
					    err)
		       ? -1
		       : 0;
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

void sooner_add(struct json_object *reply, const char *option, double limit_s,
		double wait_s, double gain_s)
{
	char time[DURATION_TEXT_SIZE], options[DURATION_TEXT_SIZE + 64];
	struct json_object *row;

	if (!sooner_is_worth(wait_s, gain_s))
		return;
	row = reply_add_row(reply_add_array(reply, "sooner"));
	snprintf(options, sizeof(options), "%s%s", option,
		 duration_format(limit_s, time));
	reply_add_text(row, "options", options);
	reply_add_number(row, "limit_s", limit_s);
	reply_add_number(row, "gain_s", gain_s);
	reply_add_number(row, "risk", SOONER_RISK);
}

void show_sooner(struct table *facts, struct json_object *reply)
{
	struct json_object *rows = reply_array(reply, "sooner");
	char gain[DURATION_TEXT_SIZE];

	for (size_t i = 0; rows && i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		table_fact(facts, "Sooner",
			   "by %s with %s; about 1 of %.0f such runs takes "
			   "longer",
			   duration_format_brief(reply_number(row, "gain_s"),
						 gain),
			   reply_text(row, "options"),
			   1 / reply_number(row, "risk"));
	}
}
