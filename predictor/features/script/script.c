/* SPDX-License-Identifier: GPL-2.0-or-later */
/* script.c - the main command of a job script
 *
 * Commands are read in order (shell_flow.h), with code inside of commands and
 * in here-documents.  The best so far is kept with its name, its arguments, and
 * the loops, variables and here-documents around it; later ones of its rank are
 * added to its name.
 */
#include <ctype.h>
#include <string.h>

#include "predictor/features/script/command/arguments.h"
#include "predictor/features/script/command/command_name.h"
#include "predictor/features/script/command/command_stage.h"
#include "predictor/features/script/command/command_tables.h"
#include "predictor/features/script/command/inline_input.h"
#include "predictor/features/script/command/matlab_code.h"
#include "predictor/features/script/script.h"
#include "predictor/features/script/shell/shell_branches.h"
#include "predictor/features/script/shell/shell_flow.h"
#include "predictor/features/script/surroundings.h"
#include "predictor/features/script/written.h"
#include "predictor/features/secret.h"

/* Bounds the time; scripts that people write have fewer. */
#define COMMANDS_MAX 1000

/* Commands that are read after one that was launched. */
#define COMMANDS_AFTER_MAX 64

/* Code within code within the script. */
#define CODE_DEEP 2

struct script_reader {
	int commands;
	bool limited;           /* COMMANDS_AFTER_MAX applies */
	shell_variables given;  /* used by commands so far */
	shell_variables passed; /* those that are parameters already */
	shell_arguments uses;   /* by the command that has the code */
	bool launched;          /* the command that has the code was */
	bool background;        /* likewise */
	bool captured;          /* code in $(...) */
	struct parameters input;
	struct written_scripts written;
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
		.except = line->subcommand_at && !command_line_masked(line)
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
	if (command->input && command->input != line->script &&
	    (command->input != line->subcommand || command_line_masked(line)))
		arguments_add_text(&arguments, "stdin", strlen("stdin"),
				   command->input, true);
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
	found->background = command->background || reader->background;
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
	found->background &= command->background || reader->background;
	quiet.files = NULL;
	read_words(&quiet, command, line, &other);
	application_join(&found->command, &other);
	return true;
}

/* --- Read ----------------------------------------------------------------- */

static void read_shell(struct script_reader *reader, struct shell *shell,
		       int depth);

/* Read code within a command, with these arguments; `inner` is the reader but
 * for what holds for the code only. */
static void read_inner(struct script_reader *reader,
		       struct script_reader *inner, struct shell *outer,
		       const char *code, size_t size,
		       const char *const arguments[], int count, int depth)
{
	struct shell shell;

	shell_open_inner(&shell, outer, code, size, arguments, (size_t)count);
	memcpy(shell.loops, outer->loops, sizeof(shell.loops));
	shell.loops_count = outer->loops_count;
	for (int i = 0; i < shell.loops_count && i < SHELL_LOOPS_DEEP; i++)
		shell.loops[i].words_left = 0;
	read_shell(inner, &shell, depth + 1);
	reader->commands = inner->commands;
	reader->limited = inner->limited;
	outer->work_left = shell.work_left;
}

/* Read what the command executes. */
static void read_executed(struct script_reader *reader, struct shell *outer,
			  const struct shell_command *command,
			  const struct command_line *line, const char *code,
			  size_t size, int depth)
{
	struct script_reader inner = *reader;

	inner.launched |= line->launched;
	inner.background |= command->background;
	inner.uses |= command->uses;
	inner.passed |= command->variables;
	read_inner(reader, &inner, outer, code, size,
		   command->words + line->first_argument,
		   line->end - line->first_argument, depth);
}

/* Most of what is in $(...) takes no time: date, hostname. */
static bool may_run_program(const char *code, size_t size)
{
	size_t length = 0;

	for (; size && strchr(" \t\n", *code); size--)
		code++;
	while (length < size && (isalnum((unsigned char)code[length]) ||
				 strchr("_-", code[length])))
		length++;
	return memchr(code, '|', size) ||
	       !(command_tables_find(code, length, KIND_TRIVIAL, NULL) ||
		 command_tables_find(code, length, KIND_TOOL, NULL) ||
		 command_tables_find(code, length, KIND_NOTHING, NULL));
}

/* Read the code in $(...) of the command, whose output is not known. */
static void read_captured(struct script_reader *reader, struct shell *outer,
			  int depth)
{
	int count = outer->own.count;

	for (int i = 0; i < outer->codes_count && depth < CODE_DEEP; i++) {
		struct script_reader inner = *reader;

		shell_work(outer, 300);
		if (!may_run_program(outer->codes[i].text,
				     outer->codes[i].size))
			continue;
		inner.captured = true;
		shell_work(outer, 3000);
		read_inner(reader, &inner, outer, outer->codes[i].text,
			   outer->codes[i].size, outer->own.words, count,
			   depth);
	}
}

/* Return whether the script waits for what runs in the background from here
 * on. */
static bool waits(const struct shell *shell)
{
	const char *at = shell->at;

	while ((at = memmem(at, (size_t)(shell->end - at), "wait", 4))) {
		if (strchr("\n\t ;&", at[-1]) &&
		    (at + 4 == shell->end || strchr("\n\t ;&", at[4])))
			return true;
		at += 4;
	}
	return false;
}

/* Return whether what ran in the background so far only serves the command,
 * which runs in front: the script does not wait for the others. */
static bool is_client(const struct script_reader *reader,
		      const struct shell *shell,
		      const struct shell_command *command,
		      enum command_rank rank)
{
	struct script_result *found = reader->found;
	size_t left = (size_t)(shell->end - shell->at);

	if (!found->background || rank < COMMAND_PROGRAM ||
	    command->background || reader->background)
		return false;
	found->background = false;
	return memmem(shell->at, left, "kill ", strlen("kill ")) ||
	       !waits(shell);
}

static enum command_rank effective_rank(const struct script_reader *reader,
					const struct shell *shell,
					const struct shell_command *command,
					const struct command_line *line)
{
	/* x=$(query NAME | cut): programs there have a path. */
	if (reader->captured)
		return line->rank >= COMMAND_INDIRECT && line->executable &&
				       (line->script || line->launched ||
					strchr(line->executable, '/') ||
					!(command->piped || shell->piped))
			       ? COMMAND_INDIRECT
			       : COMMAND_TRIVIAL;
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
		read_executed(reader, shell, command, line, line->code,
			      strlen(line->code), depth);
		return false;
	}
	if (!written_find_code(&reader->written, shell, command, line, &code,
			       &size))
		return false;
	read_executed(reader, shell, command, line, code, size, depth);
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

	if (!strcmp(command->words[0], "wait"))
		reader->found->background = false;
	if (line.executable && shell_call(shell, command, line.executable_at))
		return;
	if (read_code(reader, shell, command, &line, depth))
		return;
	if (line.reads == COMMAND_CODE_MATLAB && command->piped) {
		line.code = reader->written.piped.echo;
		line.code_kind = line.reads;
	}
	if (line.code_kind == COMMAND_CODE_MATLAB) {
		read_matlab(reader, shell, command, &line);
		line.executable = NULL;
	}

	enum command_rank rank = effective_rank(reader, shell, command, &line);
	bool chosen = false;

	if (rank > COMMAND_TRIVIAL &&
	    (rank > reader->found->rank ||
	     is_client(reader, shell, command, rank) ||
	     (rank == reader->found->rank && line.executable &&
	      !*reader->found->command.name))) {
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
	written_note(&reader->written, shell, command, rank);
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

	for (;;) {
		command_line_read(command, &line);
		count_work(shell, command, &line);
		read_program(reader, shell, command, &line, depth);
		if (!line.next)
			return;
		command_next(command, &line, &next);
		command = &next;
	}
}

static void read_shell(struct script_reader *reader, struct shell *shell,
		       int depth)
{
	struct shell_command command;

	while (reader->commands++ < COMMANDS_MAX &&
	       shell_next(shell, &command)) {
		read_captured(reader, shell, depth);
		secret_mask_words(command.words, command.count, command.text,
				  sizeof(command.text));
		shell_work(shell, 4 * command.used);
		for (int i = 0; i < shell->here_docs_count &&
				reader->found->rank < COMMAND_LAUNCHED;
		     i++)
			inline_input_read(shell, &shell->here_docs[i],
					  &reader->input, &reader->passed,
					  &reader->given);
		read_command(reader, shell, &command, depth);
	}
}

/* A script that "#!" gives to another than a shell is itself the command.
 * False: it is for a shell. */
static bool read_other_language(const struct submission *job, size_t size,
				struct script_reader *reader)
{
	const char *newline = memchr(job->script, '\n', size);
	size_t length = newline ? (size_t)(newline - job->script) : size;
	const char *name = job->arguments_count ? job->arguments[0] : job->name;
	struct shell_command command;
	struct command_line line;
	struct shell shell;

	if (length < 3 || memcmp(job->script, "#!", 2) || length > 256)
		return false;
	shell_open(&shell, job->script + 2, length - 2, NULL, 0);
	if (!shell_read(&shell, &command))
		return false;
	for (size_t i = 0; i < job->arguments_count || !i; i++) {
		if (command.count == SHELL_WORDS_MAX)
			break;
		command.unsure[command.count] = false;
		command.words[command.count++] = i      ? job->arguments[i]
						 : name ? name
							: "";
	}
	command_line_read(&command, &line);
	if (!line.script || !strcmp(line.executable, "bash") ||
	    !strcmp(line.executable, "csh"))
		return false;
	read_command(reader, &shell, &command, 0);
	reader->found->uses = ~(shell_arguments)0;
	return true;
}

static void read_script(const struct submission *job, size_t size,
			struct script_reader *reader)
{
	struct script_result *ret = reader->found;
	struct shell shell;

	memset(ret, 0, sizeof(*ret));
	if (reader->files)
		reader->files->count = 0;
	if (read_other_language(job, size, reader))
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
