/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scontrol_record.c - records of "Key=Value Key=Value", a line each */
#include <string.h>

#include "predictor/slurm/scontrol_record.h"

/* Return the first value of `name` in the record; NULL: there is none. */
static const char *value_find(const char *record, size_t length,
			      const char *name)
{
	size_t name_length = strlen(name);
	const char *stop = record + length, *at = record;

	while ((at = memmem(at, (size_t)(stop - at), name, name_length))) {
		const char *equals = at + name_length;

		if ((at == record || at[-1] == ' ') && equals < stop &&
		    *equals == '=')
			return equals + 1;
		at = equals;
	}
	return NULL;
}

static int key_read(const struct scontrol_key *key, const char *record,
		    size_t length, void *into, struct sp_error *err)
{
	char value[SCONTROL_VALUE_SIZE];
	const char *start = value_find(record, length, key->name);

	if (!start)
		return 0;

	size_t left = length - (size_t)(start - record);
	const char *end = memchr(start, ' ', left);
	size_t size = end ? (size_t)(end - start) : left;

	if (size >= sizeof(value))
		size = sizeof(value) - 1;
	memcpy(value, start, size);
	value[size] = '\0';
	if (key->set ? key->set(into, value)
		     : slurm_member_read(&key->member, value, into))
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
