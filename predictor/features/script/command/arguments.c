/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arguments.c - the numbers and texts in the arguments of a command
 *
 * Each word is NAME=NUMBER or -nNUMBER, or an option with its value in the next
 * word, or else has a position.  Words that are no numbers are traits, and may
 * be files.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "predictor/base/duration.h"
#include "predictor/base/piece.h"
#include "predictor/features/script/command/arguments.h"
#include "predictor/features/script/command/command_tables.h"
#include "predictor/features/script/shell/shell_unknown.h"
#include "predictor/features/script/shell/shell_variables.h"
#include "predictor/features/secret.h"

#define LIST_MAX 8

/* "k", "MB", "GiB": a thousand, a million, 1024^3; "h" and "s": seconds; 0:
 * none of these. */
static double suffix_factor(const char *suffix)
{
	static const char letters[] = "kKmMgGTT";
	const char *unit = *suffix ? strchr(letters, *suffix) : NULL;
	const char *rest = unit ? suffix + 1 : "?";
	bool binary = *rest == 'i';

	if (*suffix && !suffix[1] && strchr("hs", *suffix))
		return *suffix == 'h' ? 3600 : 1;
	if (rest[binary] && strcmp(rest + binary, "B"))
		return 0;

	int power = (int)(unit - letters) / 2 + 1;

	return pow(binary ? 1024 : 1000, power);
}

bool arguments_number(const char *text, double *ret)
{
	const char *digits = text + (*text == '-' || *text == '+');
	char *end;

	/* Not "inf", "nan" and " 1", which strtod() would take. */
	if (!isdigit((unsigned char)*digits) &&
	    !(*digits == '.' && isdigit((unsigned char)digits[1])))
		return false;

	double value = strtod(text, &end);

	if (*end)
		value *= suffix_factor(end);
	if ((*end && !suffix_factor(end)) || !isfinite(value))
		return false;
	*ret = value;
	return true;
}

/* Return whether one of the words is in the name. */
static bool name_has(const char *name, size_t length, const char *const *words)
{
	/* No parameter has a longer name. */
	for (int i = 0; words[i] && length < 2 * PARAMETER_NAME_SIZE; i++)
		for (size_t at = 0, size = strlen(words[i]);
		     at + size <= length; at++)
			if (!strncasecmp(name + at, words[i], size))
				return true;
	return false;
}

/* What is called so is a time: "1m" means minutes, not millions. */
static const char *const times[] = { "time",  "dur",   "interval",
				     "wait",  "limit", "period",
				     "delay", "every", NULL };

/* What is called so is a size, also with commas; others are lists. */
static const char *const sizes[] = { "dim", "size", "shape", "grid",
				     "box", "mesh", "cell",  NULL };

/* "64x64x128", "10*20": the product of at most LIST_MAX numbers, or 0. */
static double list_product(const char *name, size_t length, const char *text)
{
	double product = 1;
	int count = 0;

	for (const char *at = text; count < LIST_MAX; at++) {
		char *end;

		if (!isdigit((unsigned char)*at))
			return 0;
		/* Not the hexadecimal "0x10" */
		if (at[0] == '0' && (at[1] | 0x20) == 'x')
			return 0;
		product *= strtod(at, &end);
		if (!(product > 0))
			return 0;
		at = end;
		count++;
		if (!*at)
			return count > 1 ? product : 0;
		if (!strchr("xX*", *at) &&
		    !(*at == ',' && name_has(name, length, sizes)))
			return 0;
	}
	return 0;
}

/* "[D-]HH:MM:SS" in seconds, or 0. */
static double clock_time(const char *text)
{
	double seconds;
	int colons = 0;

	for (const char *c = text; *c; c++) {
		if (!isdigit((unsigned char)*c) && !strchr(":-", *c))
			return 0;
		colons += *c == ':';
	}
	if (colons != 2 || duration_parse(text, &seconds, NULL))
		return 0;
	return seconds;
}

/* Read a number, or several in one word, of that name. */
static bool read_value(const char *name, size_t length, const char *text,
		       double *ret)
{
	if (arguments_number(text, ret)) {
		if (text[strlen(text) - 1] == 'm' &&
		    name_has(name, length, times))
			*ret *= 60 / 1e6;
		return true;
	}
	*ret = list_product(name, length, text);
	if (!(*ret > 0))
		*ret = clock_time(text);
	return *ret > 0 && isfinite(*ret);
}

/* By the first `length` bytes of `name`; ignored if too long. */
static void set_parameter(struct parameters *parameters, const char *name,
			  size_t length, double value)
{
	char copy[2 * PARAMETER_NAME_SIZE];

	if (piece_copy(copy, sizeof(copy), name, length))
		parameters_set(parameters, copy, value, NULL);
}

/* "-n" or "--steps" or "+p", but not "-5", "-", "--" and "-a b", a value. */
static bool is_option(const char *word)
{
	double number;

	return (word[0] == '-' || word[0] == '+') && word[strspn(word, "-+")] &&
	       !strchr(word, ' ') && !arguments_number(word, &number);
}

void arguments_add_text(const struct arguments *a, const char *name,
			size_t length, const char *text, bool counted)
{
	char part[SHELL_UNKNOWN_MAX];

	if (a->files)
		file_arguments_add(a->files, name, length, text);
	if (a->traits && counted && !file_arguments_output(name, length) &&
	    shell_known_part(text, part, sizeof(part)))
		traits_add(a->traits, name, length, part);
}

/* NAME=NUMBER or -nNUMBER in one word.  True: it was one, with a number or
 * not. */
static bool read_joined(const struct arguments *a, const char *word,
			bool counted, struct parameters *ret)
{
	bool option = is_option(word);
	const char *name = word + (option ? strspn(word, "-+") : 0);
	const char *equals = strchr(name, '=');
	double value;

	if (equals && equals != name) {
		char block[PARAMETER_NAME_SIZE];
		size_t length = (size_t)(equals - name);

		/* time/limit=100 of a block of an input file */
		if (length < sizeof(block) && memchr(name, '/', length)) {
			for (size_t i = 0; i < length; i++)
				block[i] = name[i] == '/' ? '.' : name[i];
			name = block;
		}
		if (counted && read_value(name, length, equals + 1, &value))
			set_parameter(ret, name, length, value);
		else
			arguments_add_text(a, name, length, equals + 1,
					   counted);
		return true;
	}
	if (option && strncmp(word, "--", 2) && isalpha((unsigned char)*name) &&
	    arguments_number(name + 1, &value)) {
		if (counted)
			set_parameter(ret, name, 1, value);
		return true;
	}
	return false;
}

static bool is_counted(const struct arguments *a, int i)
{
	return !(a->skip & shell_argument_bit(i + 1)) &&
	       !(a->unsure && a->unsure[i]);
}

/* At an option that may have its value in the next words; returns their
 * number. */
static int read_option(const struct arguments *a, int i, struct parameters *ret)
{
	const char *name = a->words[i] + strspn(a->words[i], "-+");
	size_t length = strlen(name);
	double value;

	if (i + 1 < a->count &&
	    read_value(name, length, a->words[i + 1], &value)) {
		if (is_counted(a, i + 1))
			set_parameter(ret, name, length, value);
		return 1;
	}
	if (i + 2 < a->count && command_tables_option(a->pairs, a->words[i]) &&
	    read_value(a->words[i + 1], strlen(a->words[i + 1]),
		       a->words[i + 2], &value)) {
		name = a->words[i + 1];
		if (is_counted(a, i + 2))
			set_parameter(ret, name, strlen(name), value);
		return 2;
	}
	return 0;
}

/* Read a word that belongs to no option, or to the one before it. */
static void read_position(const struct arguments *a, int i, int position,
			  struct parameters *ret)
{
	const char *word = a->words[i];
	const char *before = i ? a->words[i - 1] : "";
	double value;
	char name[16];

	snprintf(name, sizeof(name), "arg%d", position);
	if (*word == '-' && strchr(word, ' '))
		return; /* options for another program */
	if (!read_value(name, strlen(name), word, &value)) {
		bool option = is_option(before) && !strchr(before, '=');
		const char *owner =
			option ? before + strspn(before, "-+") : name;

		arguments_add_text(a, owner, strlen(owner), word,
				   is_counted(a, i));
	} else if (is_counted(a, i)) {
		set_parameter(ret, name, strlen(name), value);
	}
}

void arguments_read(const struct arguments *a, struct parameters *ret)
{
	int position = 0;

	for (int i = 0; i < a->count; i++) {
		const char *word = a->words[i];

		if (strstr(word, SECRET_MARK)) {
			position += *word != '-' && !strchr(word, '=');
			continue;
		}
		if (i == a->except || !*word || !strcmp(word, "--") ||
		    read_joined(a, word, is_counted(a, i), ret))
			continue;
		if (is_option(word))
			i += read_option(a, i, ret);
		else
			read_position(a, i, ++position, ret);
	}
}
