/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_cursor.c - move over the words before a command's executable
 *
 * Launchers and wrappers are known by their names (command_wrappers.c), else by
 * their form: what ends in "run" or is a variable, and has a command behind it.
 */
#include <ctype.h>
#include <string.h>

#include "predictor/features/script/command/command_cursor.h"
#include "predictor/features/script/command/submit_line.h"
#include "predictor/features/script/shell/shell_unknown.h"

bool cursor_is_number(const char *word)
{
	return *word && !word[strspn(word, "0123456789.,:#%-")];
}

void cursor_skip_options(struct cursor *c, const char *values,
			 const char *pairs, bool plus)
{
	while (cursor_left(c)) {
		const char *word = c->words[c->at];

		if (word[0] != '-' && !(plus && word[0] == '+'))
			return;
		c->at++;
		if (!strcmp(word, "--"))
			return;
		if (command_tables_option(values, word))
			c->at += 1;
		else if (command_tables_option(pairs, word) && cursor_left(c))
			c->at += strchr(c->words[c->at], '=') ? 1 : 2;
		else if (cursor_left(c) && cursor_is_number(c->words[c->at]) &&
			 c->words[c->at][0] != '-')
			c->at++;
	}
}

static void skip_assignments(struct cursor *c)
{
	size_t length;

	while (cursor_left(c) && shell_is_assignment(c->words[c->at], &length))
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

const struct interpreter *cursor_interpreter(const char *executable)
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

const char *cursor_suffix(const char *executable)
{
	const char *name = command_basename(executable);
	const char *dot = strrchr(name, '.');

	for (const struct suffix *s = suffixes; dot && s->suffix; s++)
		if (dot != name && !strcmp(dot, s->suffix))
			return s->interpreter;
	return NULL;
}

/* Return whether a word by its form is a command, not an argument: ./solver,
 * /opt/bin/solver, solve.py, python. */
static bool is_command_like(const char *word)
{
	const char *name = command_basename(word);

	return command_tables_find(name, strlen(name), KIND_WRAPPER, NULL) ||
	       cursor_interpreter(word) || cursor_suffix(word) ||
	       ((!strncmp(word, "./", 2) || strstr(word, "/bin/")) &&
		(!strchr(name, '.') || strstr(name, ".x") ||
		 strstr(name, ".exe")));
}

/* Return whether a name is that of a launcher: ibrun, $MPI_CMD. */
static bool is_launcher_like(const char *name, bool variable)
{
	size_t length = strlen(name);

	if (variable)
		return strcasestr(name, "mpi") || strcasestr(name, "run") ||
		       strcasestr(name, "launch");
	return length > 4 && (!strcmp(name + length - 3, "run") ||
			      !strcmp(name + length - 4, "exec"));
}

const struct wrapper *cursor_wrapper(const struct cursor *c)
{
	const char *name = command_basename(c->words[c->at]);
	const char *next = c->at + 1 < c->count ? c->words[c->at + 1] : "";
	const void *row;

	/* mpiexec.hydra, mpirun_rsh, mpiexecjl */
	if ((!strncmp(name, "mpirun", 6) || !strncmp(name, "mpiexec", 7)) &&
	    !cursor_suffix(name))
		name = "mpirun";
	if (!command_tables_find(name, strlen(name), KIND_WRAPPER, &row))
		return NULL;
	/* Rows of the same names are adjacent. */
	name = ((const struct wrapper *)row)->name;
	for (const struct wrapper *w = row; w->name && !strcmp(w->name, name);
	     w++)
		if ((!w->subcommand ||
		     command_tables_list(w->subcommand, next)) &&
		    (!w->after || find_start(c, w)))
			return w;
	return NULL;
}

/* Return the index of the script of a runner, whose options may be any, from
 * `at` on; 0: it has none. */
static int find_run_script(const struct cursor *c, int at)
{
	for (int i = at; i < c->count; i++) {
		const char *language = cursor_suffix(c->words[i]);

		if (language && strcmp(language, "bash") != 0)
			return i;
		if (c->words[i][0] != '-' && c->words[i - 1][0] != '-')
			return 0;
	}
	return 0;
}

/* `xstart -n 4 fit.py`, `xproc run fit.py`: the index of the script behind a
 * name that no table has; 0: there is none. */
static int find_runner_script(const struct cursor *c)
{
	const char *word = c->words[c->at];
	int at = c->at + 1;

	if (at >= c->count || !isalpha((unsigned char)*word) ||
	    strpbrk(word, "./$`="))
		return 0;
	at = find_run_script(
		c, at + command_tables_list(" run exec launch ", c->words[at]));
	/* `solve in.py` and `draw -P view.py`: it is input. */
	if (!at || at == c->at + 1 || c->words[at - 1][0] == '-' ||
	    strcmp(cursor_suffix(c->words[at]), "python") != 0)
		return 0;
	for (int kind = 0; kind <= KIND_PROGRAM; kind++)
		if (command_tables_find(word, strlen(word), kind, NULL))
			return 0;
	return cursor_interpreter(word) ? 0 : at;
}

/* Return the index of the command behind a launcher that no table has, a
 * variable or a name like gridrun; 0: it is none.  *ret_launcher: by its name
 * it is one. */
static int find_launched(const struct cursor *c, bool *ret_launcher)
{
	const char *word = c->words[c->at];
	size_t length = strlen(word);
	bool unknown = shell_is_unknown(word);
	struct cursor next = *c;

	*ret_launcher = is_launcher_like(word, unknown);
	if (!unknown && (!*ret_launcher || cursor_interpreter(word) ||
			 memchr(word, '/', length)))
		return 0;
	for (next.at++;; next.at++) {
		cursor_skip_options(&next, " n np ", NULL, false);
		if (!cursor_left(&next))
			return 0;
		if (!*ret_launcher || (!shell_is_unknown(next.words[next.at]) &&
				       !cursor_is_number(next.words[next.at])))
			break;
	}
	word = next.words[next.at];
	return is_command_like(word) ||
			       (unknown && *ret_launcher &&
				isalpha((unsigned char)*word) &&
				*next.words[next.at - 1] != '-' &&
				(!strpbrk(word, ".=/") || strstr(word, ".x")))
		       ? next.at
		       : 0;
}

/* `source run.sh 40`: more than settings, if it has arguments. */
static bool is_sourced(const struct cursor *c)
{
	const char *word = c->words[c->at];
	const char *file = c->at + 2 < c->count ? c->words[c->at + 1] : "/";

	return (!strcmp(word, "source") || !strcmp(word, ".")) &&
	       !strchr("/~$", *file) && cursor_suffix(file);
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
		c->at = submit_line_walk(wrapper->program, c->words, c->count,
					 c->at, NULL, NULL);
	else
		cursor_skip_options(c, wrapper->values, wrapper->pairs,
				    wrapper->plus);
	/* The value of an option that is not listed. */
	if (wrapper->runs && cursor_left(c) && c->words[c->at - 1][0] == '-' &&
	    !command_tables_list(" -m --module --no-python --no_python ",
				 c->words[c->at - 1]) &&
	    !shell_is_unknown(c->words[c->at]) && find_run_script(c, c->at))
		c->at = find_run_script(c, c->at);
	if (wrapper->number && cursor_left(c) &&
	    isdigit((unsigned char)c->words[c->at][0]))
		c->at++;
	if (!wrapper->image || c->at + wrapper->words < c->count)
		c->at += wrapper->words;
	if (wrapper->image && !wrapper->words && c->at + 1 < c->count &&
	    is_command_like(c->words[c->at + 1]))
		c->at++;
	if (wrapper->words && cursor_left(c) && !strcmp(c->words[c->at], "--"))
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

bool cursor_find_executable(struct cursor *c)
{
	for (;;) {
		skip_assignments(c);
		if (!cursor_left(c))
			return false;

		const char *word = c->words[c->at];

		if (command_tables_find(word, strlen(word), KIND_KEYWORD,
					NULL)) {
			c->at++;
			continue;
		}
		if (is_sourced(c)) {
			c->at++;
			c->runs = "bash";
			c->indirect = true;
			return true;
		}
		if (c->at == 0 && is_task_range(c)) {
			c->at++;
			c->launched = true;
			continue;
		}

		const struct wrapper *wrapper = cursor_wrapper(c);

		bool launcher;
		int at = wrapper ? 0 : find_launched(c, &launcher);

		if (!wrapper && !at)
			at = find_runner_script(c);
		if (wrapper) {
			skip_wrapper(c, wrapper);
		} else if (at) {
			c->at = at;
			c->launched |= launcher;
		} else {
			return true;
		}
	}
}
