/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf.c - configuration files in Slurm's syntax
 *
 * Reading: a line is split into key and value, the key's row is found in the
 * caller's table, and the row's setter checks and stores the value.  Below
 * that: comparing two configurations, parsers of values, setters for rows.
 */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "predictor/base/conf.h"
#include "predictor/base/log.h"
#include "predictor/base/piece.h"
#include "predictor/base/small_file.h"

#define KEYS_MAX 64 /* rows of a table; `seen` has a bit for each */

struct conf_reader {
	const char *name; /* of the file */
	const struct conf_key *keys;
	void *into;
	uint64_t seen;
	unsigned line;
	struct sp_error *err;
};

static int fail_line(const struct conf_reader *r, const char *key,
		     const char *why)
{
	return sp_error_set(r->err, "%s:%u: %.64s%s%s", r->name, r->line, key,
			    *key ? ": " : "", why);
}

static char *skip_blanks(char *text)
{
	return text + strspn(text, " \t\r\v\f");
}

static void trim_end(char *text)
{
	size_t length = strlen(text);

	while (length && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
}

/* Strip quotes or a comment from the value at `text`, in place.  NULL: a quote
 * is not closed, or text follows it. */
static char *clean_value(char *text)
{
	text = skip_blanks(text);
	if (*text != '"') {
		text[strcspn(text, "#")] = '\0';
		trim_end(text);
		return text;
	}
	char *close = strchr(++text, '"');

	if (!close)
		return NULL;
	*close = '\0';

	const char *rest = skip_blanks(close + 1);

	return *rest && *rest != '#' ? NULL : text;
}

static int set_key(struct conf_reader *r, const char *key, const char *value)
{
	const struct conf_key *row = r->keys;
	struct sp_error why = { "" };

	while (row->name && strcasecmp(row->name, key))
		row++;
	if (!row->name)
		return sp_error_set(r->err, "%s:%u: unknown key %.64s", r->name,
				    r->line, key);

	if (row->removed) {
		log_warning("%s:%u: %s counts no more: %s; remove this line",
			    r->name, r->line, row->name, row->removed);
		return 0;
	}

	assert(row - r->keys < KEYS_MAX);
	uint64_t bit = (uint64_t)1 << (row - r->keys);

	if ((r->seen & bit) && !row->repeatable)
		return fail_line(r, row->name, "given twice");
	r->seen |= bit;
	if (row->set(r->into, row, value, &why) < 0)
		return fail_line(r, row->name, why.text);
	return 0;
}

static int read_line(struct conf_reader *r, char *line)
{
	line = skip_blanks(line);
	if (!*line || *line == '#')
		return 0;

	size_t length = strcspn(line, "=#");

	if (line[length] != '=')
		return fail_line(r, "", "expected Key=Value");

	char *value = clean_value(line + length + 1);

	line[length] = '\0';
	trim_end(line);
	if (!*line)
		return fail_line(r, "", "expected Key=Value");
	if (!value)
		return fail_line(r, line, "quotes are not closed at the end");
	if (!*value)
		return fail_line(r, line, "no value given");
	return set_key(r, line, value);
}

int conf_read_text(const char *name, const char *text, size_t size,
		   const struct conf_key keys[], void *into,
		   struct sp_error *err)
{
	struct conf_reader r = {
		.name = name, .keys = keys, .into = into, .err = err
	};
	const char *end = text + size;
	char line[CONF_LINE_MAX + 1];

	if (size > CONF_BYTES_MAX)
		return sp_error_set(err, "%s: longer than %d bytes", name,
				    CONF_BYTES_MAX);
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t length = (size_t)((newline ? newline : end) - text);

		r.line++;
		if (!piece_copy(line, sizeof(line), text, length))
			return fail_line(&r, "", "line too long");
		if (strlen(line) != length)
			return fail_line(&r, "", "NUL byte");
		if (read_line(&r, line) < 0)
			return -1;
		text += length + (newline != NULL);
	}
	return 0;
}

int conf_read_file(const char *path, const struct conf_key keys[], void *into,
		   struct sp_error *err)
{
	size_t size;
	/* One byte more than the maximum, to detect a longer file. */
	char *text = small_file_text(path, CONF_BYTES_MAX + 1, &size, err);
	int rc = text ? conf_read_text(path, text, size, keys, into, err) : -1;

	free(text);
	return rc;
}

/* --- Two configurations --------------------------------------------------- */

void conf_differences(const struct conf_key keys[], const void *old,
		      const void *fresh, char *ret_text, size_t size)
{
	size_t used = 0;

	ret_text[0] = '\0';
	for (const struct conf_key *key = keys; key->name; key++)
		if (key->restart && used < size &&
		    memcmp((const char *)old + key->offset,
			   (const char *)fresh + key->offset, key->size) != 0)
			used += (size_t)snprintf(ret_text + used, size - used,
						 "%s%s", used ? " " : "",
						 key->name);
}

/* --- Values --------------------------------------------------------------- */

int conf_integer(const char *value, long min, long max, long *ret,
		 struct sp_error *err)
{
	char *end;

	errno = 0;
	long number = strtol(value, &end, 10);

	if (end == value || *end || isspace((unsigned char)*value))
		return sp_error_set(err, "'%.40s' is not a whole number",
				    value);
	if (errno || number < min || number > max)
		return sp_error_set(err, "%.40s is not in %ld to %ld", value,
				    min, max);
	*ret = number;
	return 0;
}

int conf_number(const char *value, double min, double max, double *ret,
		struct sp_error *err)
{
	char *end;
	double number = strtod(value, &end);

	if (end == value || *end || isspace((unsigned char)*value) ||
	    isnan(number))
		return sp_error_set(err, "'%.40s' is not a number", value);
	if (!(number >= min && number <= max))
		return sp_error_set(err, "%.40s is not in %g to %g", value, min,
				    max);
	*ret = number;
	return 0;
}

int conf_bool(const char *value, bool *ret, struct sp_error *err)
{
	static const struct {
		const char *word;
		bool value;
	} words[] = {
		{ "yes", true }, { "no", false },    { "true", true },
		{ "on", true },  { "false", false }, { "off", false },
		{ "1", true },   { "0", false },     { NULL, false },
	};

	for (int i = 0; words[i].word; i++)
		if (!strcasecmp(value, words[i].word)) {
			*ret = words[i].value;
			return 0;
		}
	return sp_error_set(err, "'%.40s' is neither yes nor no", value);
}

int conf_word(const char *value, const char *const words[], int *ret,
	      struct sp_error *err)
{
	char list[128] = "";
	size_t used = 0;

	for (int i = 0; words[i]; i++) {
		if (!strcmp(value, words[i])) {
			*ret = i;
			return 0;
		}
		if (used < sizeof(list))
			used += (size_t)snprintf(list + used,
						 sizeof(list) - used, "%s%s",
						 !i             ? ""
						 : words[i + 1] ? ", "
								: " or ",
						 words[i]);
	}
	return sp_error_set(err, "must be %s", list);
}

int conf_text(const char *value, char *ret_text, size_t size,
	      struct sp_error *err)
{
	size_t length = strlen(value);

	if (length >= size)
		return sp_error_set(err, "longer than %zu bytes", size - 1);
	memset(ret_text, 0, size);
	memcpy(ret_text, value, length + 1);
	return 0;
}

/* --- Setters for rows ----------------------------------------------------- */

static void *member_of(void *into, const struct conf_key *key)
{
	return (char *)into + key->offset;
}

int conf_set_text(void *into, const struct conf_key *key, const char *value,
		  struct sp_error *err)
{
	return conf_text(value, member_of(into, key), key->size, err);
}

int conf_set_int(void *into, const struct conf_key *key, const char *value,
		 struct sp_error *err)
{
	long number;

	assert(key->size == sizeof(int));
	if (conf_integer(value, (long)key->min, (long)key->max, &number, err))
		return -1;
	*(int *)member_of(into, key) = (int)number;
	return 0;
}

int conf_set_double(void *into, const struct conf_key *key, const char *value,
		    struct sp_error *err)
{
	assert(key->size == sizeof(double));
	return conf_number(value, key->min, key->max, member_of(into, key),
			   err);
}

int conf_set_bool(void *into, const struct conf_key *key, const char *value,
		  struct sp_error *err)
{
	assert(key->size == sizeof(bool));
	return conf_bool(value, member_of(into, key), err);
}
