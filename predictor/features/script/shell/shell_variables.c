/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_variables.c - values of $NAME, ${NAME:-value}, $1 and "$@"
 *
 * Expansions are parsed from the text, with bounds on the search for their
 * ends. Values are in one buffer of the shell, appended at each assignment; a
 * variable remembers which of the script's arguments its value came from.
 */
#include <ctype.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/script/shell/shell_arithmetic.h"
#include "predictor/features/script/shell/shell_branches.h"
#include "predictor/features/script/shell/shell_variables.h"
#include "predictor/features/secret.h"

/* Bytes of an expansion in braces; bounds the search for their end. */
#define BRACES_MAX 256

/* Braces without an end, after which no more are read. */
#define UNCLOSED_MAX 16

/* Bytes of a quoted text within parentheses, likewise. */
#define QUOTES_MAX 256

shell_arguments shell_argument_bit(int number)
{
	return number > 0 && number < 64 ? (shell_arguments)1 << number : 0;
}

/* --- Read ----------------------------------------------------------------- */

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

/* Return the position after a quoted text; the next byte if it has no end. */
static const char *skip_quotes(const char *at, const char *end)
{
	char quote = *at;

	if (end - at > QUOTES_MAX)
		end = at + QUOTES_MAX;
	for (const char *p = at + 1; p < end && *p != '\n'; p++) {
		if (*p == quote)
			return p + 1;
		p += *p == '\\' && quote == '"';
	}
	return at + 1;
}

void shell_skip_parentheses(struct shell *shell)
{
	int depth = 0;

	while (shell->at < shell->end) {
		char c = *shell->at;

		if (c == '"' || c == '\'') {
			shell->at = skip_quotes(shell->at, shell->end);
			continue;
		}
		shell->at++;
		depth += (c == '(') - (c == ')');
		if (!depth)
			return;
	}
}

static bool set_name(struct shell_expansion *ret, const char *name,
		     size_t length)
{
	if (!length || !piece_copy(ret->name, sizeof(ret->name), name, length))
		return false;
	ret->all = *name == '@' || *name == '*';
	return true;
}

/* Return the closing brace of a text that is after its opening one; NULL:
 * too far. */
static const char *find_close(const char *at, const char *end)
{
	int depth = 1;

	if (end - at > BRACES_MAX)
		end = at + BRACES_MAX;
	for (; at < end; at++) {
		if (*at == '\\' && at + 1 < end)
			at++;
		else if (*at == '{')
			depth++;
		else if (*at == '}' && !--depth)
			return at;
	}
	return NULL;
}

/* Read the operator at `rest`, in front of the closing brace. */
static bool read_operation(const char *rest, const char *close,
			   struct shell_expansion *ret)
{
	if (close - rest == 3 &&
	    (!memcmp(rest, "[@]", 3) || !memcmp(rest, "[*]", 3))) {
		ret->all = true;
		return true;
	}
	bool part = *rest == ':' && close - rest > 1 &&
		    strchr(" 0123456789", rest[1]);

	if (*rest == ':' && !part &&
	    (close - rest < 2 || !strchr("-=?+", rest[1])))
		return false;
	rest += *rest == ':' && !part;
	if (!strchr("-=?+%#[:", *rest))
		return false;
	ret->operation = *rest++;
	if (strchr("%#", ret->operation) && rest < close &&
	    *rest == ret->operation) {
		ret->twice = true;
		rest++;
	}
	ret->text = rest;
	ret->size = (size_t)(close - rest);
	return true;
}

/* What follows "${". */
static bool read_braces(struct shell *shell, struct shell_expansion *ret)
{
	const char *close = shell->unclosed < UNCLOSED_MAX
				    ? find_close(shell->at, shell->end)
				    : NULL;
	const char *name = shell->at;

	if (!close) {
		shell->unclosed++;
		return false;
	}

	size_t length = name_length(name, close, true);

	shell->at = close + 1;
	if (!set_name(ret, name, length))
		return false;
	if (name + length < close && !read_operation(name + length, close, ret))
		return false;
	/* Slurm will set it to another value than the default. */
	if (!strncmp(ret->name, "SLURM", 5) && strchr("-=", ret->operation))
		ret->operation = 0;
	return true;
}

/* At the "((" of a sum. */
static bool read_sum(struct shell *shell, struct shell_expansion *ret,
		     shell_variables *ret_variables, shell_arguments *ret_uses)
{
	const char *text = shell->at + 2;

	shell_skip_parentheses(shell);
	if (shell->at - text < 2)
		return false;
	shell_work(shell, 150 + 10 * (size_t)(shell->at - text));
	ret->arithmetic = true;
	return shell_calculate(shell, text, (size_t)(shell->at - text) - 2,
			       &ret->value, ret_variables, ret_uses);
}

/* $#: the number of arguments, if they are known. */
static bool read_count(struct shell *shell, struct shell_expansion *ret)
{
	int count = shell->positions->count - shell->positions->shifted;

	shell->at++;
	ret->arithmetic = true;
	ret->value = count - 1;
	return count > 0;
}

bool shell_read_expansion(struct shell *shell, struct shell_expansion *ret,
			  shell_variables *ret_variables,
			  shell_arguments *ret_uses)
{
	size_t room = (size_t)(shell->end - shell->at);

	*ret = (struct shell_expansion){ .all = false };
	if (room > 1 && shell->at[0] == '(' && shell->at[1] == '(')
		return read_sum(shell, ret, ret_variables, ret_uses);
	if (room && *shell->at == '(') {
		shell_skip_parentheses(shell);
		return false;
	}
	if (room && *shell->at == '#')
		return read_count(shell, ret);
	if (room && *shell->at == '{') {
		shell->at++;
		return read_braces(shell, ret);
	}
	const char *name = shell->at;
	size_t length = name_length(name, shell->end, false);

	shell->at += length;
	return set_name(ret, name, length);
}

/* --- Values --------------------------------------------------------------- */

/* Numbers at the end are what differs most: N_1, N_2. */
static unsigned char name_tag(const char *name)
{
	size_t length = strlen(name);
	unsigned last = length ? (unsigned char)name[length - 1] : 0;
	unsigned before = length > 1 ? (unsigned char)name[length - 2] : 0;

	return (unsigned char)(last * 7 + before * 31 + length);
}

static int variable_find(const struct shell *shell, const char *name)
{
	unsigned char tag = name_tag(name);

	for (int i = 0; i < shell->variables_count; i++)
		if (shell->variables[i].tag == tag &&
		    !strcmp(shell->variables[i].name, name))
			return i;
	return -1;
}

/* $1: of the script, or of the function that is being called. */
static const char *argument_value(const struct shell *shell, const char *name,
				  shell_arguments *uses,
				  shell_variables *variables)
{
	const struct shell_positions *p = shell->positions;
	int number = 0;

	for (; *name && number < 1000; name++)
		number = number * 10 + (*name - '0');
	/* Those removed by `shift` have no number; it is at most a thousand. */
	if (number < 1)
		return NULL;
	number += p->shifted;
	if (number >= p->count)
		return p->count ? "" : NULL;
	*uses |= p->called ? p->uses : shell_argument_bit(number);
	*variables |= p->variables;
	return p->words[number];
}

const char *shell_value(const struct shell *shell, const char *name,
			shell_arguments *uses, shell_variables *variables)
{
	if (isdigit((unsigned char)*name))
		return argument_value(shell, name, uses, variables);

	int i = variable_find(shell, name);

	if (i < 0 || !shell->variables[i].value)
		return NULL;
	*uses |= shell->variables[i].uses;
	*variables |= UINT64_C(1) << i;
	return shell->variables[i].value;
}

/* NULL: there are too many. */
static struct shell_variable *
variable_find_or_add(struct shell *shell, const char *name, size_t length)
{
	char copy[SHELL_NAME_SIZE];

	if (!piece_copy(copy, sizeof(copy), name, length))
		return NULL;

	int i = variable_find(shell, copy);

	if (i < 0 && shell->variables_count == SHELL_VARIABLES_MAX)
		return NULL;
	if (i < 0) {
		i = shell->variables_count++;
		memcpy(shell->variables[i].name, copy, sizeof(copy));
		shell->variables[i].tag = name_tag(copy);
		shell->variables[i].value = NULL;
		shell->variables[i].exported = false;
		shell->variables[i].unsure = false;
	}
	return &shell->variables[i];
}

void shell_assign(struct shell *shell, const char *name, size_t length,
		  const char *value, shell_arguments uses, bool unsure)
{
	struct shell_variable *variable =
		variable_find_or_add(shell, name, length);
	size_t size = value ? strlen(value) + 1 : 0;

	shell_work(shell, 80 + size / 8);
	if (!variable)
		return;
	variable->value = NULL;
	variable->unsure = unsure;
	variable->array = value && *value == SHELL_ARRAY_MARK;
	if (variable->array) {
		value++;
		size--;
	}
	shell_branches_assigned(shell,
				UINT64_C(1) << (variable - shell->variables));
	if (!value || size > sizeof(shell->values) - shell->values_used)
		return;

	char *copy = shell->values + shell->values_used;

	memcpy(copy, value, size);
	if (secret_in(name, length, value, size - 1))
		strcpy(copy, size > strlen(SECRET_MARK) ? SECRET_MARK : "*");
	shell->values_used += size;
	variable->value = copy;
	variable->uses = uses;
}

void shell_export(struct shell *shell, const char *name, size_t length)
{
	struct shell_variable *variable =
		variable_find_or_add(shell, name, length);

	if (variable)
		variable->exported = true;
}

void shell_forget(struct shell *shell, shell_variables variables)
{
	for (int i = 0; i < shell->variables_count; i++)
		if (variables & UINT64_C(1) << i)
			shell->variables[i].value = NULL;
}

bool shell_is_array(const struct shell *shell, shell_variables variables)
{
	return variables && shell->variables[__builtin_ctzll(variables)].array;
}

bool shell_any_unsure(const struct shell *shell, shell_variables variables)
{
	for (int i = 0; variables && i < shell->variables_count; i++)
		if (variables & UINT64_C(1) << i && shell->variables[i].unsure)
			return true;
	return false;
}
