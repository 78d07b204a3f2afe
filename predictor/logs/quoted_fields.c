/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quoted_fields.c - fields in double quotes, as spreadsheets write them */
#include <string.h>

#include "predictor/logs/quoted_fields.h"

char quoted_fields_delimiter(const char *header)
{
	const char *end = *header == '"' ? strchr(header + 1, '"') : NULL;

	return end && end[1] && end[2] == '"' ? end[1] : '\0';
}

/* Return the closing quote of a field that is after its opening one; NULL:
 * there is none, or the field goes on behind it. */
static const char *find_close(const char *at, char delimiter)
{
	while (*at && (*at != '"' || at[1] == '"'))
		at += *at == '"' ? 2 : 1;
	return *at && (at[1] == delimiter || !at[1]) ? at : NULL;
}

void quoted_fields_read(char *line, char delimiter, char to)
{
	const char *at = line;
	char *out = line;

	while (*at) {
		const char *close =
			*at == '"' ? find_close(at + 1, delimiter) : NULL;

		for (at += close != NULL; close && at < close; at++) {
			*out++ = *at;
			at += *at == '"'; /* the second of "" */
		}
		at += close != NULL;
		while (*at && *at != delimiter)
			*out++ = *at++;
		if (*at) {
			*out++ = to;
			at++;
		}
	}
	*out = '\0';
}
