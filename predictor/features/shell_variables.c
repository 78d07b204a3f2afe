/* shell_variables.c - what $NAME, ${NAME:-value}, $1 and "$@" stand for */
#include <ctype.h>
#include <string.h>

#include "predictor/features/shell_variables.h"

/* Bytes of an expansion in braces; bounds the search for their end. */
#define BRACES_MAX 256

shell_arguments shell_argument_bit(int number)
{
	return number > 0 && number < 64 ? (shell_arguments)1 << number : 0;
}

/* --- Reading ------------------------------------------------------------- */

static bool is_name_char(char c)
{
	return c == '_' ||
	       ((unsigned char)c < 0x80 && isalnum((unsigned char)c));
}

/* A name, one digit, '@' or '*'; in braces several digits.  Returns its
 * length, 0 if there is none. */
static size_t name_length(const char *at, const char *end, bool braces)
{
	size_t length = 0;

	if (at < end && (*at == '@' || *at == '*'))
		return 1;
	if (at < end && isdigit((unsigned char)*at) && !braces)
		return 1;
	while (at + length < end && is_name_char(at[length]))
		length++;
	return length;
}

void shell_skip_parentheses(struct shell *shell)
{
	int depth = 0;

	for (; shell->at < shell->end; shell->at++) {
		depth += (*shell->at == '(') - (*shell->at == ')');
		if (!depth) {
			shell->at++;
			return;
		}
	}
}

static bool set_name(struct shell_expansion *ret, const char *name,
		     size_t length)
{
	if (!length || length >= sizeof(ret->name))
		return false;
	memcpy(ret->name, name, length);
	ret->name[length] = '\0';
	ret->all = *name == '@' || *name == '*';
	return true;
}

/* What follows "${". */
static bool read_braces(struct shell *shell, struct shell_expansion *ret)
{
	size_t room = (size_t)(shell->end - shell->at);
	const char *close =
		memchr(shell->at, '}', room < BRACES_MAX ? room : BRACES_MAX);
	const char *name = shell->at;

	if (!close)
		return false;

	size_t length = name_length(name, close, true);
	const char *rest = name + length;

	shell->at = close + 1;
	if (!set_name(ret, name, length))
		return false;
	if (rest == close)
		return true;
	rest += *rest == ':';
	if (rest == close || (*rest != '-' && *rest != '='))
		return false;
	ret->fallback = rest + 1;
	ret->fallback_size = (size_t)(close - rest - 1);
	return true;
}

bool shell_read_expansion(struct shell *shell, struct shell_expansion *ret)
{
	*ret = (struct shell_expansion){ .all = false };
	if (shell->at < shell->end && *shell->at == '(') {
		shell_skip_parentheses(shell);
		return false;
	}
	if (shell->at < shell->end && *shell->at == '{') {
		shell->at++;
		return read_braces(shell, ret);
	}
	const char *name = shell->at;
	size_t length = name_length(name, shell->end, false);

	shell->at += length;
	return set_name(ret, name, length);
}

/* --- Values -------------------------------------------------------------- */

static struct shell_variable *find(const struct shell *shell, const char *name)
{
	for (int i = 0; i < shell->variables_count; i++)
		if (!strcmp(shell->variables[i].name, name))
			return (struct shell_variable *)&shell->variables[i];
	return NULL;
}

const char *shell_value(const struct shell *shell, const char *name,
			shell_arguments *uses)
{
	if (isdigit((unsigned char)*name)) {
		int number = 0;

		for (; *name && number < 1000; name++)
			number = number * 10 + (*name - '0');
		if (number < 1 || number >= shell->arguments_count)
			return NULL;
		*uses |= shell_argument_bit(number);
		return shell->arguments[number];
	}
	const struct shell_variable *variable = find(shell, name);

	if (!variable || !variable->value)
		return NULL;
	*uses |= variable->uses;
	return variable->value;
}

void shell_assign(struct shell *shell, const char *name, size_t length,
		  const char *value, shell_arguments uses)
{
	char copy[SHELL_NAME_SIZE];
	size_t size = strlen(value) + 1;

	if (length >= sizeof(copy))
		return;
	memcpy(copy, name, length);
	copy[length] = '\0';

	struct shell_variable *variable = find(shell, copy);

	if (!variable && shell->variables_count == SHELL_VARIABLES_MAX)
		return;
	if (!variable) {
		variable = &shell->variables[shell->variables_count++];
		memcpy(variable->name, copy, sizeof(copy));
	}
	variable->value = NULL;
	if (size > sizeof(shell->values) - shell->values_used)
		return;

	char *place = shell->values + shell->values_used;

	memcpy(place, value, size);
	shell->values_used += size;
	variable->value = place;
	variable->uses = uses;
}
