/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_bundle.c - spredict bundle: how many tasks of an array one job should run
 *
 * The options are those of spredict predict, whose help lists them.
 */
#include <stdio.h>

#include "predictor/base/duration.h"
#include "predictor/cli/sbatch.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"
#include "predictor/features/array_size.h"

static void add_rests(struct table *facts, struct json_object *bundle)
{
	table_fact(facts, "Task", "%s (%.0f runs)",
		   DURATION_BRIEF(reply_number(bundle, "task_s")),
		   reply_number(bundle, "runs"));
	table_fact(facts, "Starting a job", "%.1f s (mean of %.0f starts)",
		   reply_number(bundle, "start_cost_s"),
		   reply_number(bundle, "starts"));
}

static int print_facts(struct json_object *bundle, struct sp_error *err)
{
	struct table *facts = show_facts();
	double per_job = reply_number(bundle, "per_job");

	add_rests(facts, bundle);
	table_fact(facts, "Job", "%.0f tasks, %s", per_job,
		   DURATION_BRIEF(per_job * reply_number(bundle, "task_s")));
	table_fact(facts, "Saved", "%s of nodes' time",
		   DURATION_BRIEF(reply_number(bundle, "saved_s")));
	return table_finish(facts, err);
}

/* For those who have never done it. */
static void print_example(double tasks, double per_job, double jobs)
{
	printf("\nWith --array=0-%.0f the script runs its own part, as in:\n"
	       "  for ((i = %.0f * SLURM_ARRAY_TASK_ID;\n"
	       "        i < %.0f * (SLURM_ARRAY_TASK_ID + 1) && i < %.0f; "
	       "i++)); do\n"
	       "    ...\n"
	       "  done\n",
	       jobs - 1, per_job, per_job, tasks);
}

static int print_bundle(struct json_object *reply, struct sp_error *err)
{
	struct json_object *bundle = NULL;

	if (!json_object_object_get_ex(reply, "bundle", &bundle))
		return sp_error_set(err, "predictd's reply has no bundle");

	double tasks = reply_number(bundle, "tasks");
	double per_job = reply_number(bundle, "per_job");
	double jobs = reply_number(bundle, "jobs");

	printf("%s: %.0f tasks: ", reply_text(bundle, "application"), tasks);
	if (per_job > 1)
		printf("%.0f a job, in %.0f jobs\n", per_job, jobs);
	else
		printf("a job for each is fine\n");
	if (print_facts(bundle, err))
		return -1;
	if (per_job > 1)
		print_example(tasks, per_job, jobs);
	return 0;
}

static int show_bundle(struct cli *cli, const struct sbatch *sbatch, int tasks,
		       struct sp_error *err)
{
	struct json_object *reply;
	int rc = 0;
	char path[64];

	snprintf(path, sizeof(path), "/v1/bundle?tasks=%d", tasks);
	if (sbatch_send(cli, sbatch, path, &reply, err))
		return -1;
	if (cli->json)
		reply_print(reply);
	else
		rc = print_bundle(reply, err);
	json_object_put(reply);
	return rc;
}

static int tasks_of(const struct sbatch *sbatch, int *ret, struct sp_error *err)
{
	if (!sbatch->array)
		return sp_error_set(err, "--array: missing; how many tasks?");
	*ret = array_size(sbatch->array);
	if (!*ret)
		return sp_error_set(err, "--array: %.64s is no array",
				    sbatch->array);
	return 0;
}

static int run_bundle(struct cli *cli, int argc, char **argv)
{
	struct sbatch sbatch;
	struct sp_error err;
	int status = CLI_OK, tasks = 0;

	if (sbatch_read(cli, argc, argv, NULL, 0, &sbatch, &err) ||
	    (!cli_only_about(cli) && tasks_of(&sbatch, &tasks, &err)))
		status = cli_usage(cli, &err);
	else if (!cli_only_about(cli) && show_bundle(cli, &sbatch, tasks, &err))
		status = cli_fail(cli, &err);
	sbatch_clear(&sbatch);
	return status;
}

const struct subcommand subcommand_bundle = {
	.name = "bundle",
	.function = run_bundle,
	.options_usage = "--array=LIST [SBATCH OPTION...]",
	.operands = "SCRIPT [ARGUMENT...]",
	.help = "show how many tasks of an array one job should run",
};
