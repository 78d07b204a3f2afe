/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scontrol_record.c - records of "Key=Value Key=Value", a line each */
#include <string.h>

#include "predictor/slurm/scontrol_record.h"

/* Where the first value of `name` begins in the record; how often the key
 * stands there. */
static const char *key_find(const char *record, size_t length, const char *name,
			    int *ret_count)
{
	size_t name_length = strlen(name);
	const char *found = NULL, *stop = record + length, *at = record;

	*ret_count = 0;
	while ((at = memmem(at, (size_t)(stop - at), name, name_length))) {
		const char *equals = at + name_length;

		if ((at == record || at[-1] == ' ') && equals < stop &&
		    *equals == '=') {
			if (!found)
				found = equals + 1;
			++*ret_count;
		}
		at = equals;
	}
	return found;
}

static size_t value_length(const struct scontrol_key *key, const char *value,
			   size_t left)
{
	const char *newline = memchr(value, '\n', left);

	if (newline)
		left = (size_t)(newline - value);

	const char *end =
		key->end ? memmem(value, left, key->end, strlen(key->end))
			 : memchr(value, ' ', left);

	return end ? (size_t)(end - value) : left;
}

static int key_read(const struct scontrol_key *key, const char *record,
		    size_t length, void *into, struct sp_error *err)
{
	char value[SCONTROL_VALUE_SIZE];
	int count;
	const char *at = key_find(record, length, key->name, &count);

	if (count == 0)
		return key->rule != SCONTROL_REQUIRED
			       ? 0
			       : sp_error_set(err, "%s is missing", key->name);
	if (count > 1 && key->rule == SCONTROL_UNAMBIGUOUS)
		return 0;
	if (count > 1 && key->rule != SCONTROL_FIRST)
		return sp_error_set(err,
				    "%s occurs %d times: a text of the user "
				    "imitates it",
				    key->name, count);

	size_t size = value_length(key, at, length - (size_t)(at - record));

	if (size >= sizeof(value))
		size = sizeof(value) - 1;
	memcpy(value, at, size);
	value[size] = '\0';
	if (key->set(into, value))
		return sp_error_set(err, "%s=%.60s makes no sense", key->name,
				    value);
	return 0;
}

int scontrol_record_read(const char *record, size_t length,
			 const struct scontrol_key keys[], void *into,
			 struct sp_error *err)
{
	for (const struct scontrol_key *key = keys; key->name; key++)
		if (key_read(key, record, length, into, err))
			return -1;
	return 0;
}

void scontrol_text_copy(const char *value, char *ret, size_t size)
{
	if (strcmp(value, "(null)") == 0 || strcmp(value, "N/A") == 0)
		value = "";

	size_t length = strnlen(value, size - 1);

	memcpy(ret, value, length);
	ret[length] = '\0';
}

const char *scontrol_config_value(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) != 0)
			continue;

		const char *equals = line + length;

		equals += strspn(equals, " ");
		if (*equals == '=')
			return equals + 1 + strspn(equals + 1, " ");
	}
	return NULL;
}
