/* SPDX-License-Identifier: GPL-2.0-or-later */
/* identify.c - which application a submission runs, with which parameters
 *
 * Parameters of each strength are found separately, and merged from the
 * strongest to the weakest, so that the weakest are left out if there are too
 * many.
 */
#include <stdio.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/job_environment.h"
#include "predictor/features/script/command/arguments.h"
#include "predictor/features/script/command/masked_name.h"
#include "predictor/features/script/command/submit_line.h"
#include "predictor/features/script/identify.h"
#include "predictor/features/script/script.h"
#include "predictor/features/script/shell/shell_words.h"
#include "predictor/features/script/user_parameters.h"
#include "predictor/features/secret.h"

/* Bytes of a job's name that count. */
#define JOB_NAME_SIZE 256

void application_from_name(const char *job_name, struct application *ret)
{
	const char *given = job_name && *job_name ? job_name : "unknown";
	char name[JOB_NAME_SIZE];

	memset(ret, 0, sizeof(*ret));
	snprintf(name, sizeof(name), "%s", given);
	secret_mask_text(name);
	masked_name_append(ret->name, sizeof(ret->name), name);
	if (strchr(ret->name, '#') && !strchr(name, '#'))
		traits_add(ret->traits, "name", strlen("name"), name);
}

/* Read the script's own arguments that its command does not have. */
static void read_script_arguments(const struct submission *job,
				  shell_arguments uses, struct application *ret)
{
	const struct arguments arguments = {
		.words = job->arguments + 1,
		.count = (int)job->arguments_count - 1,
		.skip = uses,
		.except = -1,
		.traits = ret->traits,
	};

	arguments_read(&arguments, &ret->parameters);
}

/* --- Tasks of workflow engines -------------------------------------------- */

/* The scripts that Nextflow and Snakemake write name their process or rule in a
 * comment near the beginning, in one line:
 *
 *	# NEXTFLOW TASK: ALIGN (sample 5)              nextflow:ALIGN
 *	# properties = {"type": "single", "rule": "align", ...
 *	                                               snakemake:align
 */
#define HEAD_SIZE 8192

struct workflow {
	const char *comment; /* the line begins with it */
	const char *before;  /* this precedes the name; "": at once */
	char after;          /* and this follows it */
	const char *engine;
};

static const struct workflow workflows[] = {
	{ "# NEXTFLOW TASK: ", "", ' ', "nextflow:" },
	{ "# properties = {", "\"rule\": \"", '"', "snakemake:" },
	{ NULL, NULL, 0, NULL },
};

/* Return the text after `what` in at..end; NULL: it is not there. */
static const char *find_text(const char *at, const char *end, const char *what)
{
	size_t length = strlen(what);
	const char *found = memmem(at, (size_t)(end - at), what, length);

	return found ? found + length : NULL;
}

static bool read_name(const struct workflow *workflow, const char *script,
		      const char *end, struct application *ret)
{
	char name[APPLICATION_NAME_SIZE];
	const char *line = find_text(script, end, workflow->comment);

	if (!line || (line - strlen(workflow->comment) > script &&
		      line[-(long)strlen(workflow->comment) - 1] != '\n'))
		return false;

	const char *newline = memchr(line, '\n', (size_t)(end - line));
	const char *stop = newline ? newline : end;
	const char *at = find_text(line, stop, workflow->before);
	const char *last =
		at ? memchr(at, workflow->after, (size_t)(stop - at)) : NULL;
	size_t length = at ? (size_t)((last ? last : stop) - at) : 0;

	if (!length || !piece_copy(name, sizeof(name), at, length))
		return false;
	strcpy(ret->name, workflow->engine);
	masked_name_append(ret->name, sizeof(ret->name), name);
	return true;
}

/* The name is unchanged if the script is no such task. */
static void workflow_read(const char *script, size_t size,
			  struct application *ret)
{
	const char *end = script + (size < HEAD_SIZE ? size : HEAD_SIZE);

	for (const struct workflow *w = workflows; w->comment; w++)
		if (read_name(w, script, end, ret))
			return;
}

void application_identify(const struct submission *given,
			  struct application *ret)
{
	struct submission copy;
	const struct submission *job = &copy;
	struct application options = { .name = "" };
	struct application variables = { .name = "" };
	struct application lines = { .name = "" };
	struct application task = { .name = "" };
	struct application from_name;
	struct script_result found;
	struct application rest = { .name = "" };
	size_t size = submission_copy(given, &copy);

	user_parameters_options(job, &options);
	user_parameters_variables(job, &variables);
	if (size) {
		user_parameters_lines(job->script, size, &lines);
		workflow_read(job->script, size, &task);
		script_read(job, size, &found, NULL);
		read_script_arguments(job, found.uses, &rest);
	} else {
		script_read_command(job, &found, NULL);
	}

	const struct application *const sources[] = {
		&options, &variables, &lines, &task, &found.command,
	};
	const int count = sizeof(sources) / sizeof(sources[0]);

	application_from_name(job->name, &from_name);
	memset(ret, 0, sizeof(*ret));
	for (int i = 0; i < count; i++) {
		if (!*ret->name)
			memcpy(ret->name, sources[i]->name, sizeof(ret->name));
		application_merge(ret, sources[i]);
	}
	if (!*ret->name) {
		memcpy(ret->name, from_name.name, sizeof(ret->name));
		application_merge(ret, &from_name);
	}
	application_merge(ret, &found.around);
	application_merge(ret, &rest);
	/* One that the user gave, or of pieces that were no secrets. */
	secret_mask_text(ret->name);
}

void application_files(const struct submission *job, struct file_arguments *ret)
{
	struct script_result found;
	size_t size =
		job->script ? strnlen(job->script, SUBMISSION_SCRIPT_MAX) : 0;

	if (size)
		script_read(job, size, &found, ret);
	else
		script_read_command(job, &found, ret);
}

/* --- From the submit line ------------------------------------------------- */

/* `sbatch FILE ARGUMENT...`: the application is the file's name. */
static void read_batch(const char *const words[], int count,
		       struct application *ret)
{
	application_from_name(command_basename(words[0]), ret);

	const struct arguments arguments = { .words = words + 1,
					     .count = count - 1,
					     .except = -1,
					     .traits = ret->traits };

	arguments_read(&arguments, &ret->parameters);
}

void application_add_exported(const char *text, struct application *ret)
{
	struct parameters *set = &ret->parameters;
	const char *pair;
	size_t length;

	while (text && (pair = job_environment_exported(&text, &length))) {
		char copy[JOB_ENVIRONMENT_TEXT_SIZE];
		double number;

		piece_copy(copy, sizeof(copy), pair, length);

		char *value = strchr(copy, '=');

		*value++ = '\0';
		if (parameters_get(set, copy))
			continue;
		if (arguments_number(value, &number))
			parameters_set(set, copy, number, NULL);
		else
			traits_add(ret->traits, copy, strlen(copy),
				   command_basename(value));
	}
}

void application_from_submit_line(const char *text, const char *job_name,
				  struct application *ret)
{
	const char *wrap = text ? submit_line_wrap(text) : NULL;
	size_t size = !text  ? 0
		      : wrap ? (size_t)(wrap - text)
			     : strnlen(text, SUBMISSION_TEXT_MAX);
	struct submission job;
	struct submit_line line;
	struct shell_command command;
	struct shell shell;

	application_from_name(job_name, ret);
	shell_open(&shell, text ? text : "", size, NULL, 0);
	if (!shell_read(&shell, &command) ||
	    !submit_line_read(command.words, command.count, &line))
		return;
	secret_mask_words(command.words, command.count, command.text,
			  sizeof(command.text));
	submission_init(&job);
	job.name = job_name;
	job.script = !line.batch ? NULL : wrap ? wrap : line.wrap;
	if (!job.script && line.batch && line.first < command.count) {
		read_batch(command.words + line.first,
			   command.count - line.first, ret);
		application_add_exported(line.exported, ret);
		return;
	}

	/* The programs of `srun ./a : ./b` are found as in a script. */
	int first = line.first;

	for (int i = first; i < command.count && !line.batch; i++)
		if (!strcmp(command.words[i], ":"))
			first = 0;
	for (int i = first; i < command.count && !job.script; i++)
		job.arguments[job.arguments_count++] = command.words[i];
	application_identify(&job, ret);
	application_add_exported(line.exported, ret);
}
