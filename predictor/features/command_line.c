/* command_line.c - what a command executes, and which words it gives to it */
#include <ctype.h>
#include <string.h>

#include "predictor/features/command_line.h"
#include "predictor/features/command_tables.h"

const char *command_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A command that is being taken apart: words[at..count-1] are left. */
struct cursor {
	const char *const *words;
	int at, count;
	bool launched;
};

static bool left(const struct cursor *c)
{
	return c->at < c->count;
}

/* Skip words that are options, with the values that follow them. */
static void skip_options(struct cursor *c, const char *values,
			 const char *pairs)
{
	while (left(c) && c->words[c->at][0] == '-') {
		const char *word = c->words[c->at++];

		if (!strcmp(word, "--"))
			return;
		if (command_tables_list(values, word))
			c->at += 1;
		else if (command_tables_list(pairs, word))
			c->at += 2;
	}
}

static void skip_assignments(struct cursor *c)
{
	size_t length;

	while (left(c) && shell_is_assignment(c->words[c->at], &length))
		c->at++;
}

static const struct wrapper *find_wrapper(const struct cursor *c)
{
	const char *name = command_basename(c->words[c->at]);
	const char *next = c->at + 1 < c->count ? c->words[c->at + 1] : "";

	for (const struct wrapper *w = wrappers; w->name; w++)
		if (!strcmp(w->name, name) &&
		    (!w->subcommand || !strcmp(w->subcommand, next)))
			return w;
	return NULL;
}

/* Skip a wrapper and what belongs to it. */
static void skip_wrapper(struct cursor *c, const struct wrapper *wrapper)
{
	c->at += wrapper->subcommand ? 2 : 1;
	skip_options(c, wrapper->values, wrapper->pairs);
	if (wrapper->number && left(c) &&
	    isdigit((unsigned char)c->words[c->at][0]))
		c->at++;
	c->at += wrapper->words;
	c->launched |= wrapper->parallel;
}

/* Move to the executable; false: there is none. */
static bool find_executable(struct cursor *c)
{
	for (;;) {
		skip_assignments(c);
		if (!left(c))
			return false;
		if (command_tables_list(keywords_before, c->words[c->at])) {
			c->at++;
			continue;
		}
		const struct wrapper *wrapper = find_wrapper(c);

		if (!wrapper)
			return true;
		skip_wrapper(c, wrapper);
	}
}

/* "python3.11" is a python. */
static const struct interpreter *find_interpreter(const char *executable)
{
	const char *name = command_basename(executable);
	size_t length = strlen(name);

	while (length && (isdigit((unsigned char)name[length - 1]) ||
			  name[length - 1] == '.'))
		length--;
	for (const struct interpreter *i = interpreters; i->name; i++)
		if (strlen(i->name) == length && !memcmp(i->name, name, length))
			return i;
	return NULL;
}

/* Find the interpreter's script and move behind it. */
static void take_script(struct cursor *c, const struct interpreter *interpreter,
			struct command_line *ret)
{
	ret->executable = interpreter->name;
	for (; left(c); c->at++) {
		const char *word = c->words[c->at];

		if (command_tables_list(interpreter->code, word)) {
			/* The code itself is no argument. */
			c->at += strcmp(word, "-") ? 2 : 1;
			break;
		}
		if (command_tables_list(interpreter->values, word)) {
			c->at++;
		} else if (word[0] != '-' && strcmp(word, "CMD") &&
			   !command_tables_list(interpreter->scripts, word)) {
			ret->script = word;
			c->at++;
			break;
		}
	}
	ret->first_argument = c->at < c->count ? c->at : c->count;
}

/* A ./sort is somebody's own. */
static bool is_tool(const char *executable)
{
	const char *name = command_basename(executable);

	return command_tables_list(tools, name) &&
	       (name == executable || !strncmp(executable, "/bin/", 5) ||
		!strncmp(executable, "/usr/bin/", 9));
}

void command_line_read(const struct shell_command *command,
		       struct command_line *ret)
{
	struct cursor c = { .words = command->words, .count = command->count };

	*ret = (struct command_line){ .rank = COMMAND_NONE };
	if (!find_executable(&c))
		return;

	const char *executable = c.words[c.at++];
	const char *last = command->words[command->count - 1];

	/* Options without a command, and values nobody knows, are none; what
	 * ends in ]] is the second half of a test. */
	if (!*command_basename(executable) || strchr("-$", *executable) ||
	    command_tables_list(no_commands, executable) || !strcmp(last, "]]"))
		return;

	const struct interpreter *interpreter = find_interpreter(executable);

	ret->executable = executable;
	ret->first_argument = c.at;
	if (interpreter)
		take_script(&c, interpreter, ret);
	if (is_tool(executable))
		ret->rank = COMMAND_TOOL;
	else if (interpreter && !ret->script)
		ret->rank = COMMAND_TOOL;
	else
		ret->rank = c.launched ? COMMAND_LAUNCHED : COMMAND_PROGRAM;
}
