/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_line.c - the executable of a command, and its arguments
 *
 * A cursor moves over the words: past keywords, assignments and wrappers to the
 * executable (find_executable()), past an interpreter's options to its script
 * (read_interpreter()); then the subcommand is found (read_program()) and the
 * command is ranked.  Names are those of command_tables.h.
 */
#include <ctype.h>
#include <string.h>

#include "predictor/features/script/command/command_line.h"
#include "predictor/features/script/command/command_stage.h"
#include "predictor/features/script/command/command_tables.h"
#include "predictor/features/script/command/submit_line.h"
#include "predictor/features/script/shell/shell_unknown.h"

const char *command_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The words that are left are words[at..count-1]. */
struct cursor {
	const struct shell_command *command;
	const char *const *words;
	int at, count;
	bool launched;
	int launcher_at, next; /* as in struct command_line */
	bool code;             /* the next word may be a whole command */
	const char *runs;      /* the interpreter of the next word, or NULL */
};

static bool words_left(const struct cursor *c)
{
	return c->at < c->count;
}

/* --- Before the executable ------------------------------------------------ */

/* Skip options with their values; a pair may be in one word. */
static void skip_options(struct cursor *c, const char *values,
			 const char *pairs, bool plus)
{
	while (words_left(c)) {
		const char *word = c->words[c->at];

		if (word[0] != '-' && !(plus && word[0] == '+'))
			return;
		c->at++;
		if (!strcmp(word, "--"))
			return;
		if (command_tables_list(values, word))
			c->at += 1;
		else if (command_tables_list(pairs, word) && words_left(c))
			c->at += strchr(c->words[c->at], '=') ? 1 : 2;
	}
}

static void skip_assignments(struct cursor *c)
{
	size_t length;

	while (words_left(c) && shell_is_assignment(c->words[c->at], &length))
		c->at++;
}

/* The index after the word that begins the wrapped command; 0: there
 * is none. */
static int find_start(const struct cursor *c, const struct wrapper *wrapper)
{
	for (int i = c->at + 1; i + 1 < c->count; i++)
		if (command_tables_list(wrapper->after, c->words[i]))
			return i + 1;
	return 0;
}

static const struct wrapper *find_wrapper(const struct cursor *c)
{
	const char *name = command_basename(c->words[c->at]);
	const char *next = c->at + 1 < c->count ? c->words[c->at + 1] : "";
	const void *row;

	if (!command_tables_find(name, strlen(name), KIND_WRAPPER, &row))
		return NULL;
	/* Rows of one name are adjacent. */
	for (const struct wrapper *w = row; w->name && !strcmp(w->name, name);
	     w++)
		if ((!w->subcommand || !strcmp(w->subcommand, next)) &&
		    (!w->after || find_start(c, w)))
			return w;
	return NULL;
}

/* "python3.11" is a python. */
static const struct interpreter *find_interpreter(const char *executable)
{
	const char *name = command_basename(executable);
	size_t length = strlen(name);
	const void *row;

	while (length && (isdigit((unsigned char)name[length - 1]) ||
			  name[length - 1] == '.'))
		length--;
	return command_tables_find(name, length, KIND_INTERPRETER, &row) ? row
									 : NULL;
}

/* Return the interpreter of a file that is executed by its own name. */
static const char *find_suffix(const char *executable)
{
	const char *name = command_basename(executable);
	const char *dot = strrchr(name, '.');

	for (const struct suffix *s = suffixes; dot && s->suffix; s++)
		if (dot != name && !strcmp(dot, s->suffix))
			return s->interpreter;
	return NULL;
}

/* Return whether a container's default command is left out for this one. */
static bool is_known_command(const char *word)
{
	const char *name = command_basename(word);
	size_t length = strlen(name);

	return command_tables_find(name, length, KIND_WRAPPER, NULL) ||
	       find_interpreter(word) || find_suffix(word);
}

/* ":" of srun and mpirun; ":::" and "::::" of parallel. */
static bool is_end(const char *word, const char *until)
{
	return until[1] ? !strncmp(word, until, strlen(until))
			: !strcmp(word, until);
}

/* Skip a wrapper and its arguments. */
static void skip_wrapper(struct cursor *c, const struct wrapper *wrapper)
{
	int launcher_at = c->at;

	c->at += wrapper->subcommand ? 2 : 1;
	if (wrapper->after)
		c->at = find_start(&(struct cursor){ .words = c->words,
						     .at = launcher_at,
						     .count = c->count },
				   wrapper);
	else if (wrapper->program)
		c->at = submit_line_skip(wrapper->program, c->words, c->count,
					 c->at);
	else
		skip_options(c, wrapper->values, wrapper->pairs, wrapper->plus);
	if (wrapper->number && words_left(c) &&
	    isdigit((unsigned char)c->words[c->at][0]))
		c->at++;
	if (!wrapper->image || c->at + wrapper->words < c->count)
		c->at += wrapper->words;
	if (wrapper->image && !wrapper->words && c->at + 1 < c->count &&
	    is_known_command(c->words[c->at + 1]))
		c->at++;
	if (wrapper->words && words_left(c) && !strcmp(c->words[c->at], "--"))
		c->at++;
	for (int i = c->at; wrapper->until && i < c->count; i++)
		if (is_end(c->words[i], wrapper->until)) {
			c->launcher_at = launcher_at;
			c->next = wrapper->until[1] ? 0 : i + 1;
			c->count = i;
		}
	c->launched |= wrapper->parallel;
	c->code = wrapper->code;
	c->runs = wrapper->runs;
}

/* "0-63 ./a" of `srun --multi-prog`, and of mpirun's application files. */
static bool is_task_range(const struct cursor *c)
{
	const char *word = c->words[c->at];

	return c->at + 1 < c->count &&
	       (!strcmp(word, "*") || (isdigit((unsigned char)*word) &&
				       !word[strspn(word, "0123456789,-")]));
}

/* Move to the executable; false: there is none. */
static bool find_executable(struct cursor *c)
{
	for (;;) {
		skip_assignments(c);
		if (!words_left(c))
			return false;

		const char *word = c->words[c->at];

		if (command_tables_find(word, strlen(word), KIND_KEYWORD,
					NULL)) {
			c->at++;
			continue;
		}
		if (c->at == 0 && is_task_range(c)) {
			c->at++;
			c->launched = true;
			continue;
		}

		const struct wrapper *wrapper = find_wrapper(c);

		if (!wrapper)
			return true;
		skip_wrapper(c, wrapper);
	}
}

/* --- Interpreters --------------------------------------------------------- */

/* After an option for code: the code. */
static void read_code(struct cursor *c, const struct interpreter *interpreter,
		      struct command_line *ret)
{
	const char *option = c->words[c->at++];

	/* With "-" the code is the standard input. */
	if (!strcmp(option, "-") || !words_left(c))
		return;
	ret->code = c->words[c->at++];
	ret->code_kind = interpreter->code_kind;
}

/* Find the interpreter's script and move past it.  False: it is a module that
 * executes the command at the cursor. */
static bool find_script(struct cursor *c, const struct interpreter *interpreter,
			struct command_line *ret)
{
	static const char arguments[] = "--args ";
	bool module = false;

	for (; words_left(c); c->at++) {
		const char *word = c->words[c->at];

		if (command_tables_list(interpreter->code, word)) {
			read_code(c, interpreter, ret);
			return true;
		}
		if (command_tables_list(interpreter->values, word)) {
			c->at++;
		} else if (!strncmp(word, arguments, strlen(arguments))) {
			ret->quoted = word + strlen(arguments);
		} else if (command_tables_list(interpreter->scripts, word)) {
			module = !strcmp(word, "-m");
		} else if (word[0] != '-') {
			if (module && find_wrapper(c))
				return false;
			ret->script = word;
			c->at++;
			return true;
		}
	}
	if (interpreter->input)
		ret->script = c->command->input;
	return true;
}

/* Read an interpreter, if the executable is one.  False: another command begins
 * at the cursor. */
static bool read_interpreter(struct cursor *c, struct command_line *ret)
{
	const char *word = c->words[c->at];
	const char *suffix = c->runs ? c->runs : find_suffix(word);
	const struct interpreter *interpreter;

	c->at++;
	if (suffix) {
		ret->executable = suffix;
		ret->script = word;
		return true;
	}
	interpreter = find_interpreter(word);
	if (!interpreter)
		return true;
	ret->executable =
		interpreter->called ? interpreter->called : interpreter->name;
	ret->suffix = interpreter->suffix;
	ret->pairs = interpreter->pairs;
	ret->shell = interpreter->code_kind == COMMAND_CODE_SHELL;
	if (!find_script(c, interpreter, ret))
		return false;
	if (!ret->script)
		ret->rank = COMMAND_TOOL;
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
		if (command_tables_list(program->option, c->words[i])) {
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

	for (; words_left(&next); next.at++) {
		skip_options(&next, program->values, NULL, false);
		if (!words_left(&next))
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
	const char *name = command_basename(line->executable);

	if (program && line->subcommand &&
	    command_tables_list(program->stages, line->subcommand))
		return true;
	if (line->script) {
		const char *script = command_basename(line->script);

		if (command_tables_find(script, strlen(script), KIND_STAGE,
					NULL))
			return true;
	}
	return command_tables_find(name, strlen(name), KIND_STAGE, NULL) ||
	       command_named_stage(line->script ? line->script
						: line->executable);
}

static enum command_rank find_rank(const struct command_line *line,
				   const struct program *program)
{
	if (line->rank == COMMAND_TOOL) /* an interpreter without a script */
		return COMMAND_TOOL;
	if (program && program->tool && line->subcommand)
		return COMMAND_TOOL;
	if (!line->script) {
		if (is_system(line->executable, KIND_TRIVIAL))
			return COMMAND_TRIVIAL;
		if (is_system(line->executable, KIND_TOOL))
			return COMMAND_TOOL;
	}
	if (is_stage(line, program))
		return COMMAND_STAGE;
	return line->launched ? COMMAND_LAUNCHED : COMMAND_PROGRAM;
}

/* --- All of it ------------------------------------------------------------ */

/* Return whether these words are a command: not options alone, and not the
 * second half of a test, which ends in ]]. */
static bool is_command(const struct cursor *c)
{
	const char *word = c->words[c->at];
	const char *last = c->command->words[c->command->count - 1];

	return *command_basename(word) && *word != '-' && strcmp(last, "]]") &&
	       strncmp(word, "((", 2) &&
	       !command_tables_find(word, strlen(word), KIND_NOTHING, NULL);
}

/* A name that is one piece of the shell, or begins with one: "$EXE". */
static bool is_unknown(const char *word)
{
	size_t length = strlen(word);

	return shell_unknown_length(word, length) == length ||
	       strchr("$`", *command_basename(word));
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
		ret->rank = COMMAND_TOOL;
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
		if (find_executable(c))
			read_executable(c, ret);
		return;
	}
	program = read_program(c, ret);
	ret->launched = c->launched;
	ret->rank = find_rank(ret, program);
}

void command_line_read(const struct shell_command *command,
		       struct command_line *ret)
{
	struct cursor c = { .command = command,
			    .words = command->words,
			    .count = command->count };

	*ret = (struct command_line){ .rank = COMMAND_NONE };
	ret->first_argument = ret->end = command->count;
	if (!find_executable(&c) || !is_command(&c))
		return;
	read_executable(&c, ret);
	ret->launched = c.launched;
	ret->first_argument = c.at < c.count ? c.at : c.count;
	ret->end = c.count;
	ret->launcher_at = c.launcher_at;
	ret->next = c.next < command->count ? c.next : 0;
}
