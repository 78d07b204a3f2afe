/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_options.c - values of --predict and its like */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "plugin/spank/profile_kinds.h"
#include "plugin/spank/user_options.h"
#include "predictor/base/conf.h"

#define PROFILE_KINDS_MAX 15

/* The argument `text` of `option` (NULL: none) must be one of `words`. */
static int choose_word(const char *option, const char *text,
		       const char *const words[], int *ret,
		       struct sp_error *err)
{
	struct sp_error why;

	if (!conf_word(text ? text : "", words, ret, &why))
		return 0;
	return sp_error_set(err, "--%s=%.60s: %s", option, text ? text : "",
			    why.text);
}

static int choose_mode(const char *option, const char *text, const char **ret,
		       struct sp_error *err)
{
	static const char *const words[] = { "off", "observe", "advise", "act",
					     NULL };
	int i;

	if (choose_word(option, text, words, &i, err))
		return -1;
	*ret = words[i];
	return 0;
}

int user_options_set_mode(struct user_options *user, const char *text,
			  struct sp_error *err)
{
	return choose_mode("predict", text, &user->mode, err);
}

int user_options_set_nodes(struct user_options *user, const char *text,
			   struct sp_error *err)
{
	return choose_mode("predict-nodes", text, &user->nodes, err);
}

int user_options_set_profile(struct user_options *user, const char *text,
			     struct sp_error *err)
{
	const char *words[PROFILE_KINDS_MAX + 1];
	int count = 0, i;

	while (count < PROFILE_KINDS_MAX && profile_kinds[count].name) {
		words[count] = profile_kinds[count].name;
		count++;
	}
	words[count] = NULL;
	if (choose_word("predict-profile", text, words, &i, err))
		return -1;
	user->profile = words[i];
	return 0;
}

int user_options_set_files(struct user_options *user, const char *text,
			   struct sp_error *err)
{
	static const char *const words[] = { "no", "yes", NULL };
	int i;

	if (choose_word("predict-files", text, words, &i, err))
		return -1;
	user->no_files = i == 0;
	return 0;
}

/* Return the length of the name that `text` begins with; 0: none. */
static size_t name_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_' ||
	       (length > 0 && (text[length] == '.' || text[length] == '-')))
		length++;
	return length;
}

/* A number or a text: printable, without blanks, and not two parameters in
 * one ("n=1,m=2"). */
static int check_value(const char *text)
{
	for (const char *c = text; *c; c++)
		if (*c <= ' ' || *c > '~' || *c == '=')
			return -1;
	return *text ? 0 : -1;
}

int user_options_add_parameter(struct user_options *user, const char *text,
			       struct sp_error *err)
{
	size_t length = text ? name_length(text) : 0;
	int at;

	if (!length || text[length] != '=' ||
	    length >= OPTION_PARAMETER_NAME_SIZE)
		return sp_error_set(err,
				    "--predict-param=%.60s: must be "
				    "name=value, the name of letters, digits "
				    "and _.-, shorter than %d",
				    text ? text : "",
				    OPTION_PARAMETER_NAME_SIZE);
	if (strlen(text) >= OPTION_PARAMETER_TEXT_SIZE ||
	    check_value(text + length + 1))
		return sp_error_set(err,
				    "--predict-param=%.60s: after the = must "
				    "be a number or a text, without blanks "
				    "and =",
				    text);
	for (at = 0; at < user->parameters_count; at++)
		if (strncmp(user->parameters[at], text, length + 1) == 0)
			break;
	if (at == OPTION_PARAMETERS_MAX)
		return sp_error_set(err,
				    "--predict-param=%.60s: more than %d "
				    "parameters",
				    text, OPTION_PARAMETERS_MAX);
	strcpy(user->parameters[at], text);
	if (at == user->parameters_count)
		user->parameters_count++;
	return 0;
}

void user_options_parameters(const struct user_options *user,
			     char ret_text[OPTION_PARAMETERS_TEXT_SIZE])
{
	size_t used = 0;

	ret_text[0] = '\0';
	for (int i = 0; i < user->parameters_count; i++)
		used += (size_t)snprintf(
			ret_text + used, OPTION_PARAMETERS_TEXT_SIZE - used,
			"%s%s", i ? " " : "", user->parameters[i]);
}
