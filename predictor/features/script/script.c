/* SPDX-License-Identifier: GPL-2.0-or-later */
/* script.c - the main command of a job script
 *
 * Commands are read in order (shell_flow.h), with code inside of commands and
 * in here-documents.  The best so far is kept with its name, its arguments, and
 * the loops, variables and here-documents around it; later ones of its rank are
 * added to its name.
 */
#include <stdio.h>
#include <string.h>

#include "predictor/features/script/command/arguments.h"
#include "predictor/features/script/command/command_name.h"
#include "predictor/features/script/command/command_stage.h"
#include "predictor/features/script/command/inline_input.h"
#include "predictor/features/script/command/matlab_code.h"
#include "predictor/features/script/other_language.h"
#include "predictor/features/script/script.h"
#include "predictor/features/script/shell/shell_branches.h"
#include "predictor/features/script/shell/shell_flow.h"
#include "predictor/features/script/shell/shell_variables.h"
#include "predictor/features/script/surroundings.h"

/* Bounds the time; scripts that people write have fewer. */
#define COMMANDS_MAX 1000

/* Commands that are read after one that was launched. */
#define COMMANDS_AFTER_MAX 64

/* Code within code within the script. */
#define CODE_DEEP 2

/* Scripts that the script writes itself: `cat > run.sh <<EOF`. */
#define WRITTEN_MAX  4
#define WRITTEN_NAME 64

struct written_script {
	char name[WRITTEN_NAME]; /* without its folder */
	const char *text;
	size_t size;
};

struct script_reader {
	int commands;
	bool limited;           /* COMMANDS_AFTER_MAX applies */
	shell_variables given;  /* used by commands so far */
	shell_variables passed; /* those that are parameters already */
	shell_arguments uses;   /* by the command that has the code */
	bool launched;          /* the command that has the code was */
	struct parameters input;
	int written_count;
	struct written_script written[WRITTEN_MAX];
	struct script_result *found;
	struct file_arguments *files;
	const char *script; /* the text of lines that are observed */
	size_t size;
	script_observer *observe; /* NULL: nobody */
	void *context;
};

/* --- The command itself --------------------------------------------------- */

/* Arguments that an interpreter gets in one word. */
static void read_quoted(const char *text, struct application *ret)
{
	struct shell_command command;
	struct shell shell;

	shell_open(&shell, text, strlen(text), NULL, 0);
	if (!shell_read(&shell, &command))
		return;

	const struct arguments arguments = { .words = command.words,
					     .count = command.count,
					     .except = -1,
					     .traits = ret->traits };

	arguments_read(&arguments, &ret->parameters);
}

static void read_words(const struct script_reader *reader,
		       const struct shell_command *command,
		       const struct command_line *line, struct application *ret)
{
	const struct arguments arguments = {
		.words = command->words + line->first_argument,
		.count = line->end - line->first_argument,
		.except = line->subcommand_at
				  ? line->subcommand_at - line->first_argument
				  : -1,
		.pairs = line->pairs,
		.unsure = command->unsure + line->first_argument,
		.files = reader->files,
		.traits = ret->traits,
	};

	if (reader->files)
		reader->files->count = 0;
	if (line->quoted)
		read_quoted(line->quoted, ret);
	arguments_read(&arguments, &ret->parameters);
	if (reader->files && command->input && command->input != line->script)
		file_arguments_add(reader->files, "stdin", strlen("stdin"),
				   command->input);
}

/* Make the command the best one so far. */
static void set_best_command(const struct script_reader *reader,
			     struct shell *shell,
			     const struct shell_command *command,
			     const struct command_line *line,
			     const char *function, enum command_rank rank)
{
	struct script_result *found = reader->found;

	found->rank = rank;
	found->uses = command->uses | reader->uses;
	command_line_name(line, function, found->command.name);
	found->around = (struct application){ .name = "" };
	found->command.traits[0] = '\0';
	if (!line->code)
		read_words(reader, command, line, &found->command);
	else if (line->code_kind == COMMAND_CODE_NONE)
		inline_input_code(shell, line->code,
				  &found->command.parameters);
	if (line->executable)
		command_line_variant(line, found->command.traits);
	surroundings_add_loops(shell, &found->around.parameters);
	for (int i = 0; i < reader->input.count; i++)
		parameters_set(&found->around.parameters,
			       reader->input.of[i].name,
			       reader->input.of[i].value, NULL);
	surroundings_add_prefixes(command, line->executable_at, &found->around);
	surroundings_add_variables(shell, reader->given | command->variables,
				   reader->passed | command->whole,
				   &found->around);
}

/* Another program of the same rank: it is added to the name, and what of its
 * arguments has a new name to the parameters.  False: it is not. */
static bool add_command(const struct script_reader *reader,
			const struct shell_command *command,
			const struct command_line *line)
{
	struct script_result *found = reader->found;
	struct script_reader quiet = *reader;
	struct application other = { .name = "" };
	char name[APPLICATION_NAME_SIZE];
	size_t used = strlen(found->command.name);

	if (command->piped || used + 2 >= sizeof(found->command.name))
		return false;
	command_line_name(line, NULL, name);
	if (!*name || command_name_listed(found->command.name, name) ||
	    used + 1 + strlen(name) >= sizeof(found->command.name))
		return false;
	found->command.name[used] = '+';
	strcpy(found->command.name + used + 1, name);
	found->uses |= command->uses | reader->uses;
	quiet.files = NULL;
	read_words(&quiet, command, line, &other);
	application_merge(&found->command, &other);
	return true;
}

/* --- Read ----------------------------------------------------------------- */

static void read_shell(struct script_reader *reader, struct shell *shell,
		       int depth);

/* Read code that a command executes. */
static void read_inner(struct script_reader *reader, struct shell *outer,
		       const struct shell_command *command,
		       const struct command_line *line, const char *code,
		       size_t size, int depth)
{
	struct script_reader inner = *reader;
	struct shell shell;

	inner.launched |= line->launched;
	inner.uses |= command->uses;
	inner.passed |= command->variables;
	shell_open_inner(&shell, outer, code, size,
			 command->words + line->first_argument,
			 (size_t)(line->end - line->first_argument));
	memcpy(shell.loops, outer->loops, sizeof(shell.loops));
	shell.loops_count = outer->loops_count;
	for (int i = 0; i < shell.loops_count && i < SHELL_LOOPS_DEEP; i++)
		shell.loops[i].words_left = 0;
	read_shell(&inner, &shell, depth + 1);
	reader->commands = inner.commands;
	reader->limited = inner.limited;
	outer->work_left = shell.work_left;
}

/* `cat > run.sh <<EOF`: remember the script. */
static void note_written(struct script_reader *reader,
			 const struct shell *shell,
			 const struct shell_command *command)
{
	struct written_script *written =
		&reader->written[reader->written_count];

	if (!command->output || !shell->here_docs_count ||
	    reader->written_count == WRITTEN_MAX ||
	    strcmp(command->words[0], "cat") != 0)
		return;

	const char *name = command_basename(command->output);
	const struct shell_here_doc *doc = &shell->here_docs[0];

	if (strlen(name) >= sizeof(written->name))
		return;
	strcpy(written->name, name);
	written->text = doc->start;
	written->size = (size_t)(doc->end - doc->start);
	reader->written_count++;
}

/* Find the code of a shell without a script, from a here-document, or of a
 * script that was written before.  False: neither. */
static bool find_code(const struct script_reader *reader,
		      const struct shell *shell,
		      const struct command_line *line, const char **ret,
		      size_t *ret_size)
{
	const char *path = line->script ? line->script : line->executable;
	const char *name = path ? command_basename(path) : "";

	for (int i = 0; i < reader->written_count; i++)
		if (!strcmp(reader->written[i].name, name)) {
			*ret = reader->written[i].text;
			*ret_size = reader->written[i].size;
			return true;
		}
	if (!line->shell || line->script || line->code ||
	    !shell->here_docs_count)
		return false;
	*ret = shell->here_docs[0].start;
	*ret_size = (size_t)(shell->here_docs[0].end - *ret);
	return true;
}

static enum command_rank effective_rank(const struct script_reader *reader,
					const struct shell_command *command,
					const struct command_line *line)
{
	if (line->rank > COMMAND_STAGE && command_is_server(command))
		return COMMAND_STAGE;
	return reader->launched && line->rank >= COMMAND_UNKNOWN
		       ? COMMAND_LAUNCHED
		       : line->rank;
}

/* `matlab -r CODE`: the program is the function that the code calls. */
static void read_matlab(const struct script_reader *reader, struct shell *shell,
			const struct shell_command *command,
			const struct command_line *line)
{
	char function[MATLAB_NAME_SIZE];
	struct parameters set = { 0 };
	bool launched = reader->launched || line->launched;
	enum command_rank rank = launched ? COMMAND_LAUNCHED : COMMAND_PROGRAM;

	if (reader->found->rank >= rank ||
	    !matlab_code_read(line->code, function, &set))
		return;
	reader->found->command.parameters = set;
	set_best_command(reader, shell, command, line, function, rank);
}

/* Return whether the command executes code, which is read. */
static bool read_code(struct script_reader *reader, struct shell *shell,
		      const struct shell_command *command,
		      const struct command_line *line, int depth)
{
	const char *code;
	size_t size;

	if (depth == CODE_DEEP)
		return false;
	if (line->code_kind == COMMAND_CODE_SHELL) {
		read_inner(reader, shell, command, line, line->code,
			   strlen(line->code), depth);
		return false;
	}
	if (!find_code(reader, shell, line, &code, &size))
		return false;
	read_inner(reader, shell, command, line, code, size, depth);
	return reader->found->rank >= COMMAND_PROGRAM;
}

static void show_step(const struct script_reader *reader,
		      const struct shell_command *command,
		      enum command_rank rank, bool chosen)
{
	struct script_step step = { .rank = rank,
				    .chosen = chosen,
				    .command = command };
	const char *at = reader->script;

	if (!reader->observe)
		return;
	if (command->start >= at && command->start < at + reader->size)
		for (step.line = 1; at < command->start; at++)
			step.line += *at == '\n';
	/* Blank lines before the command are read with it. */
	for (; step.line && *at == '\n'; at++)
		step.line++;
	reader->observe(reader->context, &step);
}

static void read_program(struct script_reader *reader, struct shell *shell,
			 const struct shell_command *command,
			 const struct command_line *read, int depth)
{
	struct command_line line = *read;

	if (line.executable && shell_call(shell, command, line.executable_at))
		return;
	if (read_code(reader, shell, command, &line, depth))
		return;
	if (line.code_kind == COMMAND_CODE_MATLAB)
		read_matlab(reader, shell, command, &line);

	enum command_rank rank = effective_rank(reader, command, &line);
	bool chosen = false;

	if (rank > reader->found->rank ||
	    (rank == reader->found->rank && line.executable &&
	     !*reader->found->command.name)) {
		reader->found->command.parameters.count = 0;
		set_best_command(reader, shell, command, &line, NULL, rank);
		chosen = true;
	} else if (rank == reader->found->rank && rank >= COMMAND_PROGRAM &&
		   line.code_kind == COMMAND_CODE_NONE) {
		chosen = add_command(reader, command, &line);
	}
	show_step(reader, command, rank, chosen);
	if (rank >= COMMAND_PROGRAM)
		shell_branches_worked(shell);
	if (rank == COMMAND_LAUNCHED && !reader->limited) {
		reader->limited = true;
		if (reader->commands < COMMANDS_MAX - COMMANDS_AFTER_MAX)
			reader->commands = COMMANDS_MAX - COMMANDS_AFTER_MAX;
	}
	if (!strcmp(command->words[0], "break"))
		surroundings_drop_loop(shell,
				       &reader->found->around.parameters);
	/* What `echo` writes into a file is input. */
	if (rank != COMMAND_NONE || command->output ||
	    !strcmp(command->words[0], "cd"))
		reader->given |= command->variables;
	note_written(reader, shell, command);
}

/* `srun ./a : --het-group=1 ./b`: what follows as a command of its own.  `ret`
 * may be the command. */
static void command_next(const struct shell_command *command,
			 const struct command_line *line,
			 struct shell_command *ret)
{
	int count = command->count;

	if (ret != command)
		*ret = *command;
	ret->words[0] = command->words[line->launcher_at];
	ret->unsure[0] = false;
	ret->count = 1;
	for (int i = line->next; i < count; i++) {
		ret->words[ret->count] = command->words[i];
		ret->unsure[ret->count++] = command->unsure[i];
	}
}

/* Names are masked byte by byte. */
static void count_work(struct shell *shell, const struct shell_command *command,
		       const struct command_line *line)
{
	const char *const parts[] = { line->executable, line->script,
				      line->subcommand };
	size_t work = 300 + 20 * (size_t)command->count;

	for (int i = 0; i < 3; i++)
		if (parts[i])
			work += 25 * strnlen(command_basename(parts[i]),
					     APPLICATION_NAME_SIZE);
	shell_work(shell, work);
}

static void read_command(struct script_reader *reader, struct shell *shell,
			 const struct shell_command *command, int depth)
{
	struct shell_command next;
	struct command_line line;

	command_line_read(command, &line);
	count_work(shell, command, &line);
	read_program(reader, shell, command, &line, depth);
	while (line.next) {
		command_next(command, &line, &next);
		command = &next;
		command_line_read(command, &line);
		count_work(shell, command, &line);
		read_program(reader, shell, command, &line, depth);
	}
}

static void read_here_docs(struct script_reader *reader, struct shell *shell)
{
	for (int i = 0; i < shell->here_docs_count; i++)
		inline_input_read(shell, &shell->here_docs[i], &reader->input,
				  &reader->passed, &reader->given);
}

static void read_shell(struct script_reader *reader, struct shell *shell,
		       int depth)
{
	struct shell_command command;

	while (reader->commands++ < COMMANDS_MAX &&
	       shell_next(shell, &command)) {
		if (reader->found->rank < COMMAND_LAUNCHED)
			read_here_docs(reader, shell);
		read_command(reader, shell, &command, depth);
	}
}

static void read_script(const struct submission *job, size_t size,
			struct script_reader *reader)
{
	struct script_result *ret = reader->found;
	struct shell shell;

	memset(ret, 0, sizeof(*ret));
	if (reader->files)
		reader->files->count = 0;
	if (other_language_read(job, size, ret, reader->files))
		return;
	shell_open(&shell, job->script, size, job->arguments,
		   job->arguments_count);
	surroundings_set_environment(job, &shell);
	read_shell(reader, &shell, 0);
}

void script_read(const struct submission *job, size_t size,
		 struct script_result *ret, struct file_arguments *ret_files)
{
	struct script_reader reader = { .found = ret, .files = ret_files };

	read_script(job, size, &reader);
}

void script_observe(const struct submission *job, size_t size,
		    script_observer *observe, void *context,
		    struct script_result *ret)
{
	struct script_reader reader = {
		.found = ret,
		.script = job->script,
		.size = size,
		.observe = observe,
		.context = context,
	};

	read_script(job, size, &reader);
}

void script_read_command(const struct submission *job,
			 struct script_result *ret,
			 struct file_arguments *ret_files)
{
	struct script_reader reader = { .found = ret, .files = ret_files };
	struct shell_command command = { .count = 0 };
	struct shell shell;

	memset(ret, 0, sizeof(*ret));
	if (ret_files)
		ret_files->count = 0;
	if (!job->arguments_count)
		return;
	shell_open(&shell, "", 0, NULL, 0);
	for (size_t i = 0; i < job->arguments_count; i++)
		command.words[command.count++] = job->arguments[i];
	read_command(&reader, &shell, &command, 0);
}
