/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parameters.c - the numbers that a user gave to an application */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "predictor/features/parameters.h"
#include "predictor/features/secret.h"

/* Copy a name, cut at its size; -1: it is not one. */
static int check_name(const char *name, char ret[PARAMETER_NAME_SIZE])
{
	size_t length = 0;

	for (; name[length]; length++) {
		unsigned char c = (unsigned char)name[length];
		const char *others = length ? "_.-" : "_";

		if (c >= 0x80 || (!isalnum(c) && !strchr(others, c)))
			return -1;
		if (length < PARAMETER_NAME_SIZE - 1)
			ret[length] = (char)c;
	}
	if (!length)
		return -1;
	ret[length < PARAMETER_NAME_SIZE ? length : PARAMETER_NAME_SIZE - 1] =
		'\0';
	return 0;
}

/* Return where `name` stands, or would. */
static int parameter_find(const struct parameters *set, const char *name,
			  bool *ret_found)
{
	int i = 0;

	while (i < set->count && strcmp(set->of[i].name, name) < 0)
		i++;
	*ret_found = i < set->count && !strcmp(set->of[i].name, name);
	return i;
}

int parameters_set(struct parameters *set, const char *name, double value,
		   struct sp_error *err)
{
	char clean[PARAMETER_NAME_SIZE] = "";
	bool found;

	if (check_name(name, clean) < 0)
		return sp_error_set(err, "bad parameter name '%.40s'", name);
	if (!isfinite(value))
		return sp_error_set(err, "parameter %s: not a finite number",
				    clean);
	if (secret_number(clean, value))
		return 0;

	int i = parameter_find(set, clean, &found);

	if (!found && set->count == PARAMETERS_MAX)
		return sp_error_set(err, "parameter %s: there are %d already",
				    clean, PARAMETERS_MAX);
	if (!found) {
		memmove(&set->of[i + 1], &set->of[i],
			(size_t)(set->count - i) * sizeof(set->of[0]));
		memset(&set->of[i], 0, sizeof(set->of[i]));
		memcpy(set->of[i].name, clean, sizeof(clean));
		set->count++;
	}
	set->of[i].value = value;
	return 0;
}

void parameters_remove(struct parameters *set, const char *name)
{
	bool found;
	int i = parameter_find(set, name, &found);

	if (!found)
		return;
	set->count--;
	memmove(&set->of[i], &set->of[i + 1],
		(size_t)(set->count - i) * sizeof(set->of[0]));
}

const double *parameters_get(const struct parameters *set, const char *name)
{
	bool found;
	int i = parameter_find(set, name, &found);

	return found ? &set->of[i].value : NULL;
}

bool parameters_alike(const struct parameters *a, const struct parameters *b)
{
	if (a->count != b->count)
		return false;
	for (int i = 0; i < a->count; i++)
		if (strcmp(a->of[i].name, b->of[i].name))
			return false;
	return true;
}

bool parameters_equal(const struct parameters *a, const struct parameters *b)
{
	if (!parameters_alike(a, b))
		return false;
	for (int i = 0; i < a->count; i++)
		if (a->of[i].value != b->of[i].value)
			return false;
	return true;
}
