/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_line.c - the executable of a command, and its arguments
 *
 * A cursor moves over the words: past keywords, assignments and wrappers to the
 * executable (command_cursor.h), past an interpreter's options to its script
 * (read_interpreter()); then the subcommand is found (read_program()) and the
 * command is ranked.  Names are those of command_tables.h.
 */
#include <ctype.h>
#include <string.h>

#include "predictor/features/script/command/command_cursor.h"
#include "predictor/features/script/command/command_stage.h"
#include "predictor/features/script/shell/shell_unknown.h"

const char *command_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* --- Interpreters --------------------------------------------------------- */

/* After an option for code: the code. */
static void read_code(struct cursor *c, const struct interpreter *interpreter,
		      struct command_line *ret)
{
	const char *option = c->words[c->at++];

	/* With "-" the code is the standard input. */
	if (!strcmp(option, "-") || !cursor_left(c))
		return;
	ret->code = c->words[c->at++];
	ret->code_kind = interpreter->code_kind;
}

/* Return whether these are one-letter options, the last of them this: -euo. */
static bool is_cluster(const char *word, char last)
{
	size_t letters =
		*word == '-' ? strspn(word + 1, "abcefhiklmnoprstuvx") : 0;

	return letters && !word[1 + letters] && word[letters] == last;
}

/* Find the interpreter's script and move past it.  False: it is a module that
 * executes the command at the cursor. */
static bool find_script(struct cursor *c, const struct interpreter *interpreter,
			struct command_line *ret)
{
	static const char arguments[] = "--args ";
	const char *input = interpreter->input ? c->command->input : NULL;
	bool module = false;

	for (; cursor_left(c); c->at++) {
		const char *word = c->words[c->at];

		if (command_tables_list(interpreter->code, word) ||
		    (interpreter->code_kind == COMMAND_CODE_SHELL &&
		     is_cluster(word, 'c'))) {
			read_code(c, interpreter, ret);
			return true;
		}
		if (command_tables_option(interpreter->values, word) ||
		    (interpreter->code_kind == COMMAND_CODE_SHELL &&
		     is_cluster(word, 'o'))) {
			c->at++;
		} else if (!strncmp(word, arguments, strlen(arguments))) {
			ret->quoted = word + strlen(arguments);
		} else if (command_tables_list(interpreter->scripts, word)) {
			module = !strcmp(word, "-m");
		} else if (word[0] != '-') {
			if (module && cursor_wrapper(c))
				return false;
			/* `R 100 < script.R` */
			ret->script =
				input && cursor_suffix(input) ? input : word;
			c->at += ret->script == word;
			return true;
		}
	}
	ret->script = input;
	return true;
}

/* Read an interpreter, if the executable is one.  False: another command begins
 * at the cursor. */
static bool read_interpreter(struct cursor *c, struct command_line *ret)
{
	const char *word = c->words[c->at];
	const char *suffix = c->runs ? c->runs : cursor_suffix(word);
	const struct interpreter *interpreter;

	c->at++;
	if (suffix) {
		ret->executable = suffix;
		ret->script = word;
		return true;
	}
	interpreter = cursor_interpreter(word);
	if (!interpreter)
		return true;
	ret->executable = interpreter->called ? interpreter->called
			  : strchr(interpreter->name, ' ')
				  ? command_basename(word)
				  : interpreter->name;
	ret->suffix = interpreter->suffix;
	ret->pairs = interpreter->pairs;
	if (!find_script(c, interpreter, ret))
		return false;
	if (ret->script)
		return true;
	/* Inline code has no name; that of a shell is read. */
	if (!ret->code)
		ret->reads = interpreter->code_kind;
	ret->rank = interpreter->code_kind == COMMAND_CODE_SHELL
			    ? COMMAND_TRIVIAL
		    : c->launched ? COMMAND_LAUNCHED
				  : COMMAND_UNKNOWN;
	if (interpreter->code_kind == COMMAND_CODE_NONE)
		ret->executable = NULL;
	return true;
}

/* --- Programs with subcommands -------------------------------------------- */

static const struct program *find_program(const char *name)
{
	size_t length = strlen(name);
	size_t stem = strcspn(name, "_-");
	const void *row;

	if (command_tables_find(name, length, KIND_PROGRAM, &row))
		return row;
	while (stem && isdigit((unsigned char)name[stem - 1]))
		stem--;
	if (stem == length ||
	    !command_tables_find(name, stem, KIND_PROGRAM, &row))
		return NULL;
	return ((const struct program *)row)->variants ? row : NULL;
}

/* Find the word after one of the options, anywhere in the command. */
static void find_option(const struct cursor *c, const struct program *program,
			struct command_line *ret)
{
	for (int i = c->at; i + 1 < c->count; i++)
		if (command_tables_option(program->option, c->words[i])) {
			ret->subcommand = c->words[i + 1];
			ret->subcommand_at = i + 1;
			return;
		}
	if (program->input)
		ret->subcommand = c->command->input;
}

static void find_subcommand(const struct cursor *c,
			    const struct program *program,
			    struct command_line *ret)
{
	struct cursor next = *c;
	size_t length;

	for (; cursor_left(&next); next.at++) {
		cursor_skip_options(&next, program->values, NULL, false);
		if (!cursor_left(&next))
			return;

		const char *word = next.words[next.at];

		if (isdigit((unsigned char)*word) ||
		    shell_is_assignment(word, &length))
			continue;
		if (!isalpha((unsigned char)*word) || strpbrk(word, "/$`. "))
			return;
		ret->subcommand = word;
		ret->subcommand_at = next.at;
		return;
	}
}

/* The cursor is after the executable, or after the script. */
static const struct program *read_program(const struct cursor *c,
					  struct command_line *ret)
{
	const char *name = ret->script ? ret->script : ret->executable;
	const struct program *program = find_program(command_basename(name));

	if (!program)
		return NULL;
	if (program->option)
		find_option(c, program, ret);
	else
		find_subcommand(c, program, ret);
	if (program->pairs)
		ret->pairs = program->pairs;
	if (program->module) {
		ret->executable = name;
		ret->script = NULL;
	}
	return program;
}

/* --- Ranks ---------------------------------------------------------------- */

/* A ./sort is the user's own. */
static bool is_system(const char *executable, enum command_kind kind)
{
	const char *name = command_basename(executable);

	return (name == executable || !strncmp(executable, "/bin/", 5) ||
		!strncmp(executable, "/usr/bin/", 9)) &&
	       command_tables_find(name, strlen(name), kind, NULL);
}

static bool is_stage(const struct command_line *line,
		     const struct program *program)
{
	const char *path = line->script ? line->script : line->executable;
	const char *const names[] = { command_basename(line->executable),
				      command_basename(path) };

	for (int i = 0; i < 2; i++)
		if (command_tables_find(names[i], strlen(names[i]), KIND_STAGE,
					NULL))
			return true;
	return (program && line->subcommand &&
		command_tables_list(program->stages, line->subcommand)) ||
	       command_named_stage(path);
}

/* `wandb login`, `ldd --version`, `pixi shell` */
static bool takes_no_time(const struct cursor *c)
{
	const char *word = c->at < c->count ? c->words[c->at] : "";

	return command_tables_list(" login logout ", word) ||
	       (c->at + 1 == c->count &&
		(command_tables_list(" --version -version --help ", word) ||
		 (!strcmp(word, "shell") && c->at > 0 &&
		  command_tables_list(" pixi poetry pipenv nix ",
				      c->words[c->at - 1]))));
}

static enum command_rank find_rank(const struct cursor *c,
				   const struct command_line *line,
				   const struct program *program)
{
	if (takes_no_time(c))
		return COMMAND_TRIVIAL;
	if (program && program->tool && line->subcommand)
		return program->stages && !command_tables_list(program->stages,
							       line->subcommand)
			       ? COMMAND_INDIRECT
			       : COMMAND_TOOL;
	if (!line->script) {
		if (is_system(line->executable, KIND_TRIVIAL))
			return COMMAND_TRIVIAL;
		if (is_system(line->executable, KIND_TOOL))
			return COMMAND_TOOL;
	}
	if (is_stage(line, program))
		return COMMAND_STAGE;
	if (c->indirect)
		return COMMAND_INDIRECT;
	return line->launched ? COMMAND_LAUNCHED : COMMAND_PROGRAM;
}

/* --- All of it ------------------------------------------------------------ */

/* Return whether these words are a command: not options or a number alone, and
 * not the second half of a test, which ends in ]]. */
static bool is_command(const struct cursor *c)
{
	const char *word = c->words[c->at];
	const char *last = c->command->words[c->command->count - 1];

	return *command_basename(word) && *word != '-' && strcmp(last, "]]") &&
	       !cursor_is_number(word) && strncmp(word, "((", 2) &&
	       !command_tables_find(word, strlen(word), KIND_NOTHING, NULL);
}

/* A name that is one piece of the shell, or begins with one: "$EXE". */
static bool is_unknown(const char *word)
{
	return shell_is_unknown(word) || strchr("$`", *command_basename(word));
}

static void read_executable(struct cursor *c, struct command_line *ret)
{
	const struct program *program;

	ret->executable = c->words[c->at];
	ret->executable_at = c->at;
	if (c->code && strchr(ret->executable, ' ')) {
		ret->code_kind = COMMAND_CODE_SHELL;
		ret->code = ret->executable;
		ret->executable = "sh";
		ret->rank = COMMAND_TRIVIAL;
		c->at++;
		return;
	}
	if (is_unknown(ret->executable) && !c->runs) {
		ret->executable = NULL;
		ret->rank = c->launched ? COMMAND_LAUNCHED : COMMAND_UNKNOWN;
		c->at++;
		return;
	}
	if (!read_interpreter(c, ret)) {
		/* `python -m MODULE` executes another. */
		if (cursor_find_executable(c))
			read_executable(c, ret);
		return;
	}
	ret->launched = c->launched;
	if (ret->rank != COMMAND_NONE)
		return; /* an interpreter without a script */
	program = read_program(c, ret);
	ret->rank = find_rank(c, ret, program);
}

void command_line_read(const struct shell_command *command,
		       struct command_line *ret)
{
	struct cursor c = { .command = command,
			    .words = command->words,
			    .count = command->count };

	*ret = (struct command_line){ .rank = COMMAND_NONE };
	ret->first_argument = ret->end = command->count;
	if (!cursor_find_executable(&c)) {
		/* `parallel <list` */
		ret->reads = c.code ? COMMAND_CODE_SHELL : COMMAND_CODE_NONE;
		return;
	}
	if (!is_command(&c))
		return;
	read_executable(&c, ret);
	ret->launched = c.launched;
	ret->first_argument = c.at < c.count ? c.at : c.count;
	ret->end = c.count;
	ret->launcher_at = c.launcher_at;
	ret->next = c.next < command->count ? c.next : 0;
}
