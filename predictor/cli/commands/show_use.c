/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show_use.c - what jobs used, and what to request next time, in words */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/cli/commands/show_use.h"
#include "predictor/cli/fetch.h"
#include "predictor/slurm/gpu_use.h"

const char *memory_format(double mb, char ret_text[32])
{
	if (isnan(mb))
		return "-";
	snprintf(ret_text, 32, mb < 1024 ? "%.0fM" : "%.1fG",
		 mb < 1024 ? mb : mb / 1024);
	return ret_text;
}

/* "31 % of 10m": only what is known. */
static void show_share(struct table *facts, const char *name, const char *used,
		       double share, const char *requested)
{
	if (isnan(share))
		table_fact(facts, name, "%s", used);
	else
		table_fact(facts, name, "%s, %.0f %% of %s", used, 100 * share,
			   requested);
}

void use_add_gpus(struct json_object *use, char *sacct_text)
{
	struct gpu_use gpus;

	if (gpu_use_parse(sacct_text, &gpus))
		return;
	reply_add_number(use, "gpus", gpus.gpus);
	reply_add_number(use, "gpus_idle", gpus.idle);
	reply_add_number(use, "gpu_used", gpus.busy / gpus.gpus);
	reply_add_number(use, "gpu_memory_mb", gpus.memory_mb);
}

/* "at most 49 % of 2 GPUs, 38.0G; 1 of 2 GPUs idle" */
static void show_gpus(struct table *facts, struct json_object *use)
{
	double gpus = reply_number(use, "gpus");
	double idle = reply_number(use, "gpus_idle");
	char text[32], unneeded[64] = "";

	if (isnan(gpus))
		return;
	if (idle > 0)
		snprintf(unneeded, sizeof(unneeded), "; %.0f of %.0f GPUs idle",
			 idle, gpus);
	table_fact(facts, "GPU used", "at most %.0f %% of %.0f GPU%s, %s%s",
		   100 * reply_number(use, "gpu_used"), gpus,
		   gpus > 1 ? "s" : "",
		   memory_format(reply_number(use, "gpu_memory_mb"), text),
		   unneeded);
}

void show_use(struct table *facts, struct json_object *reply)
{
	struct json_object *use = json_object_object_get(reply, "use");
	struct json_object *advice = json_object_object_get(reply, "advice");
	char used[64], given[64];

	if (use) {
		double runtime_s = reply_number(use, "runtime_s");
		double cpu_s = reply_number(use, "cpu_s");
		double peak_mb = reply_number(use, "peak_memory_mb");
		double cached_mb = reply_number(use, "cached_memory_mb");

		show_share(facts, "Time used", DURATION_BRIEF(runtime_s),
			   reply_number(use, "time_used"),
			   DURATION_BRIEF(reply_number(use, "limit_s")));
		snprintf(given, sizeof(given), "%.0f CPUs x %s",
			 reply_number(use, "cpus"), DURATION_BRIEF(runtime_s));
		if (!isnan(cpu_s))
			show_share(facts, "CPU used", DURATION_BRIEF(cpu_s),
				   reply_number(use, "cpu_used"), given);
		if (!isnan(peak_mb))
			show_share(facts, "Memory used",
				   memory_format(peak_mb, used),
				   reply_number(use, "memory_used"),
				   memory_format(
					   reply_number(use, "node_memory_mb"),
					   given));
		if (!isnan(cached_mb))
			table_fact(facts, "With file cache", "%s",
				   memory_format(cached_mb, used));
		show_gpus(facts, use);
	}
	if (!advice)
		return;

	const char *options = reply_text(advice, "options");
	const char *why = reply_text(advice, "why");

	table_fact(facts, "Ask next time", "%s%s%s%s",
		   *options ? options : "no advice", *why ? " (" : "", why,
		   *why ? ")" : "");
}

int print_suggestion(struct cli *cli, const char *application,
		     struct json_object *reply, struct sp_error *err)
{
	struct json_object *advice = json_object_object_get(reply, "advice");
	char options[128];
	char *rest = options, *word;

	if (!advice || !*reply_text(advice, "options")) {
		cli->no_advice = true;
		return sp_error_set(err, "no advice for %s: %s", application,
				    advice ? reply_text(advice, "why")
					   : "none of its runs is known");
	}
	printf("# %s: of %.0f runs", application, reply_number(advice, "runs"));
	if (*reply_text(advice, "why"))
		printf("; %s", reply_text(advice, "why"));
	putchar('\n');
	snprintf(options, sizeof(options), "%s", reply_text(advice, "options"));
	while ((word = strsep(&rest, " ")))
		printf("%s%s%s", *word == '-' ? "#SBATCH " : " ", word,
		       rest && *rest != '-' ? "" : "\n");
	return 0;
}
