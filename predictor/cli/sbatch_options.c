/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sbatch_options.c - the options of sbatch that predictions depend on
 *
 * A command line that works with sbatch works with spredict: the options that
 * are not in the table here, but in submit_options.h, do not change the run
 * time, as far as is known, and are accepted.  One that neither has is passed
 * over with a warning.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/conf.h"
#include "predictor/base/duration.h"
#include "predictor/base/piece.h"
#include "predictor/cli/sbatch.h"
#include "predictor/features/script/command/submit_options.h"

#define COUNT_MAX 1000000000L /* nodes, tasks, CPUs; far above any machine */

/* Setters for struct sbatch. */
#define SETTER(name)                                                          \
	static int name(const struct cli_option *row __attribute__((unused)), \
			void *into __attribute__((unused)),                   \
			const char *value __attribute__((unused)),            \
			struct sp_error *err __attribute__((unused)))

SETTER(set_text)
{
	if (strlen(value) >= SUBMISSION_TEXT_MAX)
		return sp_error_set(err, "--%s: longer than %d bytes",
				    row->name, SUBMISSION_TEXT_MAX - 1);
	*(const char **)((char *)into + row->offset) = value;
	return 0;
}

/* A count with Slurm's suffixes k (1024) and m. */
static int count_of(const char *name, const char *text, size_t length,
		    uint32_t *ret, struct sp_error *err)
{
	char digits[16];
	long factor = 1, value;

	if (length > 0 && strchr("kK", text[length - 1]))
		factor = 1024;
	else if (length > 0 && strchr("mM", text[length - 1]))
		factor = 1024L * 1024;
	if (factor > 1)
		length--;
	if (length == 0 || !piece_copy(digits, sizeof(digits), text, length) ||
	    conf_integer(digits, 1, COUNT_MAX / factor, &value, NULL))
		return sp_error_set(err, "--%s: %s is no count", name, text);
	*ret = (uint32_t)(value * factor);
	return 0;
}

SETTER(set_count)
{
	return count_of(row->name, value, strlen(value),
			(uint32_t *)(void *)((char *)into + row->offset), err);
}

/* N, or MIN-MAX. */
SETTER(set_nodes)
{
	struct sbatch *sbatch = into;
	size_t length = strcspn(value, "-");
	uint32_t min, max;

	if (!strcmp(value, "0")) /* not given */
		return 0;
	if (count_of(row->name, value, length, &min, err))
		return -1;
	max = min;
	if (value[length] && count_of(row->name, value + length + 1,
				      strlen(value + length + 1), &max, err))
		return -1;
	if (max < min)
		return sp_error_set(err,
				    "--%s: %s: the most is less than the "
				    "least",
				    row->name, value);
	sbatch->job.size.nodes_min = min;
	sbatch->job.size.nodes_max = max;
	return 0;
}

/* In MB, or with a suffix K, M, G or T. */
SETTER(set_memory)
{
	static const struct {
		char letter;
		double mb;
	} units[] = { { 'K', 1.0 / 1024 },
		      { 'M', 1 },
		      { 'G', 1024 },
		      { 'T', 1024.0 * 1024 } };
	char number[32];
	size_t length = strcspn(value, "kKmMgGtT");
	double factor = 1, mb;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (value[length] && (value[length] & ~0x20) == units[i].letter)
			factor = units[i].mb;
	size_t unit = value[length] ? 1 : 0;

	/* 16G and 16GB */
	unit += unit && (value[length + 1] | 0x20) == 'b';
	if (length == 0 || value[length + unit] ||
	    !piece_copy(number, sizeof(number), value, length) ||
	    conf_number(number, 0, 1e12, &mb, NULL))
		return sp_error_set(err, "--%s: %s is no size", row->name,
				    value);
	*(double *)(void *)((char *)into + row->offset) = mb * factor;
	return 0;
}

SETTER(set_time)
{
	struct sbatch *sbatch = into;
	double seconds;

	if (!strcmp(value, "-1")) { /* as UNLIMITED */
		sbatch->job.limit_s = HUGE_VAL;
		return 0;
	}
	if (duration_parse(value, &seconds, err))
		return -1;
	/* Slurm takes 0 for "no limit". */
	sbatch->job.limit_s = seconds > 0 ? seconds : HUGE_VAL;
	return 0;
}

/* sbatch has no bound for the length; one of many variables is not read. */
SETTER(set_export)
{
	struct sbatch *sbatch = into;

	if (strlen(value) < SUBMISSION_TEXT_MAX)
		sbatch->exported = value;
	return 0;
}

/* "2" or "a100:2", of GPUs. */
SETTER(set_gpus)
{
	if (snprintf((char *)into + row->offset, SBATCH_GPUS_SIZE, "gpu:%s",
		     value) >= SBATCH_GPUS_SIZE)
		return sp_error_set(err, "--%s: longer than %d bytes",
				    row->name, SBATCH_GPUS_SIZE - 5);
	return 0;
}

SETTER(set_mode)
{
	if (enum_words_parse(&prediction_mode_words, value,
			     (char *)into + row->offset))
		return sp_error_set(err,
				    "--%s: %s is not one of off, observe, "
				    "advise, act",
				    row->name, value);
	return 0;
}

SETTER(set_nodes_mode)
{
	struct sbatch *sbatch = into;
	struct cli_option of_mode = { .name = row->name };
	enum prediction_mode mode;

	if (set_mode(&of_mode, &mode, value, err))
		return -1;
	sbatch->nodes_kept = mode != MODE_ACT;
	return 0;
}

SETTER(set_parameter)
{
	struct submission *job = &((struct sbatch *)into)->job;
	const char *equals = strchr(value, '=');

	if (!equals || equals == value || !equals[1])
		return sp_error_set(err,
				    "--predict-param: %s is not "
				    "name=value",
				    value);
	if (job->settings_count == SUBMISSION_SETTINGS_MAX)
		return sp_error_set(err, "--predict-param: more than %d",
				    SUBMISSION_SETTINGS_MAX);
	job->settings[job->settings_count++] =
		(struct setting){ "param", .value = value };
	return 0;
}

SETTER(set_files)
{
	struct sbatch *sbatch = into;
	sbatch->no_files = strcmp(value, "no") == 0;
	if (!sbatch->no_files && strcmp(value, "yes") != 0)
		return sp_error_set(err, "--predict-files: %s is not yes or no",
				    value);
	return 0;
}

#define JOB(member)  offsetof(struct sbatch, job.member)
#define SIZE(member) offsetof(struct sbatch, job.size.member)
#define GPUS(member) offsetof(struct sbatch, gpus.member)

const struct cli_option sbatch_options[] = {
	{ "account", 'A', "NAME", set_text, JOB(account), "SBATCH_ACCOUNT",
	  "account" },
	{ "array", 'a', "LIST", set_text, offsetof(struct sbatch, array),
	  "SBATCH_ARRAY_INX", "tasks of an array, for bundle" },
	{ "chdir", 'D', "FOLDER", set_text, offsetof(struct sbatch, work_dir),
	  NULL, "working directory" },
	{ "constraint", 'C', "LIST", set_text, JOB(features),
	  "SBATCH_CONSTRAINT", "features that nodes must have" },
	{ "cpus-per-task", 'c', "NUMBER", set_count, SIZE(cpus_per_task), NULL,
	  "CPUs of each task" },
	{ "exclude", 'x', "LIST", set_text, JOB(excluded_nodes), NULL,
	  "nodes not to use" },
	{ "exclusive", 0, "[WHOM]", cli_set_flag, SIZE(exclusive),
	  "SBATCH_EXCLUSIVE", "no other job on the nodes" },
	{ "export", 0, "LIST", set_export, 0, "SBATCH_EXPORT",
	  "variables that the job gets" },
	{ "gpus", 'G', "[TYPE:]NUMBER", set_gpus, GPUS(per_job), "SBATCH_GPUS",
	  "GPUs over all nodes" },
	{ "gpus-per-node", 0, "[TYPE:]NUMBER", set_gpus, GPUS(per_node),
	  "SBATCH_GPUS_PER_NODE", "GPUs of each node" },
	{ "gpus-per-socket", 0, "[TYPE:]NUMBER", set_gpus, GPUS(per_socket),
	  NULL, "GPUs of each socket" },
	{ "gpus-per-task", 0, "[TYPE:]NUMBER", set_gpus, GPUS(per_task),
	  "SBATCH_GPUS_PER_TASK", "GPUs of each task" },
	{ "gres", 0, "LIST", set_text, JOB(gres.per_node), "SBATCH_GRES",
	  "generic resources of each node" },
	{ "job-name", 'J', "NAME", set_text, JOB(name), "SBATCH_JOB_NAME",
	  "name of the job" },
	{ "mem", 0, "SIZE", set_memory, SIZE(memory_per_node_mb),
	  "SBATCH_MEM_PER_NODE", "memory of each node" },
	{ "mem-per-cpu", 0, "SIZE", set_memory, SIZE(memory_per_cpu_mb),
	  "SBATCH_MEM_PER_CPU", "memory of each CPU" },
	{ "mincpus", 0, "NUMBER", set_count, SIZE(cpus_per_node_min), NULL,
	  "CPUs that each node must have free" },
	{ "nodelist", 'w', "LIST", set_text, JOB(required_nodes), NULL,
	  "nodes that must be used" },
	{ "nodes", 'N', "NUMBER", set_nodes, 0, NULL, "number of nodes" },
	{ "ntasks", 'n', "NUMBER", set_count, SIZE(tasks), NULL,
	  "number of tasks" },
	{ "ntasks-per-node", 0, "NUMBER", set_count, SIZE(tasks_per_node), NULL,
	  "tasks on each node" },
	{ "overcommit", 'O', NULL, cli_set_flag, SIZE(overcommit),
	  "SBATCH_OVERCOMMIT", "tasks share CPUs" },
	{ "partition", 'p', "LIST", set_text, JOB(partition),
	  "SBATCH_PARTITION", "partition" },
	{ "predict", 0, "MODE", set_mode, offsetof(struct sbatch, mode), NULL,
	  "off, observe, advise or act" },
	{ "predict-files", 0, "yes|no", set_files, 0, NULL,
	  "whether sizes of input files are parameters" },
	{ "predict-nodes", 0, "MODE", set_nodes_mode, 0, NULL,
	  "off, observe, advise or act" },
	{ "predict-param", 0, "NAME=VALUE", set_parameter, 0, NULL,
	  "a parameter of the application" },
	{ "qos", 'q', "NAME", set_text, JOB(qos), "SBATCH_QOS",
	  "quality of service" },
	{ "suggest", 0, NULL, cli_set_flag, offsetof(struct sbatch, suggest),
	  NULL, "print the #SBATCH lines to paste, for predict" },
	{ "test-only", 0, NULL, cli_set_flag, JOB(test_only), NULL,
	  "a job that is only tested" },
	{ "time", 't', "TIME", set_time, 0, "SBATCH_TIMELIMIT", "time limit" },
	{ "use-min-nodes", 0, NULL, cli_set_flag,
	  offsetof(struct sbatch, use_min_nodes), "SBATCH_USE_MIN_NODES",
	  "use the least number of nodes" },
	{ "wrap", 0, "COMMAND", set_text, offsetof(struct sbatch, wrap), NULL,
	  "a command instead of a script" },

	{ "tasks-per-node", .argument = "NUMBER", .set = set_count,
	  .offset = SIZE(tasks_per_node) },
	{ .name = NULL },
};

static bool has_row(const struct cli_option rows[], const char *name)
{
	for (; rows->name; rows++)
		if (!strcmp(rows->name, name))
			return true;
	return false;
}

/* The table above, and the options of sbatch that have no effect here. */
static void make_rows(struct cli_option rows[CLI_OPTIONS_MAX])
{
	static const char *const arguments[] = {
		[SUBMIT_VALUE_NONE] = NULL,
		[SUBMIT_VALUE_ONE] = "VALUE",
		[SUBMIT_VALUE_MAYBE] = "[VALUE]",
	};
	int count = 0;

	for (; sbatch_options[count].name; count++)
		rows[count] = sbatch_options[count];
	for (const struct submit_option *o = submit_options; o->name; o++)
		if (o->programs & SUBMIT_SBATCH &&
		    !has_row(sbatch_options, o->name) &&
		    !has_row(cli_common_options, o->name) &&
		    count < CLI_OPTIONS_MAX - 1)
			rows[count++] = (struct cli_option){
				.name = o->name,
				.letter = o->letter,
				.argument = arguments[o->value],
			};
	rows[count] = (struct cli_option){ .name = NULL };
}

int sbatch_options_parse(struct cli *cli, int argc, char **argv,
			 struct sbatch *into, int *ret_first,
			 struct sp_error *err)
{
	struct cli_option rows[CLI_OPTIONS_MAX];
	const struct cli_options own = {
		.rows = rows, .into = into, .in_order = true, .lenient = true
	};

	make_rows(rows);
	if (cli_options_parse(cli, &own, argc, argv, ret_first, err))
		return -1;
	return cli_check_clusters(cli, err);
}

int sbatch_environment(struct sbatch *into, struct sp_error *err)
{
	for (const struct cli_option *row = sbatch_options; row->name; row++) {
		const char *value =
			row->variable ? getenv(row->variable) : NULL;

		if (value && *value && row->set(row, into, value, err))
			return -1;
	}
	return 0;
}
