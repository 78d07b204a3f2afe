/* SPDX-License-Identifier: GPL-2.0-or-later */
/* translate.c - Slurm's job description as a request for a prediction
 *
 * Settings come from the options of the SPANK plugin, which travel in the job's
 * control environment (plugin/site/spank_options.h), then from variables
 * PREDICT_* of the job's own environment, and from those that its script reads
 * (predictor/features/job_environment.h).  Slurm has a "no value" for each
 * width of number; here all of them are 0.
 */
#include <math.h>
#include <string.h>

#include "plugin/job_submit/translate.h"
#include "plugin/site/spank_options.h"
#include "predictor/features/job_environment.h"

#define VARIABLE_PREFIX "PREDICT_"

/* Variables of the environment that are searched at most. */
#define ENVIRONMENT_MAX 4096

/* Copy `length` bytes of a longer text.  NULL: no room is left. */
static const char *text_copy(struct translation *t, const char *text,
			     size_t length)
{
	if (length >= TRANSLATION_TEXT_SIZE - t->text_used)
		return NULL;

	char *copy = memcpy(t->text + t->text_used, text, length);

	copy[length] = '\0';
	t->text_used += length + 1;
	return copy;
}

static void add_setting(struct translation *t, const char *name,
			const char *value)
{
	struct submission *job = &t->request.job;

	if (!name || !value || job->settings_count == SUBMISSION_SETTINGS_MAX)
		return;
	job->settings[job->settings_count++] =
		(struct setting){ .name = name, .value = value };
}

/* "a=1 b=2.5" */
static void add_parameters(struct translation *t, const char *value)
{
	while (value && *(value += strspn(value, " "))) {
		size_t length = strcspn(value, " ");

		add_setting(t, "param", text_copy(t, value, length));
		value += length;
	}
}

static const char *option_value(const job_desc_msg_t *desc, const char *name)
{
	return spank_option_find(desc->spank_job_env, desc->spank_job_env_size,
				 name);
}

static void translate_options(struct translation *t, const job_desc_msg_t *desc)
{
	const char *test = option_value(desc, OPTION_TEST_VARIABLE);

	add_setting(t, "mode", option_value(desc, OPTION_MODE_VARIABLE));
	add_setting(t, "nodes", option_value(desc, OPTION_NODES_VARIABLE));
	add_parameters(t, option_value(desc, OPTION_PARAMETERS_VARIABLE));
	t->request.job.test_only = test && strcmp(test, "1") == 0;
}

static void translate_environment(struct translation *t, char *const *variables,
				  uint32_t count)
{
	size_t prefix = strlen(VARIABLE_PREFIX);

	if (count > ENVIRONMENT_MAX)
		count = ENVIRONMENT_MAX;
	for (uint32_t i = 0; variables && i < count; i++) {
		const char *variable = variables[i];

		if (!variable || strncmp(variable, VARIABLE_PREFIX, prefix))
			continue;

		size_t length = strcspn(variable, "=");

		if (variable[length])
			add_setting(t, text_copy(t, variable, length),
				    variable + length + 1);
	}
}

/* Add what the script reads of the environment, and what --export gives. */
static void translate_variables(struct translation *t,
				const job_desc_msg_t *desc)
{
	const char *read[JOB_ENVIRONMENT_MAX];
	int count = job_environment_find(desc->script, desc->environment,
					 desc->env_size, read);
	const char *text = job_environment_export_option(desc->submit_line);
	const char *pair;
	size_t length;

	for (int i = 0; i < count; i++)
		add_setting(t, JOB_ENVIRONMENT_READ, read[i]);
	for (int i = 0; i < JOB_ENVIRONMENT_MAX &&
			(pair = job_environment_exported(&text, &length));
	     i++)
		add_setting(t, JOB_ENVIRONMENT_EXPORTED,
			    text_copy(t, pair, length));
}

static uint32_t number_or_0(uint32_t value)
{
	return value == NO_VAL || value == INFINITE ? 0 : value;
}

static uint32_t number16_or_0(uint16_t value)
{
	return value == NO_VAL16 || value == INFINITE16 ? 0 : value;
}

static double limit_seconds(uint32_t minutes)
{
	if (minutes == INFINITE)
		return HUGE_VAL;
	return minutes == NO_VAL ? NAN : 60.0 * minutes;
}

static void translate_texts(const job_desc_msg_t *desc, struct submission *job)
{
	job->account = desc->account;
	job->partition = desc->partition;
	job->qos = desc->qos;
	job->name = desc->name;
	job->script = desc->script;
	job->features = desc->features;
	job->required_nodes = desc->req_nodes;
	job->excluded_nodes = desc->exc_nodes;
	job->gres = (struct gres_request){
		.per_node = desc->tres_per_node,
		.per_job = desc->tres_per_job,
		.per_socket = desc->tres_per_socket,
		.per_task = desc->tres_per_task,
	};
	for (uint32_t i = 0; desc->argv && i < desc->argc; i++) {
		if (!desc->argv[i] || i == SUBMISSION_ARGUMENTS_MAX)
			break;
		job->arguments[job->arguments_count++] = desc->argv[i];
	}
}

static void translate_memory(uint64_t memory_mb, struct job_size *size)
{
	if (memory_mb == NO_VAL64 || memory_mb == INFINITE64)
		return;
	if (memory_mb & MEM_PER_CPU)
		size->memory_per_cpu_mb = (double)(memory_mb & ~MEM_PER_CPU);
	else
		size->memory_per_node_mb = (double)memory_mb;
}

static void translate_size(const job_desc_msg_t *desc, struct job_size *size)
{
	size->nodes_min = number_or_0(desc->min_nodes);
	size->nodes_max = number_or_0(desc->max_nodes);
	if (desc->bitflags & USE_MIN_NODES)
		size->nodes_want = size->nodes_min;
	size->tasks = number_or_0(desc->num_tasks);
	size->tasks_per_node = number16_or_0(desc->ntasks_per_node);
	size->cpus_per_task = number16_or_0(desc->cpus_per_task);
	size->cpus_min = number_or_0(desc->min_cpus);
	size->cpus_per_node_min = number16_or_0(desc->pn_min_cpus);
	translate_memory(desc->pn_min_memory, size);
	size->exclusive = desc->shared == JOB_SHARED_NONE;
	size->overcommit = desc->overcommit && desc->overcommit != NO_VAL8;
}

void translate(const job_desc_msg_t *desc, const char *cluster,
	       struct translation *ret)
{
	struct submission *job = &ret->request.job;

	ret->text_used = 0;
	wire_request_init(&ret->request);
	job->cluster = cluster;
	job->user_id = desc->user_id;
	translate_texts(desc, job);
	translate_size(desc, &job->size);
	job->limit_s = limit_seconds(desc->time_limit);
	/* The user's explicit options come first: there may not be room for
	 * all variables. */
	translate_options(ret, desc);
	translate_environment(ret, desc->environment, desc->env_size);
	translate_variables(ret, desc);
}
