/* application.c - which application a submission runs, with which parameters
 *
 * Of a script's commands the first of the highest rank (command_line.h) is
 * the one that the job is about: a program started by srun or mpirun, else any
 * program, else a tool.
 *
 * Parameters of different strength are gathered apart, and merged from the
 * strongest to the weakest, so that it is the weakest for which no room is
 * left.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "predictor/features/application.h"
#include "predictor/features/arguments.h"
#include "predictor/features/command_line.h"
#include "predictor/features/shell_words.h"
#include "predictor/features/submit_line.h"

/* --- Names --------------------------------------------------------------- */

/* Append `text` to a name; runs of digits become '#', and bytes that have no
 * place in a name '_'. */
static void append_masked(char name[APPLICATION_NAME_SIZE], const char *text)
{
	size_t length = strlen(name);

	for (; *text && length < APPLICATION_NAME_SIZE - 1; text++) {
		unsigned char c = (unsigned char)*text;

		if (c >= '0' && c <= '9') {
			if (length && name[length - 1] == '#')
				continue;
			c = '#';
		}
		name[length++] = c > 0x20 && c < 0x7f ? (char)c : '_';
	}
	name[length] = '\0';
}

void application_from_name(const char *job_name, struct application *ret)
{
	memset(ret, 0, sizeof(*ret));
	append_masked(ret->name, job_name && *job_name ? job_name : "unknown");
}

/* A name that the user chose stays as it is, numbers and all. */
static void set_chosen_name(struct application *ret, const char *name,
			    size_t length)
{
	size_t used = 0;

	for (; used < length && used < APPLICATION_NAME_SIZE - 1; used++) {
		unsigned char c = (unsigned char)name[used];

		ret->name[used] = c > 0x20 && c < 0x7f ? (char)c : '_';
	}
	ret->name[used] = '\0';
}

/* --- What the user says himself ------------------------------------------ */

#define SETTING_PREFIX     "PREDICT_"
#define APPLICATION_KEY    "application"
#define DIRECTIVE          "#PREDICT"
#define SPOKEN_NUMBER_SIZE 64

static void merge(struct parameters *strong, const struct parameters *weak)
{
	for (int i = 0; i < weak->count; i++)
		if (!parameters_get(strong, weak->of[i].name))
			parameters_set(strong, weak->of[i].name,
				       weak->of[i].value, NULL);
}

/* One name and its value, neither with an end of its own. */
static void take_pair(struct application *ret, const char *name,
		      size_t name_length, const char *value, size_t length)
{
	char name_copy[2 * PARAMETER_NAME_SIZE];
	char value_copy[SPOKEN_NUMBER_SIZE];
	double number;

	if (name_length == strlen(APPLICATION_KEY) &&
	    !strncasecmp(name, APPLICATION_KEY, name_length)) {
		set_chosen_name(ret, value, length);
		return;
	}
	if (name_length >= sizeof(name_copy) || length >= sizeof(value_copy))
		return;
	memcpy(name_copy, name, name_length);
	name_copy[name_length] = '\0';
	memcpy(value_copy, value, length);
	value_copy[length] = '\0';
	if (arguments_number(value_copy, &number))
		parameters_set(&ret->parameters, name_copy, number, NULL);
}

/* "a=1 b=2": pairs with blanks between them, up to `end`. */
static void take_pairs(struct application *ret, const char *at, const char *end)
{
	while (at < end) {
		const char *word = at;

		while (at < end && !isspace((unsigned char)*at))
			at++;

		const char *equals = memchr(word, '=', (size_t)(at - word));

		if (equals)
			take_pair(ret, word, (size_t)(equals - word),
				  equals + 1, (size_t)(at - equals - 1));
		at += at < end;
	}
}

/* The options --predict-param. */
static void take_options(const struct submission *job, struct application *ret)
{
	for (size_t i = 0; i < job->settings_count; i++) {
		const struct setting *s = &job->settings[i];

		if (!strcmp(s->name, "param"))
			take_pairs(ret, s->value, s->value + strlen(s->value));
	}
}

/* The variables PREDICT_name. */
static void take_variables(const struct submission *job,
			   struct application *ret)
{
	const size_t prefix = strlen(SETTING_PREFIX);

	for (size_t i = 0; i < job->settings_count; i++) {
		const struct setting *s = &job->settings[i];

		if (!strncmp(s->name, SETTING_PREFIX, prefix))
			take_pair(ret, s->name + prefix,
				  strlen(s->name + prefix), s->value,
				  strlen(s->value));
	}
}

/* The lines "#PREDICT name=value ...". */
static void take_directives(const char *script, size_t size,
			    struct application *ret)
{
	const char *end = script + size;
	const size_t length = strlen(DIRECTIVE);

	while (script < end) {
		const char *newline =
			memchr(script, '\n', (size_t)(end - script));
		const char *line_end = newline ? newline : end;

		if ((size_t)(line_end - script) > length &&
		    !memcmp(script, DIRECTIVE, length) &&
		    isspace((unsigned char)script[length]))
			take_pairs(ret, script + length, line_end);
		script = line_end + 1;
	}
}

/* --- What the commands say ----------------------------------------------- */

/* What a command makes of an application, if its rank is above `best`. */
static enum command_rank read_command(const struct shell_command *command,
				      enum command_rank best,
				      struct application *ret)
{
	struct command_line line;

	command_line_read(command, &line);
	if (line.rank <= best)
		return line.rank;
	memset(ret, 0, sizeof(*ret));
	append_masked(ret->name, command_basename(line.executable));
	if (line.script) {
		append_masked(ret->name, ":");
		append_masked(ret->name, command_basename(line.script));
	}
	arguments_read(command->words + line.first_argument,
		       command->count - line.first_argument, 0,
		       &ret->parameters);
	return line.rank;
}

/* No script that a person wrote has more; bounds the time for others. */
#define COMMANDS_MAX 2000

/* *ret_uses: the script's arguments that the command was made of. */
static enum command_rank read_script(const struct submission *job, size_t size,
				     struct application *ret,
				     shell_arguments *ret_uses)
{
	enum command_rank best = COMMAND_NONE;
	struct application found;
	struct shell_command command;
	struct shell shell;

	shell_open(&shell, job->script, size, job->arguments,
		   job->arguments_count);
	for (int i = 0; i < COMMANDS_MAX && best < COMMAND_LAUNCHED; i++) {
		if (!shell_next(&shell, &command))
			break;

		enum command_rank rank = read_command(&command, best, &found);

		if (rank <= best)
			continue;
		best = rank;
		*ret = found;
		*ret_uses = command.uses;
	}
	return best;
}

/* What the script's own arguments add to those of its command. */
static void read_script_arguments(const struct submission *job,
				  shell_arguments uses, struct parameters *ret)
{
	if (job->arguments_count > 1)
		arguments_read(job->arguments + 1,
			       (int)job->arguments_count - 1, uses, ret);
}

/* srun, salloc: the arguments are the command. */
static enum command_rank read_arguments(const struct submission *job,
					struct application *ret)
{
	struct shell_command command = { .count = 0 };

	for (size_t i = 0; i < job->arguments_count; i++)
		command.words[command.count++] = job->arguments[i];
	return read_command(&command, COMMAND_NONE, ret);
}

void application_identify(const struct submission *job, struct application *ret)
{
	struct application said = { .name = "" };
	struct application variables = { .name = "" };
	struct application directives = { .name = "" };
	struct application found = { .name = "" };
	struct parameters rest = { 0 };
	size_t size =
		job->script ? strnlen(job->script, SUBMISSION_SCRIPT_MAX) : 0;
	shell_arguments uses = 0;
	enum command_rank rank;

	take_options(job, &said);
	take_variables(job, &variables);
	if (size) {
		take_directives(job->script, size, &directives);
		rank = read_script(job, size, &found, &uses);
		read_script_arguments(job, uses, &rest);
	} else {
		rank = read_arguments(job, &found);
	}

	struct application from_name;
	const struct application *const sources[] = { &said, &variables,
						      &directives, &found,
						      &from_name };
	const int count = sizeof(sources) / sizeof(sources[0]);

	application_from_name(job->name, &from_name);
	if (rank == COMMAND_NONE)
		found.name[0] = '\0';
	memset(ret, 0, sizeof(*ret));
	for (int i = 0; i < count; i++) {
		if (!*ret->name)
			memcpy(ret->name, sources[i]->name, sizeof(ret->name));
		merge(&ret->parameters, &sources[i]->parameters);
	}
	merge(&ret->parameters, &rest);
}

/* --- From the line that submitted it ------------------------------------- */

/* `sbatch FILE ARGUMENT...`: a file's name is as good as a job's. */
static void read_batch(const char *const words[], int count,
		       struct application *ret)
{
	application_from_name(command_basename(words[0]), ret);
	arguments_read(words + 1, count - 1, 0, &ret->parameters);
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
	if (!shell_next(&shell, &command) ||
	    !submit_line_read(command.words, command.count, &line))
		return;
	submission_init(&job);
	job.name = job_name;
	job.script = !line.batch ? NULL : wrap ? wrap : line.wrap;
	if (!job.script && line.batch && line.first < command.count) {
		read_batch(command.words + line.first,
			   command.count - line.first, ret);
		return;
	}
	for (int i = line.first; i < command.count && !job.script; i++)
		job.arguments[job.arguments_count++] = command.words[i];
	application_identify(&job, ret);
}
