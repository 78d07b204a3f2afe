/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_assignments.c - commands that only set variables
 *
 *	N=5 M=6      export N=5      declare -i N=5      N+=x      (bash)
 *	set N = 5    setenv N 5                                    (csh)
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/script/shell/shell_variables.h"

bool shell_is_assignment(const char *word, size_t *ret_length)
{
	size_t length = 0;

	while (word[length] == '_' || isalnum((unsigned char)word[length]))
		length++;
	*ret_length = length;
	return length && !isdigit((unsigned char)*word) && word[length] == '=';
}

/* NAME+=VALUE */
static bool apply_append(struct shell *shell, const char *word,
			 shell_arguments uses, bool unsure)
{
	char name[SHELL_NAME_SIZE], value[1024];
	size_t length = strcspn(word, "+=");
	shell_variables variables = 0;

	if (!length || word[length] != '+' || word[length + 1] != '=' ||
	    !piece_copy(name, sizeof(name), word, length))
		return false;

	const char *old = shell_value(shell, name, &uses, &variables);

	unsure |= shell_any_unsure(shell, variables);
	word += length + 2;

	bool array = *word == SHELL_ARRAY_MARK;
	int size =
		snprintf(value, sizeof(value), "%.*s%s%s%s", array, word,
			 old ? old : "", old && array ? " " : "", word + array);

	shell_assign(shell, name, length,
		     size < (int)sizeof(value) ? value : NULL, uses, unsure);
	return true;
}

static bool is_joined(const char *word)
{
	size_t length;

	return shell_is_assignment(word, &length) ||
	       (isalpha((unsigned char)*word) &&
		word[strcspn(word, "+= ")] == '+' &&
		word[strcspn(word, "+= ") + 1] == '=');
}

/* NAME=VALUE and NAME+=VALUE from words[first] on. */
static void apply_joined(struct shell *shell,
			 const struct shell_command *command, int first,
			 bool exported)
{
	size_t length;

	for (int i = first; i < command->count; i++) {
		const char *word = command->words[i];

		if (shell_is_assignment(word, &length))
			shell_assign(shell, word, length, word + length + 1,
				     command->uses, command->unsure[i]);
		else if (apply_append(shell, word, command->uses,
				      command->unsure[i]))
			continue;
		else
			length = strlen(word);
		if (exported)
			shell_export(shell, word, length);
	}
}

/* Each has the index of its own word. */
static void apply_setenv(struct shell *shell,
			 const struct shell_command *command, int at)
{
	if (command->count < at + 2)
		return;

	const char *name = command->words[at + 1];

	shell_assign(shell, name, strlen(name),
		     command->count > at + 2 ? command->words[at + 2] : "",
		     command->uses,
		     command->count > at + 2 && command->unsure[at + 2]);
	shell_export(shell, name, strlen(name));
}

/* csh: N = 5; bash has only options and arguments here. */
static void apply_set(struct shell *shell, const struct shell_command *command,
		      int at)
{
	const char *name =
		command->count > at + 1 ? command->words[at + 1] : "-";

	if (command->count == at + 4 && !strcmp(command->words[at + 2], "="))
		shell_assign(shell, name, strlen(name), command->words[at + 3],
			     command->uses, command->unsure[at + 3]);
	else if (*name != '-' && *name != '+')
		apply_joined(shell, command, at + 1, false);
}

/* csh: @ n += 1; the value is not calculated. */
static void apply_at(struct shell *shell, const struct shell_command *command,
		     int at)
{
	bool number = command->count == at + 4 &&
		      !strcmp(command->words[at + 2], "=") &&
		      isdigit((unsigned char)*command->words[at + 3]);

	if (command->count > at + 1)
		shell_assign(shell, command->words[at + 1],
			     strcspn(command->words[at + 1], "+-="),
			     number ? command->words[at + 3] : NULL,
			     command->uses, false);
}

/* Words from index `at` on that only assign. */
static bool apply_from(struct shell *shell, const struct shell_command *command,
		       int at)
{
	static const struct {
		const char *name;
		void (*apply)(struct shell *shell,
			      const struct shell_command *command, int at);
	} setters[] = {
		{ "setenv", apply_setenv },
		{ "set", apply_set },
		{ "@", apply_at },
		{ NULL, NULL },
	};

	static const char *const declare[] = { "export",   "declare", "local",
					       "readonly", "typeset", NULL };

	for (int i = 0; declare[i]; i++)
		if (!strcmp(command->words[at], declare[i])) {
			apply_joined(shell, command, at + 1, !i);
			return true;
		}
	for (int i = 0; setters[i].name; i++)
		if (command->words[at][0] == setters[i].name[0] &&
		    !strcmp(command->words[at], setters[i].name)) {
			setters[i].apply(shell, command, at);
			return true;
		}
	for (int i = at; i < command->count; i++)
		if (!is_joined(command->words[i]))
			return false;
	apply_joined(shell, command, at, false);
	return true;
}

bool shell_apply_assignments(struct shell *shell,
			     const struct shell_command *command)
{
	static const char *const before[] = { "{", "then", "do", "else", NULL };

	/* A head names a function. */
	if (command->head)
		return false;
	/* A command follows these keywords, which the caller counts. */
	for (int i = 0; command->count > 1 && before[i]; i++)
		if (!strcmp(command->words[0], before[i])) {
			apply_from(shell, command, 1);
			return false;
		}
	return apply_from(shell, command, 0);
}
