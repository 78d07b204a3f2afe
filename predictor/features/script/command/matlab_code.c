/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matlab_code.c - the function that a line of MATLAB code runs
 *
 * Statements are read until one calls a function that is not in ignored_names;
 * assignments of numbers on the way, and its numeric arguments, are parameters.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/script/command/arguments.h"
#include "predictor/features/script/command/command_tables.h"
#include "predictor/features/script/command/matlab_code.h"

/* Statements and functions that are not a job's main one. */
static const char ignored_names[] =
	" try catch end exit quit addpath cd clear close clc disp parpool tic"
	" toc format rng warning fprintf rethrow if for genpath rmpath delete"
	" error savepath pkg maxNumCompThreads set else return more matlabpool"
	" path ";

/* Read an identifier; returns its length, 0: there is none, or it is
 * too long. */
static size_t read_name(const char *at, char ret[MATLAB_NAME_SIZE])
{
	size_t length = 0;

	if (!isalpha((unsigned char)*at))
		return 0;
	while (at[length] == '_' || isalnum((unsigned char)at[length]))
		length++;
	return piece_copy(ret, MATLAB_NAME_SIZE, at, length) ? length : 0;
}

/* Read the number that stands alone before `stops`. */
static bool read_number(const char *at, const char *stops, double *ret)
{
	char text[32];
	size_t length = strcspn(at, stops);

	while (length && isspace((unsigned char)at[length - 1]))
		length--;
	return piece_copy(text, sizeof(text), at, length) &&
	       arguments_number(text, ret);
}

/* After the '(' of a call: the numbers among its arguments. */
static void read_arguments(const char *at, struct parameters *set)
{
	for (int position = 1; *at && *at != ')'; position++) {
		char name[16];
		double value;

		at += strspn(at, " ");
		snprintf(name, sizeof(name), "arg%d", position);
		if (read_number(at, ",)", &value))
			parameters_set(set, name, value, NULL);
		at += strcspn(at, ",)");
		at += *at == ',';
	}
}

/* run('x.m'), run x */
static void read_run(const char *at, char ret_name[MATLAB_NAME_SIZE])
{
	const char *path = at + strspn(at, " ('\"");
	size_t length = strcspn(path, "'\");, ");
	size_t start = length;

	while (start && path[start - 1] != '/')
		start--;
	if (!read_name(path + start, ret_name))
		snprintf(ret_name, MATLAB_NAME_SIZE, "run");
}

/* Return the start of the next statement.  Commas in parentheses do not
 * end one. */
static const char *next_statement(const char *at)
{
	for (int depth = 0; *at; at++) {
		depth += (*at == '(' || *at == '[');
		depth -= (*at == ')' || *at == ']');
		if (*at == ';' || *at == '\n' || (*at == ',' && depth <= 0))
			return at + 1;
	}
	return at;
}

/* Skip what may precede the first name of a statement. */
static const char *skip_heads(const char *at)
{
	for (at += strspn(at, " ;,\n\t");
	     !strncmp(at, "try", 3) && at[3] && strchr(" ,;", at[3]);)
		at += 3 + strspn(at + 3, " ;,\n\t");
	/* [a, b] = f(1) */
	if (*at == '[') {
		const char *close = strstr(at, "] =");

		close = close ? close : strstr(at, "]=");
		if (close)
			return close + 1 + strspn(close + 1, " =");
	}
	return at;
}

/* After a '=': a number, which is added, or a call, whose name replaces `name`.
 * Returns what follows that name; NULL: there is no call. */
static const char *read_value(const char *at, char name[MATLAB_NAME_SIZE],
			      struct parameters *set)
{
	char function[MATLAB_NAME_SIZE];
	double value;

	at += strspn(at, " ");
	if (read_number(at, ",;\n", &value)) {
		parameters_set(set, name, value, NULL);
		return NULL;
	}

	size_t length = read_name(at, function);

	if (!length || at[length] != '(' ||
	    command_tables_list(ignored_names, function))
		return NULL;
	memcpy(name, function, sizeof(function));
	return at + length;
}

bool matlab_code_read(const char *code, char ret_name[MATLAB_NAME_SIZE],
		      struct parameters *set)
{
	char name[MATLAB_NAME_SIZE];

	for (const char *at = skip_heads(code); *at;
	     at = skip_heads(next_statement(at))) {
		size_t length = read_name(at, name);
		const char *rest = at + length + strspn(at + length, " ");

		if (!length || command_tables_list(ignored_names, name))
			continue;
		if (*rest == '=' && rest[1] != '=')
			rest = read_value(rest + 1, name, set);
		if (!rest)
			continue;
		memcpy(ret_name, name, sizeof(name));
		if (!strcmp(name, "run"))
			read_run(rest, ret_name);
		else if (*rest == '(')
			read_arguments(rest + 1, set);
		return true;
	}
	return false;
}
