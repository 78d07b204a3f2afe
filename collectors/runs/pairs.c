/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pairs.c - small files of key=value lines */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/runs/pairs.h"

int pairs_parse(struct pairs *ret, char *text, size_t size,
		struct sp_error *err)
{
	char *line = text;
	struct pairs pairs = { 0 };

	if (size == 0 || size > PAIRS_BYTES_MAX || memchr(text, '\0', size))
		return sp_error_set(err, "not a text of key=value lines");
	while (line < text + size) {
		char *end = memchr(line, '\n', (size_t)(text + size - line));
		char *equals;

		if (!end)
			return sp_error_set(err, "torn: no end of line");
		*end = '\0';
		equals = strchr(line, '=');
		if (!equals || equals == line)
			return sp_error_set(err, "a line is no key=value");
		if (pairs.count == PAIRS_MAX)
			return sp_error_set(err, "more than %d lines",
					    PAIRS_MAX);
		*equals = '\0';
		pairs.of[pairs.count].key = line;
		pairs.of[pairs.count++].value = equals + 1;
		line = end + 1;
	}
	if (pairs.count == 0 ||
	    strcmp(pairs.of[pairs.count - 1].key, "end") != 0)
		return sp_error_set(err, "torn: the last line is missing");
	*ret = pairs;
	return 0;
}

const char *pairs_text(const struct pairs *pairs, const char *key)
{
	for (int i = 0; i < pairs->count; i++)
		if (strcmp(pairs->of[i].key, key) == 0)
			return pairs->of[i].value;
	return "";
}

double pairs_number(const struct pairs *pairs, const char *key, double min,
		    double max, double missing)
{
	const char *text = pairs_text(pairs, key);
	char *end;
	double value = strtod(text, &end);

	if (!*text || *end || !isfinite(value) || value < min || value > max)
		return missing;
	return value;
}
