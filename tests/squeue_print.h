/* SPDX-License-Identifier: GPL-2.0-or-later */
/* squeue_print.h - records as squeue prints them for a --Format */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for any record of the tests. */
#define SQUEUE_RECORD_SIZE 16384

struct squeue_value {
	const char *column, *text;
};

/* The text for a column; "" if the table, which ends with a row whose column is
 * NULL, does not have it. */
static inline const char *squeue_value_find(const struct squeue_value values[],
					    const char *column, size_t length)
{
	for (const struct squeue_value *v = values; v->column; v++)
		if (strlen(v->column) == length &&
		    strncmp(v->column, column, length) == 0)
			return v->text;
	return "";
}

/* Append one record to the text of *size bytes in `ret`; as print.c of squeue
 * does, cut and fill each column but "nodelist", which is not cut. */
static inline void squeue_print(const char *format,
				const struct squeue_value values[], char *ret,
				size_t *size)
{
	char *to = ret + *size;

	for (const char *column = format; *column;) {
		size_t name = strcspn(column, ":,");
		const char *text = squeue_value_find(values, column, name);
		char *suffix = NULL;
		int width = column[name] == ':' ? (int)strtol(column + name + 1,
							      &suffix, 10)
						: 20;

		if (suffix)
			to += sprintf(to, "%-*.*s", width, width, text);
		else
			to += sprintf(to, "%-*.4096s", width, text);
		column += name;
		if (suffix) {
			column = suffix;
			while (*column && *column != ',')
				*to++ = *column++;
		}
		column += *column == ',';
	}
	*to++ = '\n';
	*to = '\0';
	*size = (size_t)(to - ret);
}
