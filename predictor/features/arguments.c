/* arguments.c - the numbers in the arguments of a command */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/arguments.h"
#include "predictor/features/shell_variables.h"

bool arguments_number(const char *text, double *ret)
{
	static const struct {
		char letter;
		double factor;
	} suffixes[] = { { 'k', 1e3 },  { 'K', 1e3 }, { 'm', 1e6 },
			 { 'M', 1e6 },  { 'g', 1e9 }, { 'G', 1e9 },
			 { 'T', 1e12 }, { '\0', 1 } };
	const char *digits = text + (*text == '-' || *text == '+');
	char *end;

	/* Not "inf", "nan" and " 1", which strtod() would take. */
	if (!isdigit((unsigned char)*digits) &&
	    !(*digits == '.' && isdigit((unsigned char)digits[1])))
		return false;

	double value = strtod(text, &end);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (*end && *end == suffixes[i].letter) {
			value *= suffixes[i].factor;
			end++;
			break;
		}
	if (*end || !isfinite(value))
		return false;
	*ret = value;
	return true;
}

/* The first `length` bytes of `name` if they can be a name at all. */
static void set(struct parameters *parameters, const char *name, size_t length,
		double value)
{
	char copy[2 * PARAMETER_NAME_SIZE];

	if (length >= sizeof(copy))
		return;
	memcpy(copy, name, length);
	copy[length] = '\0';
	parameters_set(parameters, copy, value, NULL);
}

/* "-n" or "--steps", but not "-5", "-" and "--". */
static bool is_option(const char *word)
{
	double number;

	return word[0] == '-' && word[strspn(word, "-")] &&
	       !arguments_number(word, &number);
}

/* NAME=NUMBER, -nNUMBER: what stands in one word.  Returns whether it was
 * one, number or not. */
static bool read_joined(const char *word, bool wanted, struct parameters *ret)
{
	bool option = is_option(word);
	const char *name = word + (option ? strspn(word, "-") : 0);
	const char *equals = strchr(name, '=');
	double value;

	if (equals && equals != name) {
		if (wanted && arguments_number(equals + 1, &value))
			set(ret, name, (size_t)(equals - name), value);
		return true;
	}
	if (option && word[1] != '-' && isalpha((unsigned char)*name) &&
	    arguments_number(name + 1, &value)) {
		if (wanted)
			set(ret, name, 1, value);
		return true;
	}
	return false;
}

void arguments_read(const char *const words[], int count, shell_arguments skip,
		    struct parameters *ret)
{
	int position = 0;

	for (int i = 0; i < count; i++) {
		const char *word = words[i];
		bool wanted = !(skip & shell_argument_bit(i + 1));
		double value;

		if (!*word || !strcmp(word, "--") ||
		    read_joined(word, wanted, ret))
			continue;
		if (is_option(word)) {
			/* Its value may be a number in the next word. */
			if (i + 1 == count ||
			    !arguments_number(words[i + 1], &value))
				continue;
			wanted = !(skip & shell_argument_bit(i + 2));
			word += strspn(word, "-");
			i++;
			if (wanted)
				set(ret, word, strlen(word), value);
			continue;
		}
		position++;
		if (wanted && arguments_number(word, &value)) {
			char name[16];

			snprintf(name, sizeof(name), "arg%d", position);
			set(ret, name, strlen(name), value);
		}
	}
}
