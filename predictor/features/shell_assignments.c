/* shell_assignments.c - commands that only give variables their values
 *
 *	N=5 M=6      export N=5      declare -i N=5      N+=x      (bash)
 *	set N = 5    setenv N 5                                    (csh)
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "predictor/features/shell_variables.h"

bool shell_is_assignment(const char *word, size_t *ret_length)
{
	size_t length = 0;

	while (word[length] == '_' || isalnum((unsigned char)word[length]))
		length++;
	*ret_length = length;
	return length && !isdigit((unsigned char)*word) && word[length] == '=';
}

/* NAME+=VALUE */
static bool append(struct shell *shell, const char *word, shell_arguments uses)
{
	char name[SHELL_NAME_SIZE], value[1024];
	size_t length = strcspn(word, "+=");
	shell_variables variables = 0;

	if (!length || length >= sizeof(name) || word[length] != '+' ||
	    word[length + 1] != '=')
		return false;
	memcpy(name, word, length);
	name[length] = '\0';

	const char *old = shell_value(shell, name, &uses, &variables);
	int size = snprintf(value, sizeof(value), "%s%s", old ? old : "",
			    word + length + 2);

	shell_assign(shell, name, length,
		     size < (int)sizeof(value) ? value : NULL, uses);
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
static void take_joined(struct shell *shell,
			const struct shell_command *command, int first,
			bool exported)
{
	size_t length;

	for (int i = first; i < command->count; i++) {
		const char *word = command->words[i];

		if (shell_is_assignment(word, &length))
			shell_assign(shell, word, length, word + length + 1,
				     command->uses);
		else if (append(shell, word, command->uses))
			continue;
		else
			length = strlen(word);
		if (exported)
			shell_export(shell, word, length);
	}
}

static void take_export(struct shell *shell,
			const struct shell_command *command)
{
	take_joined(shell, command, 1, true);
}

static void take_declare(struct shell *shell,
			 const struct shell_command *command)
{
	take_joined(shell, command, 1, false);
}

static void take_setenv(struct shell *shell,
			const struct shell_command *command)
{
	if (command->count < 2)
		return;

	const char *name = command->words[1];

	shell_assign(shell, name, strlen(name),
		     command->count > 2 ? command->words[2] : "",
		     command->uses);
	shell_export(shell, name, strlen(name));
}

/* csh: N = 5; bash has only options and arguments here. */
static void take_set(struct shell *shell, const struct shell_command *command)
{
	const char *name = command->count > 1 ? command->words[1] : "-";

	if (command->count == 4 && !strcmp(command->words[2], "="))
		shell_assign(shell, name, strlen(name), command->words[3],
			     command->uses);
	else if (*name != '-' && *name != '+')
		take_joined(shell, command, 1, false);
}

bool shell_take_assignments(struct shell *shell,
			    const struct shell_command *command)
{
	static const struct {
		const char *name;
		void (*take)(struct shell *shell,
			     const struct shell_command *command);
	} setters[] = {
		{ "export", take_export },   { "declare", take_declare },
		{ "local", take_declare },   { "readonly", take_declare },
		{ "typeset", take_declare }, { "setenv", take_setenv },
		{ "set", take_set },         { NULL, NULL },
	};

	/* A head names a function; what stands in [...] may look alike. */
	if (command->head)
		return false;
	for (int i = 0; setters[i].name; i++)
		if (!strcmp(command->words[0], setters[i].name)) {
			setters[i].take(shell, command);
			return true;
		}
	for (int i = 0; i < command->count; i++)
		if (!is_joined(command->words[i]))
			return false;
	take_joined(shell, command, 0, false);
	return true;
}
